#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unordered_map>

#include "base/json_events.h"

namespace tritonrl::base {
namespace {

constexpr int kNumberTooLarge = 406;  // the library's own number of this error

// Objects as large as a tokenizer's vocabulary are read with an index, so that names that come twice are found.
constexpr std::size_t kSmallObject = 16;

// Builds the value while the library reads the text.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(int deepest = Json::kMaxDepth, Json::Names names = Json::Names::kLastHolds)
      : deepest_(static_cast<std::size_t>(deepest)), names_(names) {}

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& name) override {
    open_.back().name = std::move(name);
    return true;
  }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::json::exception& error) override {
    error_ = error.what();
    foreign_error_ =
        error.id == kNumberTooLarge ? "holds a number that is too large" : "is not JSON at byte " + std::to_string(at);
    return false;
  }

  Json take() { return std::move(whole_); }
  const std::string& error() const { return error_; }
  const std::string& foreign_error() const { return foreign_error_; }  // that continues the name of a file

 private:
  struct Open {
    Json value;
    std::string name = {};                                    // of the member that comes next
    std::unordered_map<std::string, std::size_t> index = {};  // of large objects
  };

  bool open(Json value) {
    if (open_.size() >= deepest_) {
      error_ = "nested more than " + std::to_string(deepest_) + " deep";
      foreign_error_ = "is nested too deeply";
      return false;
    }
    open_.push_back({std::move(value)});
    return true;
  }
  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }
  bool add(Json value) {
    if (open_.empty()) {
      whole_ = std::move(value);
    } else if (Open& parent = open_.back(); parent.value.is_array()) {
      parent.value.push_back(std::move(value));
    } else {
      return set(parent, std::move(value));
    }
    return true;
  }
  bool set(Open& parent, Json value) {
    Json::Object& members = parent.value.items();
    Json* known = nullptr;
    if (members.size() < kSmallObject) {
      known = parent.value.find(parent.name);
    } else {
      if (parent.index.empty()) {
        for (std::size_t i = 0; i < members.size(); ++i) parent.index.emplace(members[i].name, i);
      }
      const auto [at, is_new] = parent.index.emplace(parent.name, members.size());
      if (!is_new) known = &members[at->second].value;
    }
    if (known == nullptr) {
      members.push_back({std::move(parent.name), std::move(value)});
    } else if (names_ == Json::Names::kLastHolds) {
      *known = std::move(value);
    } else {
      error_ = foreign_error_ = "has two fields named " + Json(parent.name.substr(0, 60)).dump();
      return false;
    }
    return true;
  }

  std::size_t deepest_;
  Json::Names names_;
  std::vector<Open> open_;
  Json whole_;
  std::string error_, foreign_error_;
};

// Hands on what the library reads.
class Forward : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Forward(JsonEvents& events) : events_(events) {}

  bool null() override { return events_.null(), true; }
  bool boolean(bool value) override { return events_.boolean(value), true; }
  bool number_integer(number_integer_t value) override { return events_.integer(value), true; }
  bool number_unsigned(number_unsigned_t value) override { return events_.natural(value), true; }
  bool number_float(number_float_t, const string_t& text) override { return events_.real(text), true; }
  bool string(string_t& value) override { return events_.text(value), true; }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& name) override { return events_.key(name), true; }
  bool start_object(std::size_t) override { return events_.start_object(), true; }
  bool start_array(std::size_t) override { return events_.start_array(), true; }
  bool end_object() override { return events_.end_object(), true; }
  bool end_array() override { return events_.end_array(), true; }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::json::exception&) override {
    return events_.error(at), false;
  }

 private:
  JsonEvents& events_;
};

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

void write_text(std::string_view text, std::string& out) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void write_real(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  out += nlohmann::json(value).dump();
}

void new_line(std::string& out, int indent, int depth) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

}  // namespace

void json_detail::refuse_range() {
  throw JsonError("a number that is out of range");
}

Json Json::parse(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) throw JsonError(builder.error());
  return builder.take();
}

std::optional<Json> Json::try_parse(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) return std::nullopt;
  return builder.take();
}

Json Json::parse_foreign(std::string_view text, int deepest, Names names) {
  Builder builder(deepest, names);
  if (!nlohmann::json::sax_parse(text, &builder)) throw JsonError(builder.foreign_error());
  return builder.take();
}

