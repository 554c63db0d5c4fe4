#include "machine/counters.h"

namespace tritonrl::machine {

double Counters::sectors() const {
  double sum = 0;
  for (const TensorTraffic& tensor : tensors) sum += tensor.load_sectors + tensor.store_sectors;
  return sum;
}

double Counters::coalescing() const {
  double bytes = 0;
  for (const TensorTraffic& tensor : tensors) bytes += tensor.load_bytes + tensor.store_bytes;
  return sectors() > 0 ? bytes / (32 * sectors()) : 1;
}

}  // namespace tritonrl::machine
