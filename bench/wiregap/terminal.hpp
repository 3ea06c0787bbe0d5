// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/secret.hpp>

#include <cstdio>
#include <string>

namespace wiregap::terminal {

/// `stream` is a terminal that understands cursor movement: not a pipe, not TERM=dumb.
bool is_interactive(std::FILE* stream) noexcept;
/// Colours may be used on `stream`: interactive, and NO_COLOR is not set.
bool wants_color(std::FILE* stream) noexcept;
/// Columns of the terminal behind `stream`; 80 when that is not known.
unsigned width(std::FILE* stream) noexcept;

/// Somebody can be asked: there is a controlling terminal.
bool can_prompt() noexcept;
/// Asks without echo. Throws cannot_measure when the terminal goes away or the answer is interrupted.
tds::secret prompt_secret(const std::string& question);

}  // namespace wiregap::terminal
