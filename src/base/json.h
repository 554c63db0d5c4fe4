#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// A JSON value. The library that reads and writes the text is seen by json.cpp alone: its header costs seconds in every
// file that includes it, and this one next to nothing.
namespace tritonrl::base {

// A value of another kind, or a name or index that is not there.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Json {
 public:
  enum class Kind : std::uint8_t { kNull, kBoolean, kInteger, kUnsigned, kReal, kText, kArray, kObject };
  struct Member;  // { std::string name; Json value; }
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;  // in the order in which the names came; each once

  // A text with nothing behind it. Of a name that comes twice the last value holds. JsonError says where it is wrong;
  // values nested deeper than kMaxDepth are.
  static Json parse(std::string_view text);
  static std::optional<Json> try_parse(std::string_view text);
  static constexpr int kMaxDepth = 1000;
  // A text from outside. The JsonError's message continues the name of a file: "is not JSON at byte 17",
  // "is nested too deeply", "holds a number that is too large", "has two fields named \"a\"" (where names come once).
  enum class Names : std::uint8_t { kOnce, kLastHolds };
  static Json parse_foreign(std::string_view text, int deepest, Names names);

  static Json array(std::initializer_list<Json> items = {});
  static Json object();

  Json() = default;
  Json(std::nullptr_t) {}
  template <typename T>
  requires std::is_same_v<T, bool> Json(T value) : kind_(Kind::kBoolean), boolean_(value) {}
  template <typename T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Json(T value)
      : kind_(std::is_signed_v<T> ? Kind::kInteger : Kind::kUnsigned) {
    if constexpr (std::is_signed_v<T>) {
      integer_ = value;
    } else {
      unsigned_ = value;
    }
  }
  Json(double value) : kind_(Kind::kReal), real_(value) {}
  Json(float value) : Json(static_cast<double>(value)) {}
  Json(const char* value) : Json(std::string_view(value)) {}
  Json(std::string_view value);
  Json(std::string value);
  Json(Array value);
  template <typename T>
  requires(!std::is_same_v<T, Json>) Json(const std::vector<T>& values) : Json(of_range(values)) {}
  template <typename T, std::size_t kCount>
  Json(const std::array<T, kCount>& values) : Json(of_range(values)) {}
  template <typename T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  template <typename T, typename Less>
  Json(const std::map<std::string, T, Less>& values) : Json(object()) {
    for (const auto& [name, value] : values) (*this)[name] = value;
  }
  // Pairs whose first is a text are the members of an object; anything else is an array.
  Json(std::initializer_list<Json> items);

  Json(const Json& other);
  Json(Json&& other) noexcept : kind_(other.kind_), unsigned_(other.unsigned_) { other.kind_ = Kind::kNull; }
  Json& operator=(Json other) noexcept;
  ~Json() {
    if (kind_ >= Kind::kText) release();
  }

