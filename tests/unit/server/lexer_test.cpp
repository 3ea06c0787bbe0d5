// SPDX-License-Identifier: BSL-1.0
#include <tds/server/sql/lexer.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tds::serving {
namespace {

// "word:SELECT number:1 symbol:," ...
std::string cut(std::string_view sql) {
  static constexpr const char* kinds[] = {"end",  "word",  "name",   "variable", "number",
                                          "text", "ntext", "binary", "symbol",   "broken"};
  std::string out;
  lexer in{sql};
  for (;;) {
    const auto taken = in.next();
    if (!out.empty()) out += ' ';
    out.append(kinds[static_cast<std::size_t>(taken.kind)]);
    if (taken.kind == lexeme_kind::end) return out;
    out.append(":").append(taken.text);
    if (taken.kind == lexeme_kind::broken) return out;
  }
}

TEST(lexer, words_literals_and_symbols) {
  EXPECT_EQ(cut("SELECT 1,N'x' AS [a b]"), "word:SELECT number:1 symbol:, ntext:x word:AS name:a b end");
  EXPECT_EQ(cut("@@SPID \"q\"\"q\" 0xFf 'it''s'"), "variable:@@SPID name:q\"\"q binary:Ff text:it''s end");
  EXPECT_EQ(cut("1.5 .5 1e-3 2.E+1 7."), "number:1.5 number:.5 number:1e-3 number:2.E+1 number:7. end");
  EXPECT_EQ(cut("n_1(a);"), "word:n_1 symbol:( word:a symbol:) symbol:; end");
  EXPECT_EQ(cut("n'x'"), "ntext:x end");
  EXPECT_EQ(cut("''''"), "text:'' end");
  EXPECT_EQ(cut(""), "end");
}

TEST(lexer, white_space_and_comments_fall_away) {
  EXPECT_EQ(cut(" \t\r\n a -- b\n c"), "word:a word:c end");
  EXPECT_EQ(cut("a--b"), "word:a end");
  EXPECT_EQ(cut("a/* b */c/**/d"), "word:a word:c word:d end");
  EXPECT_EQ(cut("/* a /* b */ c */ d"), "word:d end");
  EXPECT_EQ(cut("/*/ a */ b"), "word:b end");
  EXPECT_EQ(cut("/***/ a"), "word:a end");
  EXPECT_EQ(cut("a - b / c"), "word:a symbol:- word:b symbol:/ word:c end");
  EXPECT_EQ(cut("'a -- b' '/* c */'"), "text:a -- b text:/* c */ end");
}

TEST(lexer, what_does_not_end_is_broken_for_good) {
  EXPECT_EQ(cut("a 'b"), "word:a broken:'b");
  EXPECT_EQ(cut("a [b"), "word:a broken:[b");
  EXPECT_EQ(cut("a /* b"), "word:a broken:/* b");
  EXPECT_EQ(cut("/* /* */ a"), "broken:/* /* */ a");
  lexer in{"'x"};
  in.next();
  EXPECT_EQ(in.peek().kind, lexeme_kind::broken);
}

TEST(lexer, the_end_stays_the_end) {
  lexer in{"a"};
  in.next();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(in.next().kind, lexeme_kind::end);
}

TEST(lexer, words_compare_without_case_and_names_do_not_compare) {
  lexer in{"select [select]"};
  EXPECT_FALSE(in.take_word("SELEC"));
  EXPECT_TRUE(in.take_word("SELECT"));
  EXPECT_FALSE(in.take_word("SELECT"));
}

TEST(lexer, lines_count_from_one) {
  lexer in{"a\nb"};
  EXPECT_EQ(in.line_of(in.next().offset), 1U);
  EXPECT_EQ(in.line_of(in.next().offset), 2U);
}

TEST(lexer, a_comment_of_megabytes_is_one_search) {
  const std::string sql = "/*" + std::string(8'000'000, '/') + "*/SELECT";
  EXPECT_EQ(cut(sql), "word:SELECT end");
}

TEST(lexer, unquoting_makes_doubled_quotes_single) {
  EXPECT_EQ(unquote("it''s", '\''), "it's");
  EXPECT_EQ(unquote("''", '\''), "'");
  EXPECT_EQ(unquote("a]]b", ']'), "a]b");
}

}  // namespace
}  // namespace tds::serving
