// SPDX-License-Identifier: BSL-1.0
// Runs one batch through tedious: a job as JSON on standard input, what came of it as JSON on standard output.
'use strict';
const fs = require('fs');
const { Connection, Request } = require('tedious');

const job = JSON.parse(fs.readFileSync(0, 'utf8'));
const out = { login: null, error: null, rows: [], infos: [], after: null };

function plain(column) {
  const { value } = column;
  if (Buffer.isBuffer(value)) return '0x' + value.toString('hex').toUpperCase();
  if (value instanceof Date) return value.toISOString() + '+' + Math.round((value.nanosecondsDelta || 0) * 1e7);
  return value;
}

const options = {
  port: job.port,
  encrypt: job.encrypt,
  trustServerCertificate: job.encrypt === true,
  serverName: 'localhost',
  tdsVersion: job.version || '7_4',
  textsize: 200000,
};
if (job.encrypt === 'strict') options.cryptoCredentialsDetails = { ca: fs.readFileSync(job.certificate) };
const connection = new Connection({
  server: 'localhost',
  options,
  authentication: { type: 'default', options: { userName: 'sa', password: job.password } },
});

function finish() {
  connection.close();
  process.stdout.write(JSON.stringify(out));
}

function run(sql, rows, then) {
  const request = new Request(sql, then);
  request.on('row', (columns) => rows.push(columns.map(plain)));
  connection.execSqlBatch(request);
  return request;
}

connection.connect((failed) => {
  if (failed) {
    out.login = { code: failed.code, message: failed.message };
    return finish();
  }
  connection.on('infoMessage', (message) => out.infos.push(message.message));
  const request = run(job.sql, out.rows, (error) => {
    if (error) out.error = { code: error.code, number: error.number, severity: error.class, message: error.message };
    out.after = [];
    run('SELECT 7', out.after, finish);  // the connection is still good
  });
  if (job.cancel) setTimeout(() => request.cancel(), job.cancel);
});