  Kind kind() const { return kind_; }
  const char* kind_name() const;  // "number", "object"
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_boolean() const { return kind_ == Kind::kBoolean; }
  bool is_number() const { return is_number_integer() || kind_ == Kind::kReal; }
  bool is_number_integer() const { return kind_ == Kind::kInteger || kind_ == Kind::kUnsigned; }
  bool is_number_unsigned() const { return kind_ == Kind::kUnsigned || (kind_ == Kind::kInteger && integer_ >= 0); }
  bool is_number_float() const { return kind_ == Kind::kReal; }
  bool is_string() const { return kind_ == Kind::kText; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_structured() const { return kind_ >= Kind::kArray; }

  // Elements or members; null has none, anything else is one.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // JsonError where it is of another kind. Numbers are taken where the type can hold them.
  bool boolean() const;
  std::int64_t integer() const;
  std::uint64_t natural() const;
  double real() const;
  const std::string& text() const;
  const Array& elements() const;
  const Object& items() const;
  Object& items();
  template <typename T>
  T get() const;
  template <typename T>
  void get_to(T& out) const {
    out = get<T>();
  }

  // JsonError where there is none.
  const Json& at(std::string_view name) const;
  Json& at(std::string_view name);
  const Json& at(std::size_t index) const;
  Json& at(std::size_t index);
  const Json& front() const { return at(std::size_t{0}); }
  const Json& back() const { return at(size() - 1); }
  Json& back() { return at(size() - 1); }
  // null: there is none, or this is no object.
  const Json* find(std::string_view name) const;
  Json* find(std::string_view name);
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  template <typename T>
  T value(std::string_view name, T otherwise) const {
    const Json* found = find(name);
    return found == nullptr ? otherwise : found->get<T>();
  }
  std::string value(std::string_view name, const char* otherwise) const { return value<std::string>(name, otherwise); }

  // Makes null an object and the member, where there is none.
  Json& operator[](std::string_view name);
  const Json& operator[](std::string_view name) const { return at(name); }
  // Two more, since a literal 0 is a null pointer too.
  template <typename T>
  requires(std::is_integral_v<T>) Json& operator[](T index) { return at(static_cast<std::size_t>(index)); }
  template <typename T>
  requires(std::is_integral_v<T>) const Json& operator[](T index) const { return at(static_cast<std::size_t>(index)); }
  Json& operator[](const char* name) { return (*this)[std::string_view(name)]; }
  const Json& operator[](const char* name) const { return at(std::string_view(name)); }
  // Makes null an array.
  void push_back(Json value);
  template <typename... Arguments>
  Json& emplace_back(Arguments&&... arguments) {
    push_back(Json(std::forward<Arguments>(arguments)...));
    return back();
  }
  bool erase(std::string_view name);
  void erase(std::size_t index);
  // Members of `other` are set here, too.
  void update(const Json& other);
  // The same with the members of all objects by name.
  Json sorted() const;

  // The elements of an array.
  const Json* begin() const { return elements().data(); }
  const Json* end() const { return begin() + elements().size(); }
  Json* begin();
  Json* end() { return begin() + elements().size(); }

  // indent < 0: one line. Bytes that are no UTF-8 become U+FFFD; NaN and infinities null.
  std::string dump(int indent = -1) const;
  void dump_to(std::string& out, int indent = -1) const;

  // Numbers by value, objects in any order.
  friend bool operator==(const Json& a, const Json& b) { return a.equals(b); }
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  template <typename Range>
  static Json of_range(const Range& values) {
    Array items;
    items.reserve(values.size());
    for (const auto& value : values) items.emplace_back(value);
    return Json(std::move(items));
  }
  void release();
  bool equals(const Json& other) const;
  void write(std::string& out, int indent, int depth) const;
  [[noreturn]] void refuse(const char* wanted) const;
  template <typename Integer>
  Integer whole() const;

  Kind kind_ = Kind::kNull;
  union {
    bool boolean_;
    std::int64_t integer_;
    std::uint64_t unsigned_ = 0;
    double real_;
    std::string* text_;
    Array* array_;
    Object* object_;
  };
};

struct Json::Member {
  std::string name;
  Json value;
  const std::string& key() const { return name; }
};

namespace json_detail {

template <typename T>
struct Reader;
template <typename T>
struct Reader<std::vector<T>> {
  static std::vector<T> read(const Json& json) {
    std::vector<T> out;
    out.reserve(json.elements().size());
    for (const Json& item : json.elements()) out.push_back(item.get<T>());
    return out;
  }
};
template <typename T, std::size_t kCount>
struct Reader<std::array<T, kCount>> {
  static std::array<T, kCount> read(const Json& json) {
    std::array<T, kCount> out{};
    if (json.elements().size() != kCount) throw JsonError("a list of another length");
    for (std::size_t i = 0; i < kCount; ++i) out[i] = json.elements()[i].get<T>();
    return out;
  }
};
template <typename T, typename Less>
struct Reader<std::map<std::string, T, Less>> {
  static std::map<std::string, T, Less> read(const Json& json) {
    std::map<std::string, T, Less> out;
    for (const Json::Member& member : json.items()) out.emplace(member.name, member.value.get<T>());
    return out;
  }
};
template <typename T>
struct Reader<std::optional<T>> {
  static std::optional<T> read(const Json& json) {
    return json.is_null() ? std::optional<T>() : std::optional<T>(json.get<T>());
  }
};

[[noreturn]] void refuse_range();

}  // namespace json_detail

template <typename T>
T Json::get() const {
  if constexpr (std::is_same_v<T, Json>) {
    return *this;
  } else if constexpr (std::is_same_v<T, bool>) {
    return boolean();
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    const std::int64_t value = integer();
    if (!std::in_range<T>(value)) json_detail::refuse_range();
    return static_cast<T>(value);
  } else if constexpr (std::is_integral_v<T>) {
    const std::uint64_t value = natural();
    if (!std::in_range<T>(value)) json_detail::refuse_range();
    return static_cast<T>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(real());
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text();
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return std::string_view(text());
  } else {
    return json_detail::Reader<T>::read(*this);
  }
}

}  // namespace tritonrl::base
