#include "runner/devices.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/error.h"

namespace tritonrl::runner {

std::vector<int> device_indices(std::string_view text, int available) {
  const std::string said(text);
  const auto refuse = [&](const std::string& why) -> base::UserError {
    return base::UserError("device",
                           "--device " + said + ": " + why + "; it is cpu, cuda, cuda:1, cuda:0,2 or cuda:all");
  };
  if (!text.starts_with("cuda")) throw refuse("no such device");
  text.remove_prefix(4);
  if (text.empty()) return {0};
  if (text.front() != ':') throw refuse("no such device");
  text.remove_prefix(1);
  std::vector<int> out;
  if (text == "all") {
    for (int i = 0; i < available; ++i) out.push_back(i);
    if (out.empty()) throw refuse("there is no GPU here");
    return out;
  }
  while (true) {
    const std::string_view one = text.substr(0, text.find(','));
    int index = -1;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), index);
    if (error != std::errc() || end != one.data() + one.size() || index < 0)
      throw refuse("a GPU is named by its number");
    if (std::find(out.begin(), out.end(), index) != out.end())
      throw refuse("GPU " + std::string(one) + " is named twice");
    out.push_back(index);
    if (one.size() == text.size()) return out;
    text.remove_prefix(one.size() + 1);
  }
}

Devices::Devices(const DeviceOptions& options, const std::vector<int>& indices) : busy_(indices.size(), false) {
  std::vector<std::future<std::unique_ptr<Device>>> started;
  for (const int index : indices) {
    DeviceOptions one = options;
    one.index = index;
    started.push_back(base::made_aside(threads_, [one] { return std::make_unique<Device>(one); }));
  }
  for (auto& one : started) all_.push_back(one.get());
}

// The first that is free, for one caller.
class Devices::Taken {
 public:
  explicit Taken(Devices& devices) : devices_(devices) {
    std::unique_lock<std::mutex> lock(devices_.mutex_);
    devices_.freed_.wait(lock, [&] {
      place_ = static_cast<std::size_t>(std::find(devices_.busy_.begin(), devices_.busy_.end(), false) -
                                        devices_.busy_.begin());
      return place_ < devices_.busy_.size();
    });
    devices_.busy_[place_] = true;
  }
  ~Taken() {
    {
      const std::lock_guard<std::mutex> lock(devices_.mutex_);
      devices_.busy_[place_] = false;
    }
    devices_.freed_.notify_one();
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  Device& device() const { return *devices_.all_[place_]; }

 private:
  Devices& devices_;
  std::size_t place_ = 0;
};

DeviceReport Devices::judge(const DeviceWork& work) {
  const auto asked = std::chrono::steady_clock::now();
  const Taken one(*this);
  const double waited = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - asked).count();
  DeviceReport out = one.device().judge(work);
  out.waited_ms += waited;
  return out;
}

std::string Devices::names() const {
  std::string out;
  for (const auto& one : all_) out += (out.empty() ? "" : ", ") + one->facts().name;
  return out;
}

void Devices::alone(const std::function<void()>& work) {
  all_.front()->alone(work);
}

void Devices::beside(const std::function<void()>& work) {
  all_.front()->beside(work);
}

}  // namespace tritonrl::runner
