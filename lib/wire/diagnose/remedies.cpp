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

}  // namespace wire::diagnose
