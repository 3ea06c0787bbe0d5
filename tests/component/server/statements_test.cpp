// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"
#include <tds/server/server_thread.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace component {
namespace {

using tds::server_thread;
using tds::protocol::tds_version;

class server_statements : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<server_thread>(); }
  static void TearDownTestSuite() { shared.reset(); }

  std::string run(std::string_view sql) { return client.batch(sql); }
  // The one row of a SELECT.
  std::string value(std::string_view sql) {
    const std::string words = run(sql);
    const auto from = words.find("\nROW ");
    return from == std::string::npos ? words : words.substr(from + 5, words.find('\n', from + 1) - from - 5);
  }

  static std::unique_ptr<server_thread> shared;
  raw_client client = raw_client::logged_in(shared->port());
};
std::unique_ptr<server_thread> server_statements::shared;

TEST_F(server_statements, literals) {
  EXPECT_EQ(run("SELECT 1 AS a, -2 b, 'x' AS [c d], N'\xC3\xA4' AS 'e', NULL, 0x0AFF, 1.50, 1e3"),
            "COLMETADATA a:int4 b:int4 c d:bigvarchar e:nvarchar :intn :bigvarbinary :decimaln :flt8\n"
            "ROW 1|-2|x|\xC3\xA4|NULL|0x0AFF|1.50|1000\n"
            "DONE COUNT 1\n");
  EXPECT_EQ(value("SELECT 2147483647, 2147483648, -2147483648, 12345678901234567890123456789012345678"),
            "2147483647|2147483648|-2147483648|12345678901234567890123456789012345678");
  EXPECT_EQ(value("SELECT 'it''s', '', N''"), "it's||");
  EXPECT_EQ(value("select\t'a'-- b\r\n/* c */;"), "a");
}

TEST_F(server_statements, variables_and_functions) {
  EXPECT_EQ(value("SELECT @@VERSION"), "wiregap embedded server - 16.0.1000.0");
  EXPECT_EQ(value("SELECT @@SERVERNAME, DB_NAME(), SUSER_SNAME(), APP_NAME(), @@TRANCOUNT"),
            "wiregap|master|wiregap|raw|0");
  EXPECT_GE(std::stoi(value("SELECT @@SPID")), 51);
  EXPECT_EQ(value("SELECT SYSUTCDATETIME()").substr(0, 2), "20");
  EXPECT_NE(value("SELECT SYSUTCDATETIME()"), value("SELECT SYSUTCDATETIME()"));
}

TEST_F(server_statements, casts) {
  EXPECT_EQ(
      run("SELECT CAST(1 AS tinyint) a, CAST(-1 AS smallint) b, CAST('7' AS bigint) c, CAST(1 AS bit) d"),
      "COLMETADATA a:intn b:intn c:intn d:bitn\nROW 1|-1|7|1\nDONE COUNT 1\n");
  EXPECT_EQ(
      value("SELECT CAST(1.005 AS decimal(5,2)), CAST('-99.995' AS decimal(5,2)), CAST(0 AS numeric(38,38))"),
      "1.01|-100.00|0." + std::string(38, '0'));
  EXPECT_EQ(value("SELECT CAST(12.34 AS money), CAST('-0.0001' AS smallmoney), CAST(1.5 AS real), CAST('2.5' "
                  "AS float)"),
            "12.3400|-0.0001|1.5|2.5");
  EXPECT_EQ(
      value("SELECT CAST('2024-02-29' AS date), CAST('23:59:59.9999999' AS time), CAST('12:00' AS time(0))"),
      "2024-02-29|23:59:59.9999999|12:00:00");
  EXPECT_EQ(
      value(
          "SELECT CAST('2024-02-29 23:59:59.997' AS datetime), CAST('2024-02-29 12:00:31' AS smalldatetime)"),
      "2024-02-29 23:59:59.997|2024-02-29 12:01:00");
  EXPECT_EQ(
      value(
          "SELECT CAST('0001-01-01' AS datetime2(0)), CAST('2024-01-01 00:30 +05:30' AS datetimeoffset(3))"),
      "0001-01-01 00:00:00|2024-01-01 00:30:00.000 +05:30");
  EXPECT_EQ(value("SELECT CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier)"),
            "6F9619FF-8B86-D011-B42D-00C04FC964FF");
  EXPECT_EQ(
      value("SELECT CAST('abc' AS char(5)), CAST('abcdef' AS varchar(3)), CAST(N'\xE2\x82\xAC' AS nchar(2))"),
      "abc  |abc|\xE2\x82\xAC ");
  EXPECT_EQ(
      value("SELECT CAST('x' AS varchar(max)), CAST(N'y' AS nvarchar(max)), CAST(0x01 AS varbinary(max))"),
      "x|y|0x01");
  EXPECT_EQ(value("SELECT CAST('t' AS text), CAST('u' AS ntext), CAST(0x02 AS image), CAST('<a/>' AS xml)"),
            "t|u|0x02|<a/>");
  EXPECT_EQ(value("SELECT CAST(0x0102 AS binary(4)), CAST(1 AS varbinary(8)), CAST(NULL AS date), CAST(5 AS "
                  "varchar)"),
            "0x01020000|0x00000001|NULL|5");
  EXPECT_EQ(value("SELECT CONVERT(int, '42')"), "42");
  EXPECT_NE(run("SELECT CAST('x' AS int)").find("does not convert"), std::string::npos);
  EXPECT_NE(run("SELECT CAST(300 AS tinyint)").find("ERROR 50000"), std::string::npos);
  EXPECT_NE(run("SELECT CAST(1 AS frobnitz)").find("the type is not known here"), std::string::npos);
}

