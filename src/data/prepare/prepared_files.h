#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "record/data_folder.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::data {

// The files of a run of `prepare` while they grow, in a hidden folder beside their final places: whoever reads those
// sees the last complete run. A run that was killed goes on from its last checkpoint. For one thread.
class PreparedFiles {
 public:
  enum class File : std::uint8_t { kTrain, kValidation, kTest, kLabels, kLeftOut };
  static File pairs(record::Split split) { return static_cast<File>(split); }

  // `fingerprint`: of everything that the output depends on but the judge; an unfinished run of another one is thrown
  // away. `judged`: how solutions are judged, as one JSON object; an unfinished run of the same fingerprint that judged
  // otherwise is worth hours, so that is a UserError, which says what differs. So is a folder that cannot be written,
  // and another process that is preparing there.
  PreparedFiles(const record::DataFolder& data, const std::string& fingerprint, const std::string& judged = "{}");
  ~PreparedFiles();
  PreparedFiles(const PreparedFiles&) = delete;
  PreparedFiles& operator=(const PreparedFiles&) = delete;

  // What an unfinished run of the same fingerprint last gave to checkpoint().
  const std::optional<std::string>& earlier_state() const { return earlier_; }
  // A place for files that are needed until the end.
  std::filesystem::path work_folder() const { return work_; }

  // One line, without its newline. UserError if the disk is full.
  void write(File file, std::string_view line);
  // All lines so far are kept, with `state`: a killed run goes on from here.
  void checkpoint(const std::string& state);
  // Gives all files their names, replacing those of the last run, and removes the hidden folder.
  void finish(const std::string& report);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  static constexpr std::size_t kFiles = 5;
  struct Saved {  // state.json
    std::string fingerprint, judged;
    std::array<std::int64_t, kFiles> bytes{};  // of each file at the last checkpoint
    std::string state;
    void fields(base::FieldVisitor& field);
  };
  void go_on(const std::string& text);
  std::filesystem::path part(std::size_t index) const;
  std::filesystem::path place(std::size_t index) const;
  void open(std::size_t index, std::int64_t bytes);

  const record::DataFolder data_;
  const std::filesystem::path work_;
  base::UniqueFd lock_;
  std::optional<std::string> earlier_;
  std::array<std::unique_ptr<std::FILE, Closer>, kFiles> files_;
  Saved saved_;
};

}  // namespace tritonrl::data
