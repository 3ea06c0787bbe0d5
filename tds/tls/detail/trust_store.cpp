// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/trust_store.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

namespace tds::tls::detail {

namespace {

namespace fs = std::filesystem;

/// What a file or folder looks like from outside: when this differs, its roots are read again.
struct file_state {
  std::string path{};
  fs::file_time_type written{};
  std::uintmax_t size{};
  bool operator==(const file_state&) const = default;
};

file_state state_of(std::string path) {
  file_state out{std::move(path), {}, 0};
  std::error_code absent;
  out.written = fs::last_write_time(out.path, absent);
  if (fs::is_regular_file(out.path, absent)) out.size = fs::file_size(out.path, absent);
  return out;
}

// Where OpenSSL looks: what the environment says, else what it was built with.
std::string place(const char* variable, const char* built_in) {
  const char* set = std::getenv(variable);
  return set != nullptr ? set : built_in;
}

struct sources {
  file_state system_file;
  file_state system_folder;
  file_state named;
  bool operator==(const sources&) const = default;
};

sources look(const std::string& ca_file) {
  return {state_of(place(X509_get_default_cert_file_env(), X509_get_default_cert_file())),
          state_of(place(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())), state_of(ca_file)};
}

result<x509_store_ptr> load(const std::string& ca_file, std::string* details) {
  x509_store_ptr store{X509_STORE_new()};
  if (!store) {
    say(details, "OpenSSL gives no certificate store: " + take_errors());
    return error_code{errc::bad_argument};
  }
  X509_STORE_set_default_paths(store.get());  // a system without a store is a system that trusts nobody
  ERR_clear_error();
  if (ca_file.empty()) return store;
  const auto content = read_file(ca_file, details);
  if (!content) return content.error();
  const auto roots = read_certificates(*content);
  if (roots.empty()) {
    say(details, ca_file + " holds no certificate in PEM form");
    return error_code{errc::bad_argument};
  }
  for (const auto& root : roots) X509_STORE_add_cert(store.get(), root.get());
  // What the caller names is trusted, also an issuer in the middle of a chain.
  X509_STORE_set_flags(store.get(), X509_V_FLAG_PARTIAL_CHAIN);
  return store;
}

x509_store_ptr share(const x509_store_ptr& store) {
  X509_STORE_up_ref(store.get());
  return x509_store_ptr{store.get()};
}

class store_cache {
 public:
  // OpenSSL tidies up at the program's exit; having started it first, these stores go before that.
  store_cache() { OPENSSL_init_crypto(0, nullptr); }

  result<x509_store_ptr> get(const std::string& ca_file, std::string* details) {
    const std::scoped_lock lock{mutex_};  // held while loading: who comes meanwhile needs the same store
    auto now = look(ca_file);
    const auto known = entries_.find(ca_file);
    if (known != entries_.end() && known->second.from == now) return share(known->second.store);
    auto loaded = load(ca_file, details);
    if (!loaded) return loaded;
    if (known == entries_.end() && entries_.size() == most_entries) entries_.clear();
    auto& entry = entries_[ca_file];
    entry = {std::move(now), std::move(*loaded)};
    return share(entry.store);
  }

 private:
  struct entry {
    sources from{};
    x509_store_ptr store{};
  };
  static constexpr std::size_t most_entries = 16;  // a program has one or two; more is no reason to grow

  std::mutex mutex_;
  std::map<std::string, entry> entries_;  // by ca_file
};

}  // namespace

result<x509_store_ptr> trust_store(const std::string& ca_file, std::string* details) {
  static store_cache cache;
  return cache.get(ca_file, details);
}

}  // namespace tds::tls::detail