void read_json_events(std::string_view text, JsonEvents& events) {
  Forward forward(events);
  nlohmann::json::sax_parse(text, &forward);
}

Json Json::array(std::initializer_list<Json> items) {
  return Json(Array(items));
}

Json Json::object() {
  Json out;
  out.kind_ = Kind::kObject;
  out.object_ = new Object;
  return out;
}

Json::Json(std::string_view value) : Json(std::string(value)) {}

Json::Json(std::string value) : kind_(Kind::kText), text_(new std::string(std::move(value))) {}

Json::Json(Array value) : kind_(Kind::kArray), array_(new Array(std::move(value))) {}

Json::Json(std::initializer_list<Json> items) {
  const bool members = std::all_of(items.begin(), items.end(), [](const Json& item) {
    return item.is_array() && item.size() == 2 && item.front().is_string();
  });
  if (!members) {
    *this = Json(Array(items));
    return;
  }
  *this = object();
  for (const Json& item : items) (*this)[item.front().text()] = item.back();
}

Json::Json(const Json& other) : kind_(other.kind_), unsigned_(other.unsigned_) {
  if (kind_ == Kind::kText) text_ = new std::string(*other.text_);
  if (kind_ == Kind::kArray) array_ = new Array(*other.array_);
  if (kind_ == Kind::kObject) object_ = new Object(*other.object_);
}

Json& Json::operator=(Json other) noexcept {
  const Kind kind = kind_;
  // not by std::swap: a reference to one member must not be used to read another
  const std::uint64_t bits = unsigned_;
  kind_ = other.kind_;
  unsigned_ = other.unsigned_;
  other.kind_ = kind;
  other.unsigned_ = bits;
  return *this;
}

void Json::release() {
  if (kind_ == Kind::kText) delete text_;
  if (kind_ == Kind::kArray) delete array_;
  if (kind_ == Kind::kObject) delete object_;
  kind_ = Kind::kNull;
}

const char* Json::kind_name() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return "boolean";
    case Kind::kInteger:
    case Kind::kUnsigned:
    case Kind::kReal:
      return "number";
    case Kind::kText:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
  }
  return "";
}

void Json::refuse(const char* wanted) const {
  throw JsonError(std::string("must be ") + wanted + ", but is " + kind_name());
}

std::size_t Json::size() const {
  if (kind_ == Kind::kArray) return array_->size();
  if (kind_ == Kind::kObject) return object_->size();
  return kind_ == Kind::kNull ? 0 : 1;
}

bool Json::boolean() const {
  if (kind_ != Kind::kBoolean) refuse("true or false");
  return boolean_;
}

template <typename Integer>
Integer Json::whole() const {
  if (kind_ == Kind::kInteger && std::in_range<Integer>(integer_)) return static_cast<Integer>(integer_);
  if (kind_ == Kind::kUnsigned && std::in_range<Integer>(unsigned_)) return static_cast<Integer>(unsigned_);
  // 2^53: beyond it a double does not say which number is meant.
  if (kind_ == Kind::kReal && std::trunc(real_) == real_ && std::abs(real_) <= 0x1p53) {
    const auto value = static_cast<std::int64_t>(real_);
    if (std::in_range<Integer>(value)) return static_cast<Integer>(value);
  }
  if (!is_number()) refuse("a whole number");
  json_detail::refuse_range();
}

std::int64_t Json::integer() const {
  return whole<std::int64_t>();
}

std::uint64_t Json::natural() const {
  return whole<std::uint64_t>();
}

double Json::real() const {
  if (kind_ == Kind::kReal) return real_;
  if (kind_ == Kind::kInteger) return static_cast<double>(integer_);
  if (kind_ == Kind::kUnsigned) return static_cast<double>(unsigned_);
  refuse("a number");
}

const std::string& Json::text() const {
  if (kind_ != Kind::kText) refuse("a string");
  return *text_;
}

const Json::Array& Json::elements() const {
  static const Array none;
  if (kind_ == Kind::kNull) return none;
  if (kind_ != Kind::kArray) refuse("an array");
  return *array_;
}

const Json::Object& Json::items() const {
  static const Object none;
  if (kind_ == Kind::kNull) return none;
  if (kind_ != Kind::kObject) refuse("an object");
  return *object_;
}

Json::Object& Json::items() {
  if (kind_ == Kind::kNull) *this = object();
  if (kind_ != Kind::kObject) refuse("an object");
  return *object_;
}

