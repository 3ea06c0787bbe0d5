// SPDX-License-Identifier: BSL-1.0
// Runs a fuzz target over files instead of under libFuzzer: fuzz_x FILE|FOLDER... Each input lies in a buffer
// of its exact size, so that AddressSanitizer sees a read past its end.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs_of(const fs::path& given) {
  std::vector<fs::path> found;
  if (fs::is_directory(given)) {
    for (const auto& entry : fs::recursive_directory_iterator(given)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
  } else if (fs::is_regular_file(given)) {
    found.push_back(given);
  }
  return found;
}

std::optional<std::vector<std::uint8_t>> load(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string raw{std::istreambuf_iterator<char>(file), {}};
  return std::vector<std::uint8_t>(raw.begin(), raw.end());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : inputs_of(argv[i])) {
      const auto input = load(path);
      if (!input) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return 2;
      }
      std::fprintf(stderr, "%s\n", path.c_str());  // the last line names the culprit when the target aborts
      LLVMFuzzerTestOneInput(input->data(), input->size());
      ++count;
    }
  }
  std::fprintf(stderr, "%zu inputs replayed\n", count);
  return count != 0 ? 0 : 2;  // an empty corpus tests nothing and must not pass
}
