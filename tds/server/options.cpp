// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/packet.hpp>
#include <tds/server/options.hpp>

namespace tds {
namespace {

std::string problem_of_size(const char* name, std::size_t size) {
  if (size >= protocol::min_packet_size && size <= protocol::max_packet_size) return {};
  return std::string{name} + ' ' + std::to_string(size) + " is not in 512..32767";
}

}  // namespace

std::string problem_of(const server_options& options) {
  constexpr std::size_t longest_name = 128;
  if (auto problem = problem_of_size("packet_size", options.packet_size); !problem.empty()) return problem;
  if (auto problem = problem_of_size("largest_packet_size", options.largest_packet_size); !problem.empty()) {
    return problem;
  }
  if (options.packet_size > options.largest_packet_size) return "packet_size is above largest_packet_size";
  if (options.certificate_pem.empty() != options.private_key_pem.empty()) {
    return "a certificate needs its key, and a key its certificate";
  }
  if (options.server_name.size() > longest_name) return "server_name is longer than 128 characters";
  if (options.program_name.size() > longest_name) return "program_name is longer than 128 characters";
  if (options.database.size() > longest_name) return "database is longer than 128 characters";
  if (options.max_request_bytes == 0) return "max_request_bytes is 0";
  if (options.login_timeout.count() < 0) return "login_timeout is negative";
  return {};
}

}  // namespace tds
