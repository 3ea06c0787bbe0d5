// SPDX-License-Identifier: BSL-1.0
// Breaks things on purpose, probes them, and compares what the diagnosis says with what was done.
// Exit status 0: what is asked was reached; 1: it was not; 2: it could not be measured.
#include "process.hpp"
#include "run.hpp"
#include "score.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace wiregap::faults;

struct options {
  std::vector<std::string> names;
  bool rootless = false, linked = false;
  bool list = false;
  bool show_wrong = false;
  bool is_short = false;
  std::uint64_t busy_requests = 0;
};

std::string share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "-"
                  : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

void print_head() {
  fmt::print("{:<28}{:>9}{:>8}{:>10}{:>10}{:>9}{:>8}{:>9}{:>8}\n", "scenario", "requests", "stalls", "layer",
             "cause", "proved", "false", "this", "took");
  fmt::print("{:<28}{:>9}{:>8}{:>10}{:>10}{:>9}{:>8}{:>9}{:>8}\n", "", "", "", "right", "right", "wrong",
             "stalls", "machine", "s");
}

void print_row(const std::string& name, const score& s, double seconds) {
  fmt::print("{:<28}{:>9}{:>8}{:>10}{:>10}{:>9}{:>8}{:>9}{:>8.1f}\n", name, s.requests, s.stalls,
             share(s.right_layer, s.stalls), share(s.right_cause, s.stalls), s.proved_wrong, s.false_stalls,
             s.this_machines, seconds);
  std::fflush(stdout);
}

void print_matrix(const score& total) {
  std::set<std::string> injected, diagnosed;
  for (const auto& [pair, count] : total.matrix) {
    injected.insert(pair.first);
    diagnosed.insert(pair.second);
  }
  fmt::print("\nStalls by what was injected (rows) and what was diagnosed (columns)\n");
  std::size_t number = 0;
  for (const auto& name : diagnosed) fmt::print("  [{}] {}\n", ++number, name);
  fmt::print("{:<22}", "");
  for (std::size_t i = 1; i <= number; ++i) fmt::print("{:>7}", fmt::format("[{}]", i));
  fmt::print("\n");
  for (const auto& row : injected) {
    fmt::print("{:<22}", row);
    for (const auto& column : diagnosed) {
      const auto found = total.matrix.find({row, column});
      fmt::print("{:>7}", found == total.matrix.end() ? std::string{"."} : std::to_string(found->second));
    }
    fmt::print("\n");
  }
}

scenario shortened(scenario of) {
  of.requests = std::min(of.requests, of.short_requests);
  if (of.duration) of.duration = std::min<nanoseconds>(*of.duration, std::chrono::seconds{4});
  of.rounds = 1;
  of.connects = std::min<std::size_t>(of.connects, 4);
  return of;
}

std::vector<scenario> chosen(const options& from) {
  auto all = scenarios();
  for (const auto& name : from.names) {
    if (std::ranges::find(all, name, &scenario::name) == all.end()) {
      throw std::invalid_argument{"no scenario is called " + name + "; --list shows them"};
    }
  }
  std::erase_if(all, [&](const scenario& one) {
    if (one.over_link ? from.rootless : from.linked) return true;
    return !from.names.empty() && std::ranges::find(from.names, one.name) == from.names.end();
  });
  if (from.is_short) std::ranges::transform(all, all.begin(), shortened);
  return all;
}

void print_wrong(const score& of, bool all) {
  constexpr std::size_t few = 3;
  for (std::size_t i = 0; i < of.wrong.size() && (all || i < few); ++i) fmt::print("    {}\n", of.wrong[i]);
}

int run_all(const options& with, const std::vector<scenario>& which) {
  run_before_others();
  score total;
  double seconds = 0;
  std::vector<std::string> missing;
  print_head();
  for (const auto& one : which) {
    score so;
    double took = 0;
    std::string problem;
    for (std::size_t round = 0; round < one.rounds; ++round) {
      const auto result = run(one);
      so += judge(one, result);
      took += std::chrono::duration<double>{result.took}.count();
      problem += result.problem;
    }
    print_row(one.name, so, took);
    print_wrong(so, with.show_wrong);
    for (auto& line : shortcomings(one, so)) missing.push_back(std::move(line));
    if (!problem.empty()) missing.push_back(one.name + ": a run ended early: " + problem);
    total += so;
    seconds += took;
  }
  print_row("all", total, seconds);
  print_matrix(total);
  for (auto& line : shortcomings(total)) missing.push_back(std::move(line));
  for (const auto& line : missing) fmt::print("not reached: {}\n", line);
  return missing.empty() ? 0 : 1;
}

// No stall may be reported but such as this machine made, and that the control thread saw.
int run_busy(const options& with) {
  auto healthy = scenarios().front();
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  fmt::print("{} requests while {} threads keep the {} cores busy\n", with.busy_requests, cores, cores);
  print_head();
  const auto result = run(healthy, {.requests = with.busy_requests, .busy_threads = cores});
  const auto so = judge(healthy, result);
  print_row(healthy.name, so, std::chrono::duration<double>{result.took}.count());
  print_wrong(so, with.show_wrong);
  return so.false_stalls == 0 ? 0 : 1;
}

int run_chosen(const options& with) {
  try {
    const auto which = chosen(with);
    if (with.list) {
      for (const auto& one : which)
        fmt::print("{:<28}{}{}\n", one.name, one.what, one.over_link ? " (root)" : "");
      return 0;
    }
    const bool linked = std::ranges::any_of(which, &scenario::over_link);
    if (const auto why = wire::link::link::why_not(); linked && with.busy_requests == 0 && !why.empty()) {
      fmt::print(stderr, "{}\nWithout it: --rootless\n", why);
      return 2;
    }
    const auto work = [&] { return with.busy_requests > 0 ? run_busy(with) : run_all(with, which); };
    const bool stuns = std::ranges::any_of(which, [](const scenario& one) { return one.stun.has_value(); });
    return stuns ? in_a_child(work) : work();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Injected faults against the diagnosis of each request"};
  options with;
  app.add_option("--scenario", with.names, "only these");
  app.add_flag("--rootless", with.rootless, "only what needs no root");
  app.add_flag("--link", with.linked, "only what is done to packets on their way")->excludes("--rootless");
  app.add_flag("--list", with.list, "the scenarios, a line each");
  app.add_flag("--show-wrong", with.show_wrong, "every wrong one, not the first few of a scenario");
  app.add_flag("--short", with.is_short, "fewer requests and rounds, a minute in all");
  app.add_option("--healthy-under-load", with.busy_requests,
                 "so many requests with nothing broken and every core kept busy, in place of the scenarios");
  CLI11_PARSE(app, argc, argv);
  return run_chosen(with);
}
