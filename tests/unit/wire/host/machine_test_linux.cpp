// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/machine_linux.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

using namespace wire::host;
namespace fs = std::filesystem;

/// A machine's /proc and /sys in a folder of its own.
class FakeMachine : public testing::Test {
 protected:
  FakeMachine()
      : root_{
            fs::path{testing::TempDir()} /
            ("wiregap_host_" + std::string{testing::UnitTest::GetInstance()->current_test_info()->name()})} {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~FakeMachine() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream{root_ / path} << text;
  }

  fs::path root_;
};

TEST_F(FakeMachine, WithoutFilesEverythingIsAbsent) {
  const auto machine = detail::read_machine(root_);
  EXPECT_FALSE(machine.kernel.known());
  EXPECT_FALSE(machine.steal_percent.known());
  EXPECT_FALSE(machine.idle_exit_us.known());
  const auto tcp = detail::read_tcp(root_);
  EXPECT_FALSE(tcp.sack.known());
  EXPECT_TRUE(tcp.sack.source.empty());
  EXPECT_FALSE(tcp.forwarding_ipv4.known());
}

TEST_F(FakeMachine, ReadsTheMachine) {
  put("proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
  put("sys/class/dmi/id/product_name", "VMware20,1\n");
  put("sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
  put("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n");
  put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  const auto machine = detail::read_machine(root_);
  EXPECT_EQ(machine.kernel.value, "6.1.0-13-amd64");
  EXPECT_EQ(machine.kernel.source, "/proc/sys/kernel/osrelease");
  EXPECT_EQ(machine.product.value, "VMware20,1");
  EXPECT_EQ(machine.vendor.value, "VMware, Inc.");
  EXPECT_EQ(machine.cpu_governor.value, "powersave");
  EXPECT_EQ(machine.clocksource.value, "tsc");
}

TEST_F(FakeMachine, TheDeepestIdleStateInUseCounts) {
  const std::string folder = "sys/devices/system/cpu/cpu0/cpuidle/";
  put(folder + "state0/latency", "0\n");
  put(folder + "state0/disable", "0\n");
  put(folder + "state1/latency", "33\n");
  put(folder + "state1/disable", "0\n");
  put(folder + "state2/latency", "133\n");
  put(folder + "state2/disable", "1\n");
  EXPECT_EQ(detail::read_machine(root_).idle_exit_us.value, 33U);
}

/// Of the time that the machine wanted to run: idle and waiting for disks do not count.
TEST_F(FakeMachine, StealIsAShareOfTheTimeWanted) {
  put("proc/stat", "cpu  60 0 30 100000 5000 0 0 10 0 0\ncpu0 60 0 30 100000 5000 0 0 10 0 0\n");
  EXPECT_DOUBLE_EQ(detail::read_machine(root_).steal_percent.value.value_or(-1), 10);
  put("proc/stat", "cpu  1 2 3\n");
  EXPECT_FALSE(detail::read_machine(root_).steal_percent.known());
  put("proc/stat", "cpu  0 0 0 0 0 0 0 0\n");
  EXPECT_FALSE(detail::read_machine(root_).steal_percent.known());
}

TEST_F(FakeMachine, ReadsTcp) {
  const std::string ipv4 = "proc/sys/net/ipv4/";
  put(ipv4 + "tcp_congestion_control", "cubic\n");
  put(ipv4 + "tcp_sack", "0\n");
  put(ipv4 + "tcp_rmem", "4096\t131072\t6291456\n");
  put(ipv4 + "tcp_wmem", "4096\n");
  put(ipv4 + "ip_forward", "1\n");
  put(ipv4 + "tcp_early_retrans", "three\n");
  const auto tcp = detail::read_tcp(root_);
  EXPECT_EQ(tcp.congestion_control.value, "cubic");
  EXPECT_EQ(tcp.sack.value, 0U);
  EXPECT_EQ(tcp.rmem_default.value, 131072U);
  EXPECT_EQ(tcp.rmem_max.value, 6291456U);
  EXPECT_FALSE(tcp.wmem_max.known());
  EXPECT_EQ(tcp.forwarding_ipv4.value, true);
  EXPECT_FALSE(tcp.early_retrans.known());
  EXPECT_FALSE(tcp.rto_min_us.known());
}

TEST_F(FakeMachine, ReadsTheAdapterOfTheSameIndexOnly) {
  put("sys/class/net/eth0/ifindex", "4\n");
  fs::create_directories(root_ / "sys/class/net/eth0/device");
  fs::create_symlink("../../../bus/virtio/drivers/virtio_net", root_ / "sys/class/net/eth0/device/driver");
  fs::create_symlink("../../../bus/virtio", root_ / "sys/class/net/eth0/device/subsystem");
  network_interface device;
  device.name = "eth0";
  device.index = 3;  // in another network namespace
  detail::read_adapter(root_, device);
  EXPECT_FALSE(device.driver.known());
  device.index = 4;
  detail::read_adapter(root_, device);
  EXPECT_EQ(device.driver.value, "virtio_net");
  EXPECT_EQ(device.driver.source, "/sys/class/net/eth0/device/driver");
  EXPECT_EQ(device.bus.value, "virtio");
}

}  // namespace