TEST_F(server_statements, replicate) {
  EXPECT_EQ(
      value("SELECT REPLICATE('ab', 3), REPLICATE(N'\xC3\xA4', 2), REPLICATE('x', 0), REPLICATE('x', -1)"),
      "ababab|\xC3\xA4\xC3\xA4||NULL");
  EXPECT_EQ(value("SELECT REPLICATE('x', 100000)").size(), 8000U);
  EXPECT_EQ(value("SELECT REPLICATE(N'x', 100000)").size(), 4000U);
  EXPECT_EQ(value("SELECT REPLICATE(CAST('x' AS varchar(max)), 100000)"), std::string(100000, 'x'));
  EXPECT_EQ(value("SELECT 1, REPLICATE(CAST(N'yz' AS nvarchar(max)), 50000), 'end'"), [] {
    std::string text;
    for (int i = 0; i < 50000; ++i) text += "yz";
    return "1|" + text + "|end";
  }());
  EXPECT_NE(run("SELECT REPLICATE(CAST('x' AS varchar(max)), 3000000000)").find("longer than 2 GB"),
            std::string::npos);
}

TEST_F(server_statements, a_result_of_many_megabytes) {
  const std::string words = value("SELECT REPLICATE(CAST('x' AS varchar(max)), 20000000)");
  EXPECT_EQ(words.size(), 20'000'000U);
  EXPECT_EQ(words.find_first_not_of('x'), std::string::npos);
}

TEST_F(server_statements, tables) {
  EXPECT_EQ(run("SELECT TOP 2 * FROM int_rows"),
            "COLMETADATA c1:int4 c2:int4 c3:int4 c4:int4 c5:int4 c6:int4 c7:int4 c8:int4 c9:int4 c10:int4\n"
            "ROW 1|2|3|4|5|6|7|8|9|10\nROW 11|12|13|14|15|16|17|18|19|20\nDONE COUNT 2\n");
  EXPECT_EQ(
      run("SELECT TOP (3) * FROM mixed_rows"),
      "COLMETADATA id:int4 big:intn flag:bitn price:decimaln ratio:fltn name:nvarchar code:bigvarchar "
      "created:datetime2n day:daten data:bigvarbinary\n"
      "ROW 0|0|0|0.0000|0|n\xC3\xA4me 0|code-0|2024-01-01 00:00:00.0000000|2024-01-01|0x00\n"
      "ROW 1|1000000007|1|1.0001|0.125|n\xC3\xA4me 1|code-1|2024-01-02 00:00:00.1234567|2024-01-02|0x0102\n"
      "ROW 2|2000000014|0|-2.0002|0.25|n\xC3\xA4me 2|code-2|2024-01-03 00:00:00.2469134|2024-01-03|NULL\n"
      "DONE COUNT 3\n");
  const std::string sparse = run("SELECT TOP 1 * FROM sparse_rows");
  EXPECT_NE(sparse.find("\nNBCROW 0|NULL|NULL"), std::string::npos);
  EXPECT_NE(run("SELECT * FROM wide_rows").find("DONE COUNT 1000"), std::string::npos);
  EXPECT_NE(run("SELECT TOP 100000 * FROM int_rows").find("ROW 999991|"), std::string::npos);
  EXPECT_NE(run("SELECT TOP 0 * FROM int_rows").find("DONE COUNT 0"), std::string::npos);
  EXPECT_NE(run("SELECT * FROM nowhere").find("the table nowhere is not known here"), std::string::npos);
}

