import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def column_partial(x_ptr, part_ptr, rows, cols, rows_per, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    first = tl.program_id(0) * rows_per
    acc = tl.zeros((BLOCK_C,), tl.float32)
    for r0 in range(0, rows_per, BLOCK_R):
        r = first + r0 + tl.arange(0, BLOCK_R)
        live = (r[:, None] < rows) & (r[:, None] < first + rows_per) & (c[None, :] < cols)
        x = tl.load(x_ptr + r[:, None] * cols + c[None, :], mask=live, other=0.0)
        acc += tl.sum(x * x, axis=0)
    tl.store(part_ptr + tl.program_id(0) * cols + c, acc, mask=c < cols)


@triton.jit
def column_final(part_ptr, y_ptr, parts, cols, BLOCK_C: tl.constexpr):
    c = tl.program_id(0) * BLOCK_C + tl.arange(0, BLOCK_C)
    acc = tl.zeros((BLOCK_C,), tl.float32)
    for p in range(parts):
        acc += tl.load(part_ptr + p * cols + c, mask=c < cols, other=0.0)
    tl.store(y_ptr + c, acc, mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.num_sms = torch.cuda.get_device_properties(0).multi_processor_count
        self.done = torch.cuda.Event(enable_timing=False)

    def forward(self, x):
        rows, cols = x.shape
        major, _ = torch.cuda.get_device_capability(x.device)
        parts = min(self.num_sms * (2 if major >= 8 else 1), rows)
        rows_per = triton.cdiv(rows, parts)
        partial = torch.empty(parts, cols, device=x.device)
        y = torch.empty(cols, device=x.device)
        stream = torch.cuda.current_stream(x.device)
        with torch.cuda.stream(stream):
            column_partial[(parts, triton.cdiv(cols, 128))](
                x, partial, rows, cols, rows_per, BLOCK_R=16, BLOCK_C=128
            )
            self.done.record(stream)
            stream.wait_event(self.done)
            column_final[(triton.cdiv(cols, 128),)](partial, y, parts, cols, BLOCK_C=128)
        torch.cuda.synchronize()
        return y
