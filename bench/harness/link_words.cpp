// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/link_words.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace wiregap {

using wire::link::direction;
using wire::link::fault_kind;
using wire::link::impairment;

const char* const selection_help =
    "every=N, skip=N, limit=N, probability=P (0.01 or 1%), tail (with PSH), larger=SIZE, again "
    "(retransmissions too), "
    "messages (count requests or responses, not segments), segment=K (of the message; 0: each), syn, any";

namespace {

struct item {
  std::string_view key;
  std::string_view value;
};

// "a=1,b" as items.
std::vector<item> items_of(std::string_view text) {
  std::vector<item> out;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto one = text.substr(0, comma);
    const auto equals = one.find('=');
    out.push_back({one.substr(0, equals), equals == one.npos ? std::string_view{} : one.substr(equals + 1)});
    text = comma == text.npos ? std::string_view{} : text.substr(comma + 1);
  }
  return out;
}

std::uint64_t number_of(const item& one) {
  std::uint64_t out = 0;
  const auto* end = one.value.data() + one.value.size();
  const auto read = std::from_chars(one.value.data(), end, out);
  if (read.ec != std::errc{} || read.ptr != end) {
    throw std::invalid_argument{fmt::format("{} needs a whole number, as in {}=20", one.key, one.key)};
  }
  return out;
}

double probability_of(const item& one) {
  const bool percent = one.value.ends_with('%');
  const auto digits = one.value.substr(0, one.value.size() - (percent ? 1U : 0U));
  double out = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  const double value = percent ? out / 100 : out;
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || !(value >= 0 && value <= 1)) {
    throw std::invalid_argument{"probability lies between 0 and 1, or 0% and 100%"};
  }
  return value;
}

// True when the item belongs to a selection.
bool take(const item& one, wire::link::selection& when) {
  using wire::link::counting;
  using wire::link::subject;
  if (one.key == "every") {
    when.every = number_of(one);
  } else if (one.key == "skip") {
    when.skip = number_of(one);
  } else if (one.key == "limit") {
    when.limit = number_of(one);
  } else if (one.key == "segment") {
    when.segment = static_cast<std::uint32_t>(number_of(one));
  } else if (one.key == "probability") {
    when.probability = probability_of(one);
  } else if (one.key == "larger") {
    when.larger_than = parse_size(one.value);
  } else if (!one.value.empty()) {
    return false;
  } else if (one.key == "tail") {
    when.tail = true;
  } else if (one.key == "again") {
    when.retransmissions = true;
  } else if (one.key == "messages") {
    when.count = counting::messages;
  } else if (one.key == "syn") {
    when.of = subject::syn;
  } else if (one.key == "any") {
    when.of = subject::any;
  } else {
    return false;
  }
  return true;
}

[[noreturn]] void not_understood(const item& one, std::string_view allowed) {
  throw std::invalid_argument{fmt::format("'{}{}{}' is not understood; {}", one.key,
                                          one.value.empty() ? "" : "=", one.value, allowed)};
}

wire::link::selection selection_of(const std::vector<item>& items, wire::link::selection when = {}) {
  for (const auto& one : items) {
    if (!take(one, when)) not_understood(one, fmt::format("a selection is made of {}", selection_help));
  }
  return when;
}

// Seconds by default would be a trap among milliseconds.
wire::link::nanoseconds time_of(std::string_view text) {
  if (!text.empty() && text.back() >= '0' && text.back() <= '9') {
    throw std::invalid_argument{fmt::format("'{}' needs a unit, as in {}ms", text, text)};
  }
  return parse_duration(text);
}

// The first item is a duration without a name.
wire::link::fault late_of(fault_kind kind, std::string_view text) {
  auto items = items_of(text);
  if (items.empty()) throw std::invalid_argument{"a time is missing, as in 80ms,every=50"};
  wire::link::fault out;
  out.kind = kind;
  out.by = time_of(items.front().key);
  items.erase(items.begin());
  out.when = selection_of(items);
  return out;
}

wire::link::merging merging_of(std::string_view text) {
  using wire::link::push_rule;
  wire::link::merging out;
  for (const auto& one : items_of(text)) {
    if (one.key == "window") {
      out.window = time_of(one.value);
    } else if (one.key == "max") {
      out.max_bytes = std::min<std::size_t>(parse_size(one.value), 65535);
    } else if (one.key == "across") {
      out.ends_at_push = false;
    } else if (one.key == "push") {
      constexpr std::array rules{std::pair{"keep", push_rule::keep}, std::pair{"first", push_rule::first},
                                 std::pair{"clear", push_rule::clear}};
      const auto* found = rules.begin();
      while (found != rules.end() && one.value != found->first) ++found;
      if (found == rules.end()) not_understood(one, "push is one of keep, first, clear");
      out.push = found->second;
    } else if (!take(one, out.lost_in)) {
      not_understood(
          one, fmt::format("merging knows window=TIME, max=SIZE, push=keep|first|clear, across, and of a "
                           "selection {}",
                           selection_help));
    }
  }
  return out;
}

wire::link::push_hold hold_of(const std::vector<item>& items) {
  wire::link::push_hold out;
  for (const auto& one : items) {
    if (one.key == "timer") {
      out.timer = time_of(one.value);
    } else if (one.key == "buffer") {
      out.buffer = parse_size(one.value);
    } else {
      not_understood(one, "after client or server come timer=TIME and buffer=SIZE");
    }
  }
  return out;
}

