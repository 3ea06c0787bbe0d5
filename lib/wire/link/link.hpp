// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/direction.hpp>
#include <wire/link/impairment.hpp>
#include <wire/link/ledger.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wire::link {

/// The link cannot be made or has broken; what() says why and what to do.
class link_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct link_settings {
  impairment to_server{};
  impairment to_client{};
  std::string client_capture{};  ///< path of a pcapng file with what the client's adapter sees; empty: none
  std::string server_capture{};  ///< the same of the server's
  std::string ledger_file{};     ///< path of a file of JSON lines, written as deeds are done; empty: none
  std::size_t ledger_entries{1'000'000};  ///< kept in memory; the file has them all
  /// Kernel parameters set in both namespaces, as {"net.ipv4.tcp_congestion_control", "cubic"}.
  std::vector<std::pair<std::string, std::string>> sysctls{};
};

/// An impaired path between two TCP stacks of this machine: two network namespaces, each with one interface,
/// and this process in between, which carries every IP packet from one to the other and breaks them on
/// purpose. What runs inside the namespaces uses the kernel's own TCP.
///
/// The interfaces have an MTU of 1500 and no segmentation offload: packets are segments as a wire would see
/// them. The client is 10.77.0.1, the server 10.77.0.2; IPv6 is off; nothing else can be reached from inside.
/// Several links can stand side by side.
///
/// Linux only, and root only. A namespace is named wiregap-PID-N-client or -server, so that `ip netns exec`
/// finds it. They go with the object; those of a process that was killed go when the next link is made.
///
/// Safe for use from several threads.
class link {
 public:
  /// Empty where a link can be made; else why not.
  static std::string why_not();

  /// Throws link_error, and std::invalid_argument for an impairment with a problem_of().
  explicit link(const link_settings& settings = {});
  ~link();
  link(const link&) = delete;
  link& operator=(const link&) = delete;

  static std::string address(side which);
  const std::string& namespace_of(side which) const noexcept;

  /// From now on; see duplex::set(). Throws std::invalid_argument for an impairment with a problem_of().
  void set(direction way, const impairment& wanted);
  impairment current(direction way) const;

  /// Nothing arrives at either end for so long, from now.
  void pause(nanoseconds length);

  /// Moves the calling thread into a namespace, for good: sockets it opens and threads and processes it
  /// starts from now on belong there. Throws link_error.
  void enter(side which) const;

  /// Runs `work` on a thread of its own inside a namespace, and waits for it. A socket stays in the namespace
  /// where it was opened, whichever thread uses it later. Returns and throws what `work` does.
  template <class Work>
  auto run_in(side which, Work&& work) const {
    using result = std::invoke_result_t<Work&>;
    if constexpr (std::is_void_v<result>) {
      on_thread_in(which, [&work] { work(); });
    } else {
      std::optional<result> out;
      on_thread_in(which, [&work, &out] { out.emplace(work()); });
      return std::move(*out);
    }
  }

  /// The deeds so far, in order; or those from index `from` on.
  std::vector<ledger_entry> entries(std::size_t from = 0) const;
  std::uint64_t count(deed what) const;

  /// Empty while all is well; else what ended the forwarding or spoilt a file.
  std::string problem() const;

  /// Ends the forwarding and completes the files. The namespaces and the ledger stay until the object goes.
  void stop();

 private:
  void on_thread_in(side which, const std::function<void()>& work) const;

  struct running;
  std::unique_ptr<running> running_;
};

}  // namespace wire::link
