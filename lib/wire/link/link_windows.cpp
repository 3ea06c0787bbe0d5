// SPDX-License-Identifier: BSL-1.0
// No network namespaces here: a link cannot be made.
#include <wire/link/link.hpp>

namespace wire::link {
namespace {

constexpr const char* absent =
    "the impaired link needs Linux network namespaces, which this system does not have: run it on a Linux "
    "machine";

}  // namespace

struct link::running {
  std::string name;
};

std::string link::why_not() { return absent; }
link::link(const link_settings&) { throw link_error{absent}; }
link::~link() = default;
const std::string& link::namespace_of(side) const noexcept { return running_->name; }
void link::set(direction, const impairment&) {}
impairment link::current(direction) const { return {}; }
void link::pause(nanoseconds) {}
void link::enter(side) const { throw link_error{absent}; }
std::vector<ledger_entry> link::entries(std::size_t) const { return {}; }
std::uint64_t link::count(deed) const { return 0; }
std::string link::problem() const { return absent; }
void link::stop() {}

}  // namespace wire::link
