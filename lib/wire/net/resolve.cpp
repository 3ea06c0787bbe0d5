// SPDX-License-Identifier: BSL-1.0
#include <wire/net/resolve.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <system_error>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace wire::net {

namespace asio = boost::asio;

std::vector<endpoint> system_resolve(const std::string& host, std::uint16_t port, error_code& ec) {
  asio::io_context unused;  // a synchronous resolve runs in this thread
  asio::ip::tcp::resolver resolver{unused};
  const auto found =
      resolver.resolve(host, std::to_string(port), asio::ip::resolver_base::numeric_service, ec);
  std::vector<endpoint> endpoints;
  if (ec) return endpoints;
  for (const auto& entry : found) endpoints.push_back(entry.endpoint());
  return endpoints;
}

std::optional<endpoint> address_literal(const std::string& host, std::uint16_t port) {
  error_code ec;
  const auto address = asio::ip::make_address(host, ec);
  if (ec) return std::nullopt;
  return endpoint{address, port};
}

std::vector<endpoint> interleave_families(const std::vector<endpoint>& resolved) {
  std::vector<endpoint> unique;
  for (const auto& candidate : resolved) {
    if (std::find(unique.begin(), unique.end(), candidate) == unique.end()) unique.push_back(candidate);
  }
  if (unique.empty()) return unique;
  const bool first_is_v6 = unique.front().address().is_v6();
  std::vector<endpoint> turns[2];
  for (const auto& candidate : unique)
    turns[candidate.address().is_v6() == first_is_v6 ? 0 : 1].push_back(candidate);
  std::vector<endpoint> ordered;
  for (std::size_t i = 0; i < std::max(turns[0].size(), turns[1].size()); ++i) {
    for (const auto& family : turns) {
      if (i < family.size()) ordered.push_back(family[i]);
    }
  }
  return ordered;
}

bool is_resolve_error(error_code ec) noexcept {
  return ec && (ec.category() == asio::error::get_netdb_category() ||
                ec.category() == asio::error::get_addrinfo_category());
}

struct background_lookup::shared {
  std::mutex mutex;
  deliver_function deliver;
};

namespace {

std::vector<endpoint> call(const resolve_function& resolver, const std::string& host, std::uint16_t port,
                           error_code& ec) noexcept {
  try {
    auto found = resolver ? resolver(host, port, ec) : system_resolve(host, port, ec);
    if (!ec && found.empty()) ec = asio::error::host_not_found;
    return found;
  } catch (...) {
    ec = asio::error::no_recovery;
    return {};
  }
}

}  // namespace

background_lookup::background_lookup(resolve_function resolver, std::string host, std::uint16_t port,
                                     deliver_function deliver)
    : shared_{std::make_shared<shared>()} {
  shared_->deliver = std::move(deliver);
  auto work = [state = shared_, resolver = std::move(resolver), host = std::move(host), port] {
    error_code ec;
    auto found = call(resolver, host, port, ec);
    // Delivered under the lock: whoever abandons waits until the post is through, so the executor that it
    // goes to is alive for as long as it is used here.
    const std::scoped_lock lock{state->mutex};
    if (state->deliver) std::exchange(state->deliver, nullptr)(ec, std::move(found));
  };
  try {
    std::thread{std::move(work)}.detach();
  } catch (const std::system_error&) {
    const std::scoped_lock lock{shared_->mutex};
    std::exchange(shared_->deliver, nullptr)(asio::error::no_memory, {});
  }
}

background_lookup& background_lookup::operator=(background_lookup&& other) noexcept {
  if (this != &other) {
    abandon();
    shared_ = std::move(other.shared_);
  }
  return *this;
}

void background_lookup::abandon() noexcept {
  if (!shared_) return;
  const std::scoped_lock lock{shared_->mutex};
  shared_->deliver = nullptr;
}

}  // namespace wire::net
