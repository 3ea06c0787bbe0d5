// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/tls/options.hpp>

#include <memory>
#include <string>

namespace tds::tls {

namespace detail {
struct context;
}

/// What the engines of many client connections share: verified options, trusted roots, the key log. The first
/// one of a program reads the system's roots, which takes tens of milliseconds; later ones share them while
/// the files are unchanged. Copying one is copying a shared pointer. Immutable, so any number of threads may
/// make engines from one.
class client_context {
 public:
  /// Errors: bad_argument (versions that exclude each other, a file that holds no certificate), and the
  /// operating system's own for files that cannot be opened, the key log among them. `details` receives the
  /// file's name and the reason, for a person.
  static result<client_context> create(const client_options& options, std::string* details = nullptr);

  const client_options& options() const noexcept;
  const std::shared_ptr<const detail::context>& shared() const noexcept { return shared_; }

 private:
  explicit client_context(std::shared_ptr<const detail::context> shared) noexcept;
  std::shared_ptr<const detail::context> shared_;
};

/// The same for the engines of a server's connections.
class server_context {
 public:
  /// Errors: bad_argument (a certificate or key that does not parse or does not match the other), and the
  /// operating system's for the key log.
  static result<server_context> create(const server_options& options, std::string* details = nullptr);

  /// The server's own certificate and its issuers, PEM: what a client pins or trusts.
  const std::string& certificate_pem() const noexcept;
  const std::shared_ptr<const detail::context>& shared() const noexcept { return shared_; }

 private:
  explicit server_context(std::shared_ptr<const detail::context> shared) noexcept;
  std::shared_ptr<const detail::context> shared_;
};

}  // namespace tds::tls
