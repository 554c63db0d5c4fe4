#include "judge/gpu_room.h"

namespace tritonrl::judge {

GpuRoom::GpuRoom(std::int64_t bytes, int places) : bytes_(bytes), places_(places) {}

GpuRoom::Place::~Place() {
  if (room_ == nullptr) return;
  {
    const std::lock_guard<std::mutex> lock(room_->mutex_);
    room_->held_ -= bytes_;
    ++room_->places_;
  }
  room_->freed_.notify_all();
}

std::optional<GpuRoom::Place> GpuRoom::take(std::int64_t bytes) {
  if (bytes > bytes_) return std::nullopt;
  std::unique_lock<std::mutex> lock(mutex_);
  freed_.wait(lock, [&] { return places_ > 0 && held_ + bytes <= bytes_; });
  held_ += bytes;
  --places_;
  return std::optional<Place>(std::in_place, *this, bytes);
}

}  // namespace tritonrl::judge
