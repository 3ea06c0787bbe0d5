// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/session.hpp>

namespace tds::capture::detail {

session::session(const wire::capture::connection& on, surroundings& with) : talk_(facts_, speaks_, with) {
  facts_.id = on.id;
  refresh(on);
}

void session::refresh(const wire::capture::connection& on) {
  facts_.client = on.ends[index(who_.client())];
  facts_.server = on.ends[index(opposite(who_.client()))];
  facts_.began = on.began;
  facts_.last = on.last;
  facts_.from_start = on.from_start;
  facts_.reset = on.reset;
  facts_.from_client = on.of(who_.client());
  facts_.from_server = on.of(opposite(who_.client()));
  facts_.version = speaks_.version;
  facts_.version_is_known = speaks_.is_known;
  facts_.answers_alone = talk_.line().answers_alone();
}

verdict session::judge(const wire::capture::connection& on, way from, const piece& next) {
  const auto found = who_.judge(on, from, next);
  if (who_.in_the_middle()) talk_.begin_in_the_middle();
  if (who_.tls_first()) facts_.encryption = who_.in_the_middle() ? encryption::full : encryption::strict;
  if (found == verdict::tds) refresh(on);
  return found;
}

}  // namespace tds::capture::detail
