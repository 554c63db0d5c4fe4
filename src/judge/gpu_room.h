#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace tritonrl::judge {

// A part of a GPU's memory that several processes may hold beside the candidates. Thread-safe.
class GpuRoom {
 public:
  // For `places` of them at most.
  GpuRoom(std::int64_t bytes, int places);

  // Given back when it is destroyed.
  class Place {
   public:
    Place(GpuRoom& room, std::int64_t bytes) : room_(&room), bytes_(bytes) {}
    ~Place();
    Place(Place&& other) noexcept : room_(other.room_), bytes_(other.bytes_) { other.room_ = nullptr; }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    GpuRoom* room_;
    std::int64_t bytes_;
  };

  // Waits until so much is free. None, at once, if there never is.
  std::optional<Place> take(std::int64_t bytes);

 private:
  const std::int64_t bytes_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::int64_t held_ = 0;
  int places_;
};

}  // namespace tritonrl::judge