Json* Json::begin() {
  if (kind_ == Kind::kNull) *this = Json(Array());
  if (kind_ != Kind::kArray) refuse("an array");
  return array_->data();
}

const Json& Json::at(std::string_view name) const {
  if (kind_ != Kind::kObject) refuse("an object");
  const Json* found = find(name);
  if (found == nullptr) throw JsonError(std::string(name) + " is missing");
  return *found;
}

Json& Json::at(std::string_view name) {
  return const_cast<Json&>(std::as_const(*this).at(name));
}

const Json& Json::at(std::size_t index) const {
  if (kind_ != Kind::kArray) refuse("an array");
  if (index >= array_->size()) throw JsonError("there is no element " + std::to_string(index));
  return (*array_)[index];
}

Json& Json::at(std::size_t index) {
  return const_cast<Json&>(std::as_const(*this).at(index));
}

const Json* Json::find(std::string_view name) const {
  if (kind_ != Kind::kObject) return nullptr;
  for (const Member& member : *object_) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

Json* Json::find(std::string_view name) {
  return const_cast<Json*>(std::as_const(*this).find(name));
}

Json& Json::operator[](std::string_view name) {
  if (Json* found = find(name)) return *found;
  Object& members = items();
  members.push_back({std::string(name), Json()});
  return members.back().value;
}

void Json::push_back(Json value) {
  begin();
  array_->push_back(std::move(value));
}

bool Json::erase(std::string_view name) {
  return std::erase_if(items(), [&](const Member& member) { return member.name == name; }) > 0;
}

void Json::erase(std::size_t index) {
  at(index);
  array_->erase(array_->begin() + static_cast<std::ptrdiff_t>(index));
}

void Json::update(const Json& other) {
  for (const Member& member : other.items()) (*this)[member.name] = member.value;
}

Json Json::sorted() const {
  Json out = *this;
  if (out.kind_ == Kind::kArray) {
    for (Json& item : *out.array_) item = item.sorted();
  } else if (out.kind_ == Kind::kObject) {
    for (Member& member : *out.object_) member.value = member.value.sorted();
    std::sort(out.object_->begin(), out.object_->end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
  }
  return out;
}

bool Json::equals(const Json& other) const {
  if (is_number() && other.is_number()) {
    if (kind_ == Kind::kReal || other.kind_ == Kind::kReal) return real() == other.real();
    if (kind_ == other.kind_) return unsigned_ == other.unsigned_;
    return is_number_unsigned() && other.is_number_unsigned() && unsigned_ == other.unsigned_;
  }
  if (kind_ != other.kind_) return false;
  switch (kind_) {
    case Kind::kNull:
      return true;
    case Kind::kBoolean:
      return boolean_ == other.boolean_;
    case Kind::kText:
      return *text_ == *other.text_;
    case Kind::kArray:
      return *array_ == *other.array_;
    default:
      return object_->size() == other.object_->size() &&
             std::all_of(object_->begin(), object_->end(), [&](const Member& member) {
               const Json* theirs = other.find(member.name);
               return theirs != nullptr && member.value == *theirs;
             });
  }
}

std::string Json::dump(int indent) const {
  std::string out;
  dump_to(out, indent);
  return out;
}

void Json::dump_to(std::string& out, int indent) const {
  write(out, indent, 0);
}

void Json::write(std::string& out, int indent, int depth) const {
  switch (kind_) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBoolean:
      out += boolean_ ? "true" : "false";
      return;
    case Kind::kInteger:
      out += std::to_string(integer_);
      return;
    case Kind::kUnsigned:
      out += std::to_string(unsigned_);
      return;
    case Kind::kReal:
      write_real(real_, out);
      return;
    case Kind::kText:
      write_text(*text_, out);
      return;
    case Kind::kArray:
    case Kind::kObject:
      break;
  }
  const bool is_list = kind_ == Kind::kArray;
  out += is_list ? '[' : '{';
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) out += ',';
    new_line(out, indent, depth + 1);
    if (is_list) {
      (*array_)[i].write(out, indent, depth + 1);
    } else {
      write_text((*object_)[i].name, out);
      out += indent < 0 ? ":" : ": ";
      (*object_)[i].value.write(out, indent, depth + 1);
    }
  }
  if (size() > 0) new_line(out, indent, depth);
  out += is_list ? ']' : '}';
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump();
}

}  // namespace tritonrl::base