wire::link::pause pause_of(std::string_view text) {
  wire::link::pause out;
  bool first = true;
  for (const auto& one : items_of(text)) {
    if (first) {
      out.length = time_of(one.key);
    } else if (one.key == "at") {
      out.at = time_of(one.value);
    } else if (one.key == "every") {
      out.every = time_of(one.value);
    } else {
      not_understood(one, "a pause is LENGTH,at=TIME,every=TIME");
    }
    first = false;
  }
  return out;
}

// Reads words of one option, each for the directions that it names.
class reader {
 public:
  explicit reader(wire::link::link_settings& out) : out_{out} {}

  template <class Apply>
  void each(const char* option, const std::vector<std::string>& words, Apply apply) {
    for (const auto& word : words) {
      std::string_view text{word};
      bool request = true, response = true;
      if (text.starts_with("request:")) {
        response = false;
        text.remove_prefix(8);
      } else if (text.starts_with("response:")) {
        request = false;
        text.remove_prefix(9);
      }
      named(option, word, [&] {
        if (request) apply(out_.to_server, text);
        if (response) apply(out_.to_client, text);
      });
    }
  }

  // A problem of a word is told with the option and the word.
  template <class Act>
  static void named(const char* option, const std::string& word, Act act) {
    try {
      act();
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument{fmt::format("{} {}: {}", option, word, error.what())};
    }
  }

 private:
  wire::link::link_settings& out_;
};

void read_path(const link_words& words, reader& in) {
  in.each("--delay", words.delay, [](impairment& to, auto text) { to.delay = time_of(text); });
  in.each("--jitter", words.jitter, [](impairment& to, auto text) { to.jitter = time_of(text); });
  in.each("--rate", words.rate, [](impairment& to, auto text) { to.rate = parse_rate(text); });
  in.each("--queue", words.queue, [](impairment& to, auto text) { to.queue = parse_size(text); });
  in.each("--pause", words.pause, [](impairment& to, auto text) { to.pauses.push_back(pause_of(text)); });
  in.each("--merge", words.merge, [](impairment& to, auto text) { to.merge = merging_of(text); });
}

void read_faults(const link_words& words, reader& in) {
  const auto selected = [&in](const char* option, const std::vector<std::string>& of, fault_kind kind) {
    in.each(option, of, [kind](impairment& to, auto text) {
      to.faults.push_back({kind, selection_of(items_of(text)), {}});
    });
  };
  selected("--lose", words.lose, fault_kind::lose);
  selected("--duplicate", words.duplicate, fault_kind::duplicate);
  selected("--clear-push", words.clear_push, fault_kind::clear_push);
  in.each("--reorder", words.reorder,
          [](impairment& to, auto text) { to.faults.push_back(late_of(fault_kind::reorder, text)); });
  in.each("--late", words.late,
          [](impairment& to, auto text) { to.faults.push_back(late_of(fault_kind::delay, text)); });
  in.each("--black-hole", words.black_hole, [](impairment& to, auto text) {
    wire::link::selection when;
    when.larger_than = parse_size(text);
    when.retransmissions = true;
    to.faults.push_back({fault_kind::lose, when, {}});
  });
}

void read_lost_messages(const char* option, const std::vector<std::string>& words, impairment& to) {
  wire::link::selection when;
  when.count = wire::link::counting::messages;
  for (const auto& word : words) {
    reader::named(option, word, [&] {
      to.faults.push_back({fault_kind::lose, selection_of(items_of(word), when), {}});
    });
  }
}

void read_holds(const std::vector<std::string>& words, wire::link::link_settings& out) {
  for (const auto& word : words) {
    reader::named("--windows-receiver", word, [&] {
      auto items = items_of(word);
      const auto who = items.empty() ? std::string_view{} : items.front().key;
      if (who != "client" && who != "server") {
        throw std::invalid_argument{"client or server, then timer=TIME and buffer=SIZE"};
      }
      items.erase(items.begin());
      // What the server receives goes to the server.
      (who == "server" ? out.to_server : out.to_client).hold = hold_of(items);
    });
  }
}

}  // namespace

wire::link::link_settings settings_of(const link_words& words) {
  wire::link::link_settings out;
  reader in{out};
  read_path(words, in);
  read_faults(words, in);
  read_lost_messages("--lose-request", words.lose_request, out.to_server);
  read_lost_messages("--lose-response", words.lose_response, out.to_client);
  read_holds(words.hold, out);
  for (const auto& word : words.sysctl) {
    const auto equals = word.find('=');
    if (equals == word.npos) {
      throw std::invalid_argument{
          fmt::format("--sysctl {}: a name and a value, as in net.ipv4.tcp_sack=0", word)};
    }
    out.sysctls.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  // The directions draw apart.
  out.to_server.seed = words.seed;
  out.to_client.seed = words.seed + 1;
  for (const auto* one : {&out.to_server, &out.to_client}) {
    if (const auto problem = problem_of(*one); !problem.empty()) throw std::invalid_argument{problem};
  }
  return out;
}

}  // namespace wiregap
