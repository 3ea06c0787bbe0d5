// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/analyzer.hpp>
#include <wire/capture/live.hpp>
#include <wire/diagnose/finding.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace wiregap {

/// A capture of this program's own connections, made by itself on a thread of its own while they are used:
/// what the sockets do not tell of their exchanges (PSH, what the peer sent again, segments that were
/// merged).
class own_capture {
 public:
  /// Of TCP with that port, on all interfaces, from now on. Throws wire::capture::live_error.
  explicit own_capture(std::uint16_t port);
  ~own_capture();
  own_capture(const own_capture&) = delete;
  own_capture& operator=(const own_capture&) = delete;

  /// Looks at all that came, and stops. Throws wire::capture::live_error when the capture had broken off.
  void finish();

  /// The n-th of the run's connections is the n-th that was seen to open. Nothing is added where others used
  /// the port meanwhile: whose exchanges are whose cannot be told then.
  void add_evidence(std::vector<wire::diagnose::finding>& to, std::size_t connections) const;

  /// What was seen, in a line each, for a report in text.
  std::string in_short(std::size_t connections) const;

 private:
  struct exchange_facts {
    bool request_pushed = true, answer_pushed = true;
    std::uint32_t request_sent_again{}, answer_sent_again{};
  };
  class keeper;

  void run();
  const exchange_facts* find(const wire::diagnose::request_ref& one) const noexcept;

  wire::capture::live_capture live_;
  std::atomic<bool> ending_ = false;
  std::exception_ptr broken_{};
  std::vector<std::uint64_t> opened_{};  // numbers of connections, in their order
  std::map<std::uint64_t, std::vector<exchange_facts>> exchanges_{};  // of each, behind its login
  std::uint64_t server_sent_again_{}, oversized_{}, dropped_{};
  std::thread thread_;
};

}  // namespace wiregap
