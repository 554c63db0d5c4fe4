"""Text in the manner of Inductor's output for a module: @triton.jit kernels and a class `<entry point>New` that launches them.
It parses and looks plausible; it is not meant to run. Used by make_synthetic_kernelbook.py; all text is our own."""

POINTWISE = [
    "tmp{n} = tmp{a} * tmp{b}",
    "tmp{n} = tmp{a} + tmp{b}",
    "tmp{n} = tl.sigmoid(tmp{a})",
    "tmp{n} = libdevice.tanh(tmp{a})",
    "tmp{n} = tl_math.exp(tmp{a})",
    "tmp{n} = triton_helpers.maximum(tmp{a}, tmp{b})",
    "tmp{n} = tmp{a} - tmp{b}",
    "tmp{n} = libdevice.sqrt(tmp{a})",
    "tmp{n} = tmp{a} > tmp{b}",
    "tmp{n} = tl.where(tmp{a} > 0, tmp{a}, tmp{b})",
    "tmp{n} = tl.full([1], {c}, tl.float32) + tmp{a}",
    "tmp{n} = tmp{a} / tmp{b}",
    "tmp{n} = tmp{a} * {c}",
]
FUSED = [
    "add",
    "mul",
    "sigmoid",
    "tanh",
    "relu",
    "convolution",
    "native_layer_norm",
    "_softmax",
    "mean",
    "div",
    "sub",
    "exp",
    "pow",
    "sum",
    "clone",
    "gelu",
]


def kernel(r, number):
    """(name, arguments, text)"""
    inputs, elements = r.randint(1, 4), 2 ** r.randint(6, 20)
    name = "triton_%s_fused_%s_%d" % (r.choice(["poi", "per", "red"]), "_".join(r.sample(FUSED, r.randint(1, 4))), number)
    pointers = [f"in_ptr{i}" for i in range(inputs)] + ["out_ptr0"]
    lines = ["@triton.jit", f"def {name}({', '.join(pointers)}, xnumel, XBLOCK: tl.constexpr):"]
    if r.random() < 0.8:
        lines.append(f"    xnumel = {elements}")
    lines += [
        "    xoffset = tl.program_id(0) * XBLOCK",
        "    xindex = xoffset + tl.arange(0, XBLOCK)[:]",
        "    xmask = xindex < xnumel",
        "    x0 = xindex",
        f"    x1 = xindex // {2 ** r.randint(1, 6)} % {2 ** r.randint(1, 6)}",
    ]
    for i in range(inputs):
        index = r.choice(["x0", "x1", f"{r.randint(1, 64)} * x1", f"x0 + {2 ** r.randint(2, 10)} * x1"])
        lines.append(
            f"    tmp{i} = tl.load(in_ptr{i} + ({index}), xmask{r.choice(['', ', eviction_policy=' + repr('evict_last'), ', other=0.0'])})"
        )
    count = inputs
    for _ in range(r.randint(4, 34)):
        lines.append(
            "    " + r.choice(POINTWISE).format(n=count, a=r.randrange(count), b=r.randrange(count), c=round(r.uniform(0.01, 9), 4))
        )
        count += 1
    lines.append(f"    tl.store(out_ptr0 + (x0), tmp{count - 1}, xmask)")
    return name, pointers, elements, "\n".join(lines)


