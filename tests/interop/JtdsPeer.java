// SPDX-License-Identifier: BSL-1.0
// Runs batches through jTDS, one connection each: jobs on standard input, one a line, fields separated by tabs; what came of
// each as one line of JSON on standard output. Started from its source: java -cp jtds.jar JtdsPeer.java
//
// A job: URL, password, what to do (batch, cancel, first_row, rollback), SQL.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

public class JtdsPeer {
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < 0x20 || c == '"' || c == '\\' || c > 0x7e) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  static String json(Object value) {
    if (value == null) return "null";
    if (value instanceof Boolean || value instanceof Integer || value instanceof Long || value instanceof Short) {
      return value.toString();
    }
    if (value instanceof byte[]) {
      StringBuilder hex = new StringBuilder("0x");
      for (byte b : (byte[]) value) hex.append(String.format("%02X", b));
      return quoted(hex.toString());
    }
    return quoted(value.toString());
  }

  static String row(ResultSet from) throws SQLException {
    List<String> cells = new ArrayList<>();
    for (int i = 1; i <= from.getMetaData().getColumnCount(); ++i) {
      Object value = from.getObject(i);
      cells.add(json(value instanceof java.sql.Clob ? from.getString(i) : value));
    }
    return "[" + String.join(",", cells) + "]";
  }

  static String error(SQLException e) {
    return "{\"number\":" + e.getErrorCode() + ",\"message\":" + quoted(String.valueOf(e.getMessage())) + "}";
  }

  static String warnings(Statement of) throws SQLException {
    List<String> out = new ArrayList<>();
    for (SQLWarning w = of.getWarnings(); w != null; w = w.getNextWarning()) out.add(quoted(w.getMessage()));
    return "[" + String.join(",", out) + "]";
  }

  static List<String> results(Statement of, String sql, boolean firstRowOnly) throws SQLException {
    List<String> rows = new ArrayList<>();
    boolean more = of.execute(sql);
    while (more || of.getUpdateCount() != -1) {
      if (more) {
        try (ResultSet found = of.getResultSet()) {
          while (found.next()) {
            rows.add(row(found));
            if (firstRowOnly) return rows;
          }
        }
      }
      more = of.getMoreResults();
    }
    return rows;
  }

  static String run(String url, String password, String kind, String sql) {
    List<String> rows = new ArrayList<>();
    String failed = "null";
    String said = "[]";
    String after = "null";
    Properties who = new Properties();
    who.setProperty("user", "sa");
    who.setProperty("password", password);
    // Not through DriverManager, which does not give a class of the source launcher what another loader loaded.
    try (Connection connection = new net.sourceforge.jtds.jdbc.Driver().connect(url, who)) {
      try (Statement statement = connection.createStatement()) {
        if (kind.equals("cancel")) {
          new Thread(() -> {
            try {
              Thread.sleep(300);
              statement.cancel();
            } catch (Exception e) {
              throw new RuntimeException(e);
            }
          }).start();
        }
        if (kind.equals("rollback")) connection.setAutoCommit(false);
        try {
          rows = results(statement, sql, kind.equals("first_row"));
          said = warnings(statement);
          if (kind.equals("rollback")) connection.rollback();
        } catch (SQLException e) {
          failed = error(e);
        }
      }
      try (Statement statement = connection.createStatement()) {
        after = results(statement, "SELECT 7", false).toString();  // the connection is still good
      }
    } catch (SQLException e) {
      failed = error(e);
    }
    return "{\"rows\":" + rows + ",\"error\":" + failed + ",\"infos\":" + said + ",\"after\":" + after + "}";
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
      String[] job = line.split("\t", 4);
      out.println(run(job[0], job[1], job[2], job[3]));
    }
  }
}