TEST_F(server_statements, several_results) {
  EXPECT_EQ(run("SELECT 1; SELECT 2\nSELECT 3 x SELECT 4"),
            "COLMETADATA :int4\nROW 1\nDONE MORE|COUNT 1\nCOLMETADATA :int4\nROW 2\nDONE MORE|COUNT 1\n"
            "COLMETADATA x:int4\nROW 3\nDONE MORE|COUNT 1\nCOLMETADATA :int4\nROW 4\nDONE COUNT 1\n");
  EXPECT_EQ(run(""), "DONE FINAL\n");
  EXPECT_EQ(run(";;-- nothing"), "DONE FINAL\n");
}

TEST_F(server_statements, messages_and_errors) {
  EXPECT_EQ(run("PRINT 'hello'"), "INFO 0 0 1 hello\nDONE FINAL\n");
  EXPECT_EQ(run("RAISERROR('low', 10, 3); SELECT 1"),
            "INFO 50000 10 3 low\nDONE MORE\nCOLMETADATA :int4\nROW 1\nDONE COUNT 1\n");
  EXPECT_EQ(run("SELECT 1; RAISERROR(N'bad', 16, 2) WITH NOWAIT; SELECT 2"),
            "COLMETADATA :int4\nROW 1\nDONE MORE|COUNT 1\nERROR 50000 16 2 bad\nDONE MORE|ERROR\n"
            "COLMETADATA :int4\nROW 2\nDONE COUNT 1\n");
  EXPECT_EQ(run("THROW 51000, 'gone', 4; SELECT 1"), "ERROR 51000 16 4 gone\nDONE ERROR\n");
  EXPECT_EQ(run("RAISERROR('fatal', 20, 1) WITH LOG"), "ERROR 50000 20 1 fatal\nDONE ERROR\n");
  EXPECT_TRUE(client.ends());
}

TEST_F(server_statements, what_is_not_known_is_said) {
  EXPECT_EQ(
      run("DROP TABLE x"),
      "ERROR 50000 16 1 The embedded server does not know this statement: 'DROP TABLE x'\nDONE ERROR\n");
  EXPECT_EQ(
      run("SELECT 1\nSELECT name\nFROM sys.objects"),
      "COLMETADATA :int4\nROW 1\nDONE MORE|COUNT 1\n"
      "ERROR 50000 16 1 The embedded server does not know this statement (it is no expression known here): "
      "'SELECT name FROM sys.objects'\nDONE ERROR\n");
  EXPECT_NE(run("SELECT 1 + 1").find("ERROR"), std::string::npos);
  EXPECT_NE(run("SELECT 'x").find("ERROR"), std::string::npos);
  EXPECT_NE(run("SELECT " + std::string(100, '(') + "1").find("nested too deeply"), std::string::npos);
  EXPECT_EQ(run("SELECT 1"), "COLMETADATA :int4\nROW 1\nDONE COUNT 1\n");
}