def triton_files(r, python_text, entry_point, kernels):
    """(triton_code, original_triton_code)"""
    made = [kernel(r, i) for i in range(kernels)]
    head = [
        "import torch",
        "from torch._inductor.select_algorithm import extern_kernels",
        "import triton",
        "import triton.language as tl",
        "from torch._inductor.runtime.triton_heuristics import grid",
        "from torch._C import _cuda_getCurrentRawStream as get_raw_stream",
        "from torch._inductor.runtime import triton_helpers",
        "from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math",
        "import torch.nn as nn",
        "import torch.nn.functional as F",
        "assert_size_stride = torch._C._dynamo.guards.assert_size_stride",
        "empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda",
        "reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor",
    ]
    call = [
        "def call(args):",
        "    primals_1, primals_2, primals_3 = args",
        "    args.clear()",
        "    assert_size_stride(primals_1, (4, 4, 4, 4), (64, 16, 4, 1))",
        "    with torch.cuda._DeviceGuard(0):",
        "        torch.cuda.set_device(0)",
    ]
    for i, (name, pointers, elements, _) in enumerate(made):
        if r.random() < 0.4:
            call += [
                f"        buf{i}e = empty_strided_cuda((64, {elements // 16}), ({elements // 16}, 1), torch.float32)",
                f"        extern_kernels.mm(reinterpret_tensor(primals_1, (64, 4), (4, 1), 0), reinterpret_tensor(primals_2, (4, 64), (1, 4), 0), out=buf{i}e)",
            ]
        inputs = ", ".join(r.choice(["primals_1", "primals_2", "primals_3", f"buf{max(i - 1, 0)}"]) for _ in pointers[:-1])
        call += [
            f"        buf{i} = empty_strided_cuda(({max(elements // 64, 1)}, 4, 4, 4), (64, 16, 4, 1), torch.float32)",
            "        get_raw_stream(0)",
            f"        {name}[grid({elements})]({inputs}, buf{i}, {elements}, XBLOCK={r.choice([64, 128, 256])}, num_warps={r.choice([1, 4, 8])}, num_stages=1)",
        ]
    call.append(f"    return buf{kernels - 1}, primals_1, primals_3")
    classes = python_text.split("\n\n\ndef get_inputs")[0].split("\n\n\n", 1)[1]
    start = classes.index(f"class {entry_point}(nn.Module)")
    before, own = classes[:start], classes[start:]
    setup = (
        own.split("    def forward", 1)[0]
        .replace(f"class {entry_point}(", f"class {entry_point}New(")
        .replace(f"super({entry_point},", f"super({entry_point}New,")
    )
    body = [
        "    def forward(self, input_0):",
        "        primals_1 = input_0",
        "        primals_2 = self.state_dict()",
        "        primals_3 = input_0",
        "        output = call([primals_1, primals_2, primals_3])",
        "        return output[0]",
    ]
    new = (
        "\n\n\n".join(["\n".join(head)] + [k[3] for k in made] + ["\n".join(call)])
        + "\n\n\n"
        + before
        + setup
        + "\n".join(body)
        + "\n"
    )

    original = [
        "# AOT ID: ['%d_forward']" % r.randrange(1000),
        "from ctypes import c_void_p, c_long, c_int",
        "import torch, math, random, os, tempfile",
        "import torch",
    ] + head[1:]
    original += [
        "inductor_ops = torch.ops.inductor",
        "_quantized = torch.ops._quantized",
        "alloc_from_pool = torch.ops.inductor._alloc_from_pool",
    ]
    parts = ["\n".join(original)]
    for i, (name, pointers, elements, text) in enumerate(made):
        types = ", ".join(f"{j}: '*fp32'" for j in range(len(pointers)))
        listing = "\n".join(
            "    #   %"
            + line.split(" = ")[0].strip()
            + " : [num_users=1] = call_function[target=torch.ops.aten."
            + r.choice(FUSED)
            + ".default]"
            for line in text.split("\n")[7:8]
            if " = " in line
        )
        parts.append(
            f"# kernel path: /tmp/torchinductor/{r.getrandbits(128):032x}.py\n# Source Nodes: [{entry_point.lower()}_{i}], Original ATen: [{', '.join(r.sample(FUSED, 3))}]\n"
            f"# Graph fragment:\n"
            + listing.replace("    #", "#")
            + f"\n{name} = async_compile.triton('{name}', '''\nimport triton\nimport triton.language as tl\n"
            "from triton.compiler.compiler import AttrsDescriptor\n\nfrom torch._inductor.runtime import triton_helpers, triton_heuristics\n\n"
            f"@triton_heuristics.pointwise(\n    size_hints=[{elements}],\n    filename=__file__,\n"
            f"    triton_meta={{'signature': {{{types}, {len(pointers)}: 'i32'}}, 'constants': {{}}, 'configs': [AttrsDescriptor(divisible_by_16=(0, 1), equal_to_1=())]}},\n"
            f"    inductor_meta={{'autotune_hints': set(), 'kernel_name': '{name}', 'mutated_arg_names': [], 'no_x_dim': False, 'backend_hash': '{r.getrandbits(256):064X}'}},\n"
            f"    min_elem_per_thread=0\n)\n{text}\n''', device_str='cuda')"
        )
    parts.append("async_compile.wait(globals())\ndel async_compile")
    parts.append("\n".join(call))
    parts.append(
        "def benchmark_compiled_module(times=10, repeat=10):\n    from torch._dynamo.testing import rand_strided\n    from torch._inductor.utils import print_performance\n"
        "    primals_1 = rand_strided((4, 4, 4, 4), (64, 16, 4, 1), device='cuda:0', dtype=torch.float32)\n    fn = lambda: call([primals_1])\n"
        "    return print_performance(fn, times=times, repeat=repeat)\n\n\nif __name__ == \"__main__\":\n    from torch._inductor.wrapper_benchmark import compiled_module_main\n"
        "    compiled_module_main('None', benchmark_compiled_module)\n"
    )
    return new, "\n\n\n".join(parts)
