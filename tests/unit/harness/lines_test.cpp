// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/lines.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using wiregap::wrapped;

TEST(lines, wrapped_keeps_short_text_on_one_line) {
  EXPECT_EQ(wrapped("a few words", "  - ", "    "), "  - a few words");
  EXPECT_EQ(wrapped("", "  ", "    "), "  ");
}

TEST(lines, wrapped_breaks_at_blanks_and_indents_what_follows) {
  const std::string word(50, 'x');
  EXPECT_EQ(wrapped(word + " " + word + " " + word, "- ", "  "), "- " + word + " " + word + "\n  " + word);
}

TEST(lines, wrapped_never_breaks_a_word) {
  const std::string command(200, 'y');
  EXPECT_EQ(wrapped(command + " z", "", " "), command + "\n z");
}

TEST(lines, painted_only_where_colour_is_wanted) {
  EXPECT_EQ(wiregap::painted("text", "1", false), "text");
  EXPECT_EQ(wiregap::painted("text", "1", true), "\x1b[1mtext\x1b[0m");
}

}  // namespace
