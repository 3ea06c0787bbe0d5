// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "exit_status.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace wiregap {

/// What main() runs once the arguments have been read: set by the callback of the command that was named.
using action = std::function<exit_status()>;

// Each registers one command; `chosen` receives what it does.
void add_probe(CLI::App& app, action& chosen);
void add_demo(CLI::App& app, action& chosen);
void add_query(CLI::App& app, action& chosen);
void add_serve(CLI::App& app, action& chosen);
void add_decode(CLI::App& app, action& chosen);
void add_compare(CLI::App& app, action& chosen);
void add_host(CLI::App& app, action& chosen);
void add_link(CLI::App& app, action& chosen);
void add_relay(CLI::App& app, action& chosen);
void add_analyze(CLI::App& app, action& chosen);

}  // namespace wiregap
