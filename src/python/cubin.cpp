#include "python/cubin.h"

#include <cstring>
#include <optional>
#include <vector>

namespace tritonrl::python {
namespace {

// ELF-64, little end first, as far as it is needed. Fields are copied out: nothing is known of their alignment.
constexpr std::string_view kMagic(
    "\x7f"
    "ELF\x02\x01",
    6);
constexpr std::uint16_t kCudaMachine = 190;
constexpr std::size_t kHeaderBytes = 64, kSectionBytes = 64, kSymbolBytes = 24;
constexpr std::uint32_t kNoBits = 8, kSymbolTable = 2;

// .nv.info: a format byte, an attribute byte, and for format 4 a 16-bit length and that many bytes.
constexpr std::uint8_t kSizedFormat = 4;
constexpr std::uint8_t kFrameSize = 0x11, kRegisterCount = 0x2f;

constexpr int kMaxRegisters = 255;
constexpr std::int64_t kMaxStackBytes = 512 << 10;  // what the hardware gives a thread

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T out{};
    std::memcpy(&out, bytes_.data() + offset, sizeof(T));
    return out;
  }
  std::optional<std::string_view> part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return std::nullopt;
    return bytes_.substr(offset, size);
  }

 private:
  std::string_view bytes_;
};

// Text that ends with a zero byte; nothing if it does not end.
std::optional<std::string_view> name_in(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return std::nullopt;
  const std::size_t end = table.find('\0', offset);
  if (end == std::string_view::npos) return std::nullopt;
  return table.substr(offset, end - offset);
}

struct Section {
  std::string_view name, contents;
  std::uint32_t type = 0, link = 0, info = 0;
};

std::optional<Section> read_section(const Reader& file, std::uint64_t at) {
  const auto type = file.at<std::uint32_t>(at + 4), link = file.at<std::uint32_t>(at + 40);
  const auto info = file.at<std::uint32_t>(at + 44);
  const auto offset = file.at<std::uint64_t>(at + 24), size = file.at<std::uint64_t>(at + 32);
  if (!info || !offset || !size) return std::nullopt;
  Section out{.name = {}, .contents = {}, .type = *type, .link = *link, .info = *info};
  if (*type == kNoBits) return out;
  const auto contents = file.part(*offset, *size);
  if (!contents) return std::nullopt;
  out.contents = *contents;
  return out;
}

std::optional<std::vector<Section>> read_sections(std::string_view bytes) {
  const Reader file(bytes);
  const auto table = file.at<std::uint64_t>(40);
  const auto entry_bytes = file.at<std::uint16_t>(58), count = file.at<std::uint16_t>(60);
  const auto names_index = file.at<std::uint16_t>(62);
  if (!names_index || *entry_bytes != kSectionBytes || *names_index >= *count || *table < kHeaderBytes) {
    return std::nullopt;
  }
  if (!file.part(*table, std::uint64_t{*count} * kSectionBytes)) return std::nullopt;
  std::vector<Section> out;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const std::optional<Section> section = read_section(file, *table + i * kSectionBytes);
    if (!section) return std::nullopt;
    out.push_back(*section);
  }
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto name = file.at<std::uint32_t>(*table + i * kSectionBytes);
    const auto text = name_in(out[*names_index].contents, *name);
    if (!text) return std::nullopt;
    out[i].name = *text;
  }
  return out;
}

const Section* find(const std::vector<Section>& sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::optional<std::uint32_t> symbol_index(const std::vector<Section>& sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.type != kSymbolTable || section.link >= sections.size()) continue;
    const Reader table(section.contents);
    for (std::uint64_t i = 0; (i + 1) * kSymbolBytes <= section.contents.size(); ++i) {
      const auto text = name_in(sections[section.link].contents, *table.at<std::uint32_t>(i * kSymbolBytes));
      if (text && *text == name) return static_cast<std::uint32_t>(i);
    }
  }
  return std::nullopt;
}

// The attribute of one function in .nv.info.
std::optional<std::uint32_t> attribute(std::string_view info, std::uint8_t wanted, std::uint32_t symbol) {
  const Reader reader(info);
  for (std::uint64_t at = 0; at + 4 <= info.size();) {
    const auto length = *reader.at<std::uint16_t>(at + 2);  // of other formats: the value itself
    if (*reader.at<std::uint8_t>(at) != kSizedFormat) {
      at += 4;
      continue;
    }
    const auto about = reader.at<std::uint32_t>(at + 4), value = reader.at<std::uint32_t>(at + 8);
    if (*reader.at<std::uint8_t>(at + 1) == wanted && length >= 8 && value && *about == symbol) return value;
    at += 4 + std::uint64_t{length};
  }
  return std::nullopt;
}

}  // namespace

base::Result<CubinInfo> read_cubin(std::string_view bytes, std::string_view entry) {
  const auto machine = Reader(bytes).at<std::uint16_t>(18);
  if (!bytes.starts_with(kMagic) || !machine || *machine != kCudaMachine) {
    return base::Failure{"the machine code is no 64-bit ELF file for CUDA"};
  }
  const std::optional<std::vector<Section>> sections = read_sections(bytes);
  if (!sections) return base::Failure{"the machine code's table of sections reaches outside the file"};
  const Section* code = find(*sections, ".text." + std::string(entry));
  if (entry.empty() || code == nullptr || code->contents.empty()) {
    return base::Failure{"the machine code has no function " + std::string(entry.substr(0, 200))};
  }
  CubinInfo out;
  out.registers = static_cast<int>(code->info >> 24);  // older assemblers; newer ones say it in .nv.info alone
  const Section* info = find(*sections, ".nv.info");
  const std::optional<std::uint32_t> symbol = symbol_index(*sections, entry);
  if (info != nullptr && symbol) {
    if (const auto count = attribute(info->contents, kRegisterCount, *symbol)) {
      out.registers = *count > kMaxRegisters ? -1 : static_cast<int>(*count);
    }
    if (const auto frame = attribute(info->contents, kFrameSize, *symbol)) out.stack_bytes = *frame;
  }
  if (out.registers <= 0 || out.stack_bytes > kMaxStackBytes) {
    return base::Failure{"the machine code claims registers or a stack that no GPU has"};
  }
  return out;
}

}  // namespace tritonrl::python
