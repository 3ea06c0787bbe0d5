// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/error.hpp>
#include <tds/bytes/ucs2.hpp>

#include <iostream>

int main() {
  const tds::error_code code = tds::errc::login_failed;
  const tds::bytes::ucs2_string text{"SELECT 1"};
  std::cout << "tds: " << code.message() << ", " << text.units() << " code units\n";
  return text.view().utf8() == "SELECT 1" ? 0 : 1;
}
