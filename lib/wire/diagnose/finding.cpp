// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/finding.hpp>

namespace wire::diagnose {

std::string_view name_of(cause c) noexcept {
  switch (c) {
    case cause::unknown:
      return "unknown";
    case cause::push_hold:
      return "push_hold";
    case cause::nagle_delayed_ack:
      return "nagle_delayed_ack";
    case cause::retransmission_timeout:
      return "retransmission_timeout";
    case cause::tail_loss_probe:
      return "tail_loss_probe";
    case cause::fast_retransmit:
      return "fast_retransmit";
    case cause::path_mtu:
      return "path_mtu";
    case cause::zero_window:
      return "zero_window";
    case cause::server_work:
      return "server_work";
    case cause::client_scheduling:
      return "client_scheduling";
    case cause::late_read:
      return "late_read";
    case cause::size_step:
      return "size_step";
    case cause::host_wide_stall:
      return "host_wide_stall";
    case cause::path_delay:
      return "path_delay";
    case cause::steady:
      return "steady";
    case cause::jitter:
      return "jitter";
    case cause::resolver:
      return "resolver";
    case cause::syn_loss:
      return "syn_loss";
    case cause::dead_address:
      return "dead_address";
    case cause::tls_handshake:
      return "tls_handshake";
    case cause::login:
      return "login";
  }
  return "unknown";
}

std::string_view name_of(confidence c) noexcept {
  switch (c) {
    case confidence::unknown:
      return "unknown";
    case confidence::possible:
      return "possible";
    case confidence::likely:
      return "likely";
    case confidence::proved:
      return "proved";
  }
  return "unknown";
}

std::string_view name_of(remedy::purpose p) noexcept {
  return p == remedy::purpose::check ? "check" : "mend";
}

std::string_view name_of(remedy::system s) noexcept {
  switch (s) {
    case remedy::system::any:
      return "any";
    case remedy::system::windows_os:
      return "windows";
    case remedy::system::linux_os:
      return "linux";
    case remedy::system::esxi:
      return "esxi";
  }
  return "any";
}

bool is_loss(cause c) noexcept {
  return c == cause::retransmission_timeout || c == cause::tail_loss_probe || c == cause::fast_retransmit ||
         c == cause::path_mtu;
}

bool is_connect_phase(cause c) noexcept { return c >= cause::resolver && c <= cause::login; }

std::optional<exchange::layer> sole_layer(exchange::layer_set of) noexcept {
  for (const auto l : exchange::layers) {
    if (of == exchange::layer_set{l}) return l;
  }
  return std::nullopt;
}

std::string layer_name(const finding& of) {
  if (is_connect_phase(of.cause)) return "connect";
  if (of.layers == exchange::layer_set{} || of.layers == exchange::layer_set::all()) return "unknown";
  return name_of(of.layers);
}

}  // namespace wire::diagnose
