// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/connect_rules.hpp>

namespace wire::diagnose::rules {
namespace {

using purpose = remedy::purpose;
using system = remedy::system;

struct host_and_port {
  std::string host, port;
};

/// Of "10.0.0.7:1433" or "[fe80::1]:1433".
host_and_port split(const std::string& address) {
  const auto colon = address.rfind(':');
  auto host = address.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return {host, colon == address.npos ? "1433" : address.substr(colon + 1)};
}

}  // namespace

std::vector<remedy> resolver_remedies() {
  return {
      {purpose::check, system::linux_os, "time getent ahosts SERVER",
       "how long the resolver takes; several times, for it may be one query in many"},
      {purpose::check, system::linux_os,
       "for s in $(awk '/^nameserver/{print $2}' /etc/resolv.conf); do dig +tries=1 +time=2 @$s SERVER; done",
       "which name server does not answer"},
      {purpose::check, system::windows_os, "Measure-Command { Resolve-DnsName SERVER -DnsOnly -NoHostsFile }",
       "how long the resolver takes (Clear-DnsClientCache before)"},
      {purpose::check, system::windows_os, "Get-DnsClientServerAddress",
       "the name servers in their order; ask each: Resolve-DnsName SERVER -Server ADDRESS"},
      {purpose::mend, system::linux_os, "echo 'options single-request-reopen timeout:1' >> /etc/resolv.conf",
       "asks for A and AAAA one after the other, each from a port of its own, where a firewall loses one of "
       "two queries, and again after 1 s in place of 5; whoever manages this file must be told"},
      {purpose::mend, system::linux_os, "echo 'ADDRESS SERVER' >> /etc/hosts", "needs no name server at all"},
      {purpose::mend, system::windows_os,
       "Set-DnsClientServerAddress -InterfaceAlias Ethernet0 -ServerAddresses ADDRESS,ADDRESS",
       "without the name server that does not answer"},
      {purpose::mend, system::windows_os,
       "Add-Content $env:SystemRoot\\System32\\drivers\\etc\\hosts 'ADDRESS SERVER'",
       "needs no name server at all"},
      {purpose::mend, system::any, "",
       "give the name in full (server.example.com): a short one is tried with each search domain first"},
  };
}

std::vector<remedy> syn_loss_remedies() {
  return {
      {purpose::check, system::linux_os, "tcpdump -ni any 'tcp port 1433 and tcp[tcpflags] & tcp-syn != 0'",
       "on both ends while a client connects: where the SYN, or its answer, is lost"},
      {purpose::check, system::windows_os, "pktmon filter add -p 1433; pktmon start --capture",
       "likewise; pktmon stop ends it and pktmon etl2pcap makes a file for Wireshark"},
      {purpose::check, system::linux_os, "nstat -az TcpExtListenOverflows TcpExtListenDrops",
       "on the server, before and after: new connections that it dropped because their queue was full"},
      {purpose::check, system::linux_os, "conntrack -S",
       "on a Linux firewall in between: drop and insert_failed grow when its table is full"},
      {purpose::mend, system::any, "",
       "keep connections in a pool: who connects rarely loses few SYNs; mend the firewall or balancer that "
       "drops them"},
      {purpose::mend, system::linux_os, "sysctl -w net.core.somaxconn=4096",
       "on a Linux server whose queue overflows, with a backlog of that size in the program that listens"},
      {purpose::mend, system::windows_os, "Set-NetTCPSetting -SettingName InternetCustom -InitialRtoMs 1000",
       "on the client: sends the SYN again after 1 s and not after 3"},
  };
}

std::vector<remedy> dead_address_remedies(const std::string& address) {
  const auto [host, port] = split(address);
  return {
      {purpose::check, system::windows_os, "Test-NetConnection " + host + " -Port " + port,
       "whether this address ever answers"},
      {purpose::check, system::linux_os, "nc -vz -w 3 " + host + " " + port, "likewise"},
      {purpose::mend, system::any, "MultiSubnetFailover=True",
       "in the connection string: all addresses are tried at once (SqlClient, ODBC, JDBC)"},
      {purpose::mend, system::any, "TransparentNetworkIPResolution=False",
       "in the connection string of SqlClient on .NET Framework, whose trial of the first address alone "
       "takes "
       "500 ms and more; then one address after the other"},
      {purpose::mend, system::windows_os,
       "Get-ClusterResource LISTENER | Set-ClusterParameter RegisterAllProvidersIP 0",
       "on the cluster of an availability group: only the address in use is in DNS; take the listener "
       "offline "
       "and online after it"},
      {purpose::mend, system::windows_os, "Resolve-DnsName SERVER",
       "what DNS holds; have the record of " + host + " removed if nobody lives there any more"},
      {purpose::mend, system::linux_os, "echo 'ADDRESS SERVER' >> /etc/hosts",
       "on the client, with the address that answers, until DNS is right"},
  };
}

std::vector<remedy> tls_remedies() {
  return {
      {purpose::check, system::windows_os, "certutil -verify -urlfetch server.cer",
       "on the machine that checks a certificate: which revocation list or issuer it cannot fetch, and how "
       "long "
       "it tries"},
      {purpose::check, system::windows_os, "typeperf \"\\Processor(_Total)\\% Processor Time\" -sc 20",
       "on the server: a handshake is the most computing that a connection costs"},
      {purpose::check, system::linux_os, "vmstat 1", "likewise on a Linux server"},
      {purpose::mend, system::any, "",
       "let the machines that check certificates reach the revocation lists named in them, or use "
       "certificates "
       "of an issuer whose lists they reach"},
      {purpose::mend, system::any, "Pooling=True;Min Pool Size=5",
       "in the connection string: fewer handshakes"},
  };
}

std::vector<remedy> login_remedies() {
  return {
      {purpose::check, system::any,
       "SELECT CAST(record AS xml) FROM sys.dm_os_ring_buffers WHERE ring_buffer_type = "
       "'RING_BUFFER_CONNECTIVITY'",
       "on the server: slow and failed logins with the server's own timers"},
      {purpose::check, system::any,
       "SELECT wait_type, wait_time_ms, waiting_tasks_count FROM sys.dm_os_wait_stats WHERE wait_type LIKE "
       "'PREEMPTIVE_OS_AUTH%' OR wait_type = 'THREADPOOL'",
       "on the server, before and after: time spent asking the directory, and waiting for a worker thread"},
      {purpose::check, system::any, "SELECT name FROM sys.server_triggers WHERE is_disabled = 0",
       "on the server: logon triggers run inside every login"},
      {purpose::check, system::linux_os, "vmstat 1",
       "on a Linux server, at such a moment: column r, programs that want a processor"},
      {purpose::check, system::windows_os, "nltest /dsgetdc:DOMAIN",
       "on the server, for Windows logins: which domain controller it asks, and whether that is near"},
      {purpose::mend, system::any, "Pooling=True;Min Pool Size=5", "in the connection string: fewer logins"},
  };
}

}  // namespace wire::diagnose::rules
