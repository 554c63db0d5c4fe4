"""Autotuning, heuristics, hooks, benchmarks, a kernel that is compiled ahead and asked about itself."""
import torch
import triton
import triton.language as tl


def clear(arguments):
    arguments["out_ptr"].zero_()


@triton.autotune(configs=[triton.Config({"BLOCK": size}, num_warps=w, pre_hook=clear) for size in (64, 128) for w in (2, 4)], key=["n"])
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
@triton.jit
def scale(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out_ptr + offsets, factor * tl.load(x_ptr + offsets))
    else:
        tl.store(out_ptr + offsets, factor * tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


@triton.autotune(configs=[triton.Config({"BLOCK": size}) for size in (16, 64, 128)], key=[])
@triton.jit
def negate(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK >= 32, "which rules the first configuration out")
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, -tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)


@triton.jit
def persistent(x_ptr, out_ptr, rows, columns, BLOCK: tl.constexpr, num_stages: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=num_stages):
        offsets = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + offsets, mask=offsets < columns, other=-float("inf"))
        e = tl.exp(x - tl.max(x, 0))
        tl.store(out_ptr + row * columns + offsets, e / tl.sum(e, 0), mask=offsets < columns)


for n in (256, 300):
    x = torch.rand(n, device="cuda")
    out = torch.empty_like(x)
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n, 0.5)
    torch.testing.assert_close(out, x / 2)
    assert scale.best_config.kwargs["BLOCK"] == 64
negate[lambda meta: (triton.cdiv(300, meta["BLOCK"]),)](x, out, 300)
assert torch.equal(out, -x) and negate.best_config.kwargs["BLOCK"] == 64
x = torch.randn(40, 100, device="cuda")
out = torch.empty_like(x)
kernel = persistent.warmup(x, out, 40, 100, BLOCK=128, num_stages=2, num_warps=8, grid=(1,))
kernel._init_handles()
programs = min(40, properties["multiprocessor_count"] if (properties := triton.runtime.driver.active.utils.get_device_properties(0)) else 0)
assert "tt.func" in kernel.asm["ttir"] and "ttg." in kernel.asm["ttgir"]
assert kernel.n_regs > 0 and kernel.metadata.shared > 0 and kernel.metadata.num_warps == 8
kernel[(programs // 4, 1, 1)](x, out, 40, 100, 128, 2)
torch.testing.assert_close(out, torch.softmax(x, 1))


@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["n"], x_vals=[2**i for i in range(8, 28)], line_arg="provider", line_vals=["triton", "torch"],
                             line_names=["Triton", "Torch"], plot_name="scale", args={}))
def benchmark(n, provider):
    x = torch.rand(n, device="cuda")
    out = torch.empty_like(x)
    run = (lambda: scale[(triton.cdiv(n, 64),)](x, out, n, 2.0)) if provider == "triton" else (lambda: 2 * x)
    ms, low, high = triton.testing.do_bench(run, quantiles=[0.5, 0.2, 0.8])
    return 1 / ms, 1 / high, 1 / low


benchmark.run(print_data=True, show_plots=True)
