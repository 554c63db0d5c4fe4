import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.streams = [torch.cuda.Stream(), torch.cuda.Stream()]

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows = (x.shape[0] + 1) // 2
        ready = torch.cuda.Event()
        ready.record()
        for stream, source, target in zip(self.streams, x.split(rows), y.split(rows)):
            with torch.cuda.stream(stream):
                stream.wait_event(ready)
                relu_kernel[(triton.cdiv(source.numel(), 1024),)](source, target, source.numel(), BLOCK=1024)
                done = torch.cuda.Event()
                done.record(stream)
            torch.cuda.current_stream().wait_event(done)
        return y
