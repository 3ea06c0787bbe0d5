// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/exchange/exchange.hpp>
#include <wire/exchange/ledger.hpp>

#include <string>

namespace wiregap {

/// Whose an entry of a ledger is: "server", or "request_path|server_receive" of what cannot be told apart;
/// with " (+-40.1 ms)" where its ends come from the server's clock.
std::string layers_in_words(const wire::exchange::entry& of);

/// What TCP had to repair or wait for: "2 segments sent again (1 by timer)", "nothing sent again".
std::string repairs_in_words(const wire::exchange::tcp_facts& tcp);

/// Where the time of an exchange went, on one line without a line end: "500.8 ms = request_path 40.2 ms +
/// server_receive 460.3 ms + 0.3 ms elsewhere; nothing sent again". Entries below 1 % of it are elsewhere;
/// what is not known is not there. Empty when nothing is.
std::string split_in_words(const wire::exchange::exchange& of);

}  // namespace wiregap
