#include <utility>

#include "base/files.h"
#include "weights/folder_files.h"
#include "weights/gguf_model.h"
#include "weights/mapped_file.h"
#include "weights/model_files.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

// tokenizer_config.json has one template, or several by name of which "default" is the one for chats.
std::string template_of(const base::JsonField& field) {
  if (field.is_null()) return "";
  if (!field.value().is_array()) return field.text();
  for (std::size_t i = 0; i < field.elements(); ++i) {
    const base::JsonField named = field.element(i);
    if (named["name"].text() == "default") return named["template"].text();
  }
  return "";
}

std::string folder_template(const fs::path& folder) {
  const fs::path jinja = folder / "chat_template.jinja", config = folder / "tokenizer_config.json";
  if (is_file(jinja)) return base::read_file(jinja, kLongestConfig);
  if (!is_file(config)) return "";
  const JsonFile file = JsonFile::read(config);
  return template_of(file.top()["chat_template"]);
}

text::ModelText with_template(text::Tokenizer tokenizer, std::string chat_template) {
  const std::optional<text::ChatDialect> dialect =
      chat_template.empty() ? text::ChatDialect::kPlainChatMl : text::recognise_chat_template(chat_template);
  return {.tokenizer = std::move(tokenizer), .dialect = dialect, .chat_template = std::move(chat_template)};
}

}  // namespace

text::ModelText open_tokenizer(const ModelLocation& location) {
  if (location.kind == ModelLocation::Kind::kFolder) {
    return with_template(text::Tokenizer::from_file(location.path / "tokenizer.json"), folder_template(location.path));
  }
  const std::shared_ptr<const MappedFile> file = MappedFile::open(location.path);
  const GgufFile gguf = GgufFile::parse(file->bytes(), location.path.string());
  constexpr const char* kTemplate = "tokenizer.chat_template";
  return with_template(text::Tokenizer::from_parts(gguf_tokenizer_parts(gguf), location.path.string()),
                       gguf.has(kTemplate) ? std::string(gguf.text(kTemplate)) : "");
}

}  // namespace tritonrl::weights