TEST_F(server_statements, what_drivers_send_after_a_login_is_accepted) {
  EXPECT_EQ(run("SET TEXTSIZE 64512"), "DONE FINAL\n");
  EXPECT_EQ(run("set ansi_nulls on\nset ansi_padding on\nset transaction isolation level read committed"),
            "DONE MORE\nDONE MORE\nDONE FINAL\n");
  EXPECT_EQ(run("SET LOCK_TIMEOUT -1; SET ROWCOUNT 0"), "DONE MORE\nDONE FINAL\n");
  EXPECT_EQ(
      run("USE [other]"),
      "ENVCHANGE database other <- master\nINFO 5701 0 2 Changed database context to 'other'.\nDONE FINAL\n");
  EXPECT_EQ(value("SELECT DB_NAME()"), "other");
  EXPECT_EQ(run("SET LANGUAGE Deutsch"),
            "ENVCHANGE language Deutsch <- us_english\nINFO 5703 0 1 Changed language setting to "
            "Deutsch.\nDONE FINAL\n");
  EXPECT_EQ(client.batch("SELECT DB_NAME()", 0x08),
            "ENVCHANGE database master <- other\nENVCHANGE language us_english <- Deutsch\nENVCHANGE "
            "reset_completed\n"
            "COLMETADATA :nvarchar\nROW master\nDONE COUNT 1\n");
}

TEST_F(server_statements, transactions_come_and_go) {
  EXPECT_EQ(run("BEGIN TRAN"), "ENVCHANGE begin_transaction\nDONE FINAL\n");
  EXPECT_EQ(run("BEGIN TRANSACTION x"), "DONE FINAL\n");
  EXPECT_EQ(value("SELECT @@TRANCOUNT"), "2");
  EXPECT_EQ(run("COMMIT"), "DONE FINAL\n");
  EXPECT_EQ(run("IF @@TRANCOUNT > 0 COMMIT TRAN"), "ENVCHANGE commit_transaction\nDONE FINAL\n");
  EXPECT_EQ(run("IF @@TRANCOUNT > 0 COMMIT TRAN"), "DONE FINAL\n");
  EXPECT_EQ(run("BEGIN TRAN ROLLBACK"),
            "ENVCHANGE begin_transaction\nDONE MORE\nENVCHANGE rollback_transaction\nDONE FINAL\n");
  EXPECT_NE(run("ROLLBACK").find("ERROR 3903"), std::string::npos);
}

TEST_F(server_statements, older_clients_get_types_they_know) {
  auto old = raw_client::logged_in(shared->port(), tds_version::v7_1);
  EXPECT_EQ(
      old.batch("SELECT CAST('2024-02-29' AS date) d, CAST('x' AS varchar(max)) v, CAST('<a/>' AS xml) x"),
      "COLMETADATA d:nvarchar v:text x:ntext\nROW 2024-02-29|x|<a/>\nDONE COUNT 1\n");
  EXPECT_NE(old.batch("SELECT REPLICATE(CAST('x' AS varchar(max)), 100000)")
                .find("ROW " + std::string(100000, 'x')),
            std::string::npos);
  EXPECT_NE(old.batch("SELECT TOP 2 * FROM mixed_rows").find("created:nvarchar day:nvarchar"),
            std::string::npos);
  auto oldest = raw_client::logged_in(shared->port(), tds_version::v7_0);
  EXPECT_EQ(oldest.batch("SELECT CAST(5 AS bigint) a"), "COLMETADATA a:decimaln\nROW 5\nDONE COUNT 1\n");
}

TEST_F(server_statements, a_delay_takes_its_time_and_nothing_else_waits) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  client.send_batch("WAITFOR DELAY '00:00:00.200'; SELECT 1");
  auto other = raw_client::logged_in(shared->port());
  EXPECT_EQ(other.batch("SELECT 2"), "COLMETADATA :int4\nROW 2\nDONE COUNT 1\n");
  EXPECT_EQ(client.answer(), "DONE MORE\nCOLMETADATA :int4\nROW 1\nDONE COUNT 1\n");
  EXPECT_GE(clock::now() - start, std::chrono::milliseconds{200});
}

TEST_F(server_statements, a_batch_padded_with_megabytes_of_comment) {
  EXPECT_EQ(run("SELECT 1 /*" + std::string(4'000'000, 'x') + "*/"),
            "COLMETADATA :int4\nROW 1\nDONE COUNT 1\n");
}

}  // namespace
}  // namespace component
