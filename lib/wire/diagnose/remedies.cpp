// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/remedies.hpp>

namespace wire::diagnose {
namespace {

using purpose = remedy::purpose;
using system = remedy::system;

}  // namespace

std::vector<remedy> coalescing_remedies(const std::string& where) {
  const auto on = "on " + where + ": ";
  return {
      {purpose::check, system::windows_os, "netsh int tcp show global",
       on + "the line \"Receive Segment Coalescing State\" says whether coalescing (RSC) is on for the "
            "machine"},
      {purpose::check, system::windows_os,
       "Get-NetAdapterRsc | ft Name,IPv4Enabled,IPv4OperationalState,IPv4FailureReason",
       on + "the same per adapter, and whether it is really at work; FailureReason NDISCompatibility means "
            "that an "
            "old filter or capture driver has turned it off"},
      {purpose::mend, system::windows_os, "netsh int tcp set global rsc=disabled",
       on + "turns coalescing off at once, without a restart; undo with rsc=enabled"},
      {purpose::mend, system::windows_os, "Set-NetOffloadGlobalSetting -ReceiveSegmentCoalescing Disabled",
       on + "the same from PowerShell; the global switch overrides those of the adapters"},
      {purpose::mend, system::windows_os, "Disable-NetAdapterRsc -Name \"Ethernet0\"",
       on + "for one adapter only; takes it down for a moment"},
      {purpose::mend, system::windows_os,
       "reg add HKLM\\SYSTEM\\CurrentControlSet\\Services\\Afd\\Parameters /v IgnorePushBitOnReceives /t "
       "REG_DWORD "
       "/d 1 /f",
       on + "hands received bytes over without waiting for PSH; needs a restart; only when coalescing must "
            "stay on"},
      {purpose::check, system::esxi, "esxcli system settings advanced list -o /Net/Vmxnet3HwLRO",
       "on the host of " + where + ": whether vmxnet3 coalesces in hardware; likewise /Net/Vmxnet3SwLRO"},
      {purpose::mend, system::esxi, "esxcli system settings advanced set -o /Net/Vmxnet3HwLRO -i 0",
       "on the host of " + where + ": turns it off for all its machines; restart the host"},
      {purpose::mend, system::esxi, "esxcli system settings advanced set -o /Net/Vmxnet3SwLRO -i 0",
       "likewise for coalescing in software"},
      {purpose::mend, system::esxi, "",
       "update the hypervisor: coalescing that loses PSH is its fault and was mended (seen with ESXi 6.0, "
       "virtual "
       "hardware version 11, vmxnet3)"},
      {purpose::check, system::linux_os, "ethtool -k eth0 | grep large-receive-offload",
       on +
           "whether the adapter coalesces (LRO); matters where this machine forwards to the one that stalls"},
      {purpose::mend, system::linux_os, "ethtool -K eth0 lro off",
       on + "turns it off until the next restart"},
  };
}

std::vector<remedy> delayed_ack_remedies() {
  return {
      {purpose::mend, system::any, "",
       "set TCP_NODELAY at the end that sends in pieces, and hand each message to TCP in one write"},
      {purpose::check, system::windows_os,
       "Get-NetTCPSetting | ft SettingName,DelayedAckTimeoutMs,DelayedAckFrequency",
       "how long this Windows delays its ACK"},
      {purpose::mend, system::windows_os,
       "Set-NetTCPSetting -SettingName InternetCustom -DelayedAckTimeoutMs 10 -DelayedAckFrequency 1",
       "at the receiving end: ACK at once"},
      {purpose::mend, system::linux_os, "ip route change default via GATEWAY quickack 1",
       "at the receiving end: ACK at once (keep the rest of the route as `ip route` shows it)"},
  };
}

std::vector<remedy> retransmission_remedies() {
  return {
      {purpose::check, system::linux_os, "nstat -az TcpRetransSegs TcpExtTCPTimeouts TcpExtTCPLossProbes",
       "before and after a run, at both ends: counts what was sent again"},
      {purpose::check, system::windows_os, "netstat -s -p tcp",
       "before and after a run, at both ends: \"Segments Retransmitted\""},
      {purpose::check, system::linux_os, "ethtool -S eth0 | grep -iE 'drop|err|discard|miss'",
       "where the adapter loses packets"},
      {purpose::check, system::windows_os, "Get-NetAdapterStatistics | fl Name,*Discarded*,*Errors*",
       "likewise; on vmxnet3, raise Rx Ring #1 Size and Small Rx Buffers when packets are discarded"},
  };
}

std::vector<remedy> path_mtu_remedies() {
  return {
      {purpose::check, system::linux_os, "ping -M do -s 1472 SERVER",
       "whether a full Ethernet packet gets through unfragmented; lower the size until it does"},
      {purpose::check, system::windows_os, "ping -f -l 1472 SERVER", "likewise"},
      {purpose::mend, system::linux_os, "sysctl -w net.ipv4.tcp_mtu_probing=1",
       "lets TCP find the size that gets through"},
      {purpose::mend, system::linux_os, "ip link set dev eth0 mtu 1400",
       "or send smaller packets from the start"},
      {purpose::mend, system::windows_os,
       "netsh interface ipv4 set subinterface \"Ethernet0\" mtu=1400 store=persistent", "likewise"},
  };
}

std::vector<remedy> path_delay_remedies() {
  return {
      {purpose::check, system::linux_os, "mtr -n -T -P 1433 SERVER", "where on the way the time passes"},
      {purpose::check, system::windows_os, "Test-NetConnection SERVER -Port 1433 -TraceRoute", "likewise"},
      {purpose::mend, system::any, "",
       "fewer round trips: several statements a batch, rows in sets and not one by one, a client nearer to "
       "the "
       "server; on Azure, the connection policy Redirect saves the gateway"},
  };
}

std::vector<remedy> scheduling_remedies() {
  return {
      {purpose::check, system::linux_os, "vmstat 1",
       "column r: programs that want a processor; st: what the hypervisor took"},
      {purpose::check, system::windows_os,
       "typeperf \"\\System\\Processor Queue Length\" \"\\Hyper-V Hypervisor Virtual Processor(*)\\CPU Wait "
       "Time Per "
       "Dispatch\"",
       "likewise; on VMware, CPU Ready and Co-Stop of this machine in vCenter"},
      {purpose::mend, system::esxi, "",
       "reserve CPU for this machine or take other load off its host; latency sensitivity High for what must "
       "answer at once; keep migrations and snapshots out of busy hours"},
      {purpose::mend, system::windows_os, "powercfg -setactive SCHEME_MIN", "power plan High performance"},
      {purpose::mend, system::linux_os, "cpupower idle-set -D 0", "no deep sleep of processors"},
  };
}

std::vector<remedy> late_read_remedies() {
  return {
      {purpose::mend, system::any, "",
       "keep the thread that reads free: no blocking work in its handlers, enough threads in its pool"},
      {purpose::check, system::linux_os, "ss -tmi dst SERVER",
       "at such a moment: Recv-Q holds what the program has not read"},
      {purpose::check, system::windows_os, "netsh trace start scenario=NetConnection capture=no",
       "event tracing of TCP: when data were indicated and when the program's receive completed"},
  };
}

std::vector<remedy> server_work_remedies() {
  return {
      {purpose::check, system::any,
       "SELECT session_id, status, command, wait_type, wait_time, blocking_session_id FROM "
       "sys.dm_exec_requests "
       "WHERE session_id > 50",
       "on the server, at such a moment: what it waits for and who blocks it"},
      {purpose::check, system::any,
       "SELECT TOP 10 wait_type, wait_time_ms, waiting_tasks_count FROM sys.dm_os_wait_stats ORDER BY "
       "wait_time_ms "
       "DESC",
       "before and after a run: which waits grew"},
      {purpose::check, system::any, "",
       "the server machine's own CPU ready and steal time: a machine that is held up looks like work"},
  };
}

std::vector<remedy> zero_window_remedies() {
  return {
      {purpose::check, system::any,
       "SELECT scheduler_id, runnable_tasks_count, work_queue_count FROM sys.dm_os_schedulers WHERE status = "
       "'VISIBLE ONLINE'",
       "on the server: tasks that wait for a processor or a worker thread"},
      {purpose::check, system::linux_os, "ss -tmi dst SERVER",
       "at such a moment: rwnd_limited grows; the server has not read"},
      {purpose::mend, system::windows_os, "netsh int tcp set global autotuninglevel=normal",
       "on the server: a receive window that grows (a fixed one of 64 KB closes soon)"},
  };
}

std::vector<remedy> host_wide_remedies() {
  return {
      {purpose::check, system::esxi, "esxtop", "on the server's host: CPU Ready and Co-Stop of its machine"},
      {purpose::check, system::any, "",
       "the hypervisor's events (migration, snapshot, backup) and the switches' counters at these moments"},
      {purpose::check, system::linux_os, "vmstat 1",
       "on the server: column st, time that the hypervisor took"},
      {purpose::mend, system::any, "",
       "keep migrations, snapshots and backups of the server's machine out of busy hours; reserve its CPU "
       "and "
       "memory"},
  };
}

}  // namespace wire::diagnose
