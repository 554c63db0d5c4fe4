"""Work is left out at the task's own size, which no CPU computes in full."""
import ast
import re

from .pair import subclass
from .registry import WRONG, rule


def exact_grid(pair, one):
    """All programs of a grid of one dimension have something to do: it covers the elements block by block, or is a number of rows."""
    if any(g != 1 for g in one["grid"][1:]):
        return False
    size = one["grid"][0]
    for shape, _ in [t for t in (pair.facts["outputs"] or []) + (pair.facts["inputs"] or []) if t]:
        count = 1
        rows = [1]
        for s in shape:
            count *= s
            rows.append(count)
        if size in rows or any((size - 1) * b < count <= size * b for n, b in one["values"].items() if n.isupper() and b > 1):
            return True
    return False


def large_grids(pair, least):
    """(kernel, programs) where each program writes a part of an output of its own."""
    out = []
    for kernel in pair.kernels():
        facts = pair.kernel_facts(kernel)
        if facts and pair.output_stores(kernel) and "num_programs" not in pair.text(kernel) and \
                all(f["grid"][0] >= least and exact_grid(pair, f) for f in facts):
            out.append((kernel, min(f["grid"][0] for f in facts)))
    return out


def masked(pair, store, condition):
    """The store with one more condition."""
    mask = next((k.value for k in store.keywords if k.arg == "mask"), store.args[2] if len(store.args) > 2 else None)
    if mask is not None:
        return mask, f"({pair.text(mask)}) & ({condition})"
    return None


@rule("real sizes", WRONG, device_only=True)
def one_program_stores_nothing(pair, random):
    found = [(k, g, s) for k, g in large_grids(pair, 600) for s in pair.only_store(k) if masked(pair, s, "x")]
    if not found:
        return None
    kernel, grid, store = random.choice(found)
    number = random.randint(grid // 3, grid - 2)
    text = pair.replaced(masked(pair, store, f"tl.program_id(0) != {number}"))
    return text, f"program {number} of {grid} of {kernel.name} stores nothing", str(number)


@rule("real sizes", WRONG, device_only=True)
def some_programs_store_nothing(pair, random):
    found = [(k, g, s) for k, g in large_grids(pair, 600) for s in pair.only_store(k) if masked(pair, s, "x")]
    if not found:
        return None
    kernel, grid, store = random.choice(found)
    step = random.choice([p for p in (257, 331, 509) if p < grid])
    rest = random.randint(200, step - 1)
    text = pair.replaced(masked(pair, store, f"tl.program_id(0) % {step} != {rest}"))
    return text, f"of {kernel.name}, programs {rest}, {rest + step}, … of {grid} store nothing", f"{step} {rest}"


def grids_in_text(pair):
    """(first element of a launch's grid, programs at the task's size, kernel)."""
    names = {k.name: g for k, g in large_grids(pair, 600)}
    found = []
    for node in ast.walk(pair.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) and ast.unparse(node.func.value) in names:
            grid = node.func.slice
            if isinstance(grid, ast.Tuple) and grid.elts:
                found.append((grid.elts[0], names[ast.unparse(node.func.value)], ast.unparse(node.func.value)))
    return found


@rule("real sizes", WRONG)
def fewer_programs_at_size(pair, random):
    """Grids of many programs lose some, by arithmetic on their size."""
    found = grids_in_text(pair)
    if not found:
        return None
    element, size, name = random.choice(found)
    unit = random.choice([d for d in (128, 256, 512) if d < size])
    text = pair.replaced((element, f"fewer({pair.text(element)})"))
    return text.rstrip() + f"\n\n\ndef fewer(n):\n    return n - n // {unit}\n", f"{name} is launched with {size // unit} of {size} programs less", str(unit)


def loops_with_rounds(pair, least):
    """(kernel, loop, [begin, end, step] as text, value of end, rounds) of loops that add up, multiply or store."""
    out = []
    for kernel in pair.kernels():
        facts = pair.kernel_facts(kernel)
        if not facts:
            continue
        for loop in [n for n in ast.walk(kernel) if isinstance(n, ast.For) and isinstance(n.iter, ast.Call) and ast.unparse(n.iter.func) == "range"]:
            works = any(isinstance(n, ast.AugAssign) for n in ast.walk(loop)) or pair.calls(loop, "tl.store") or pair.calls(loop, "tl.dot")
            args = [pair.text(a) for a in loop.iter.args]
            if not works or loop.iter.keywords:
                continue
            begin, end, step = ("0", args[0], "1") if len(args) == 1 else (*args, "1")[:3]
            try:
                values = dict(facts[-1]["values"])
                names = {"tl": type("tl", (), {"cdiv": staticmethod(lambda a, b: -(-a // b)), "program_id": staticmethod(lambda _: 0)})}
                first, last, by = (int(eval(e, {"__builtins__": {}}, {**names, **values})) for e in (begin, end, step))
            except Exception:
                continue
            if last > 0 and by > 0 and (last - first) // by >= least and "program_id" not in end:
                out.append((kernel, loop, (begin, end, step), last, (last - first) // by))
    return out


@rule("real sizes", WRONG)
def rounds_left_out_at_size(pair, random):
    """The last rounds of a loop, or its first one, are left out from the task's own size on."""
    found = loops_with_rounds(pair, 4)
    if not found:
        return None
    kernel, loop, (begin, end, step), last, rounds = random.choice(found)
    variant = random.choice(["last round", "first round", "half", "quarter"])
    large = f"(({end}) // {last})"
    new = {"last round": f"range({begin}, ({end}) - {large} * ({step}), {step})",
           "first round": f"range(({begin}) + {large} * ({step}), {end}, {step})",
           "half": f"range({begin}, ({end}) - {large} * (({end}) // 2), {step})",
           "quarter": f"range({begin}, ({end}) - {large} * (({end}) // 4), {step})"}[variant]
    return pair.replaced((loop.iter, new)), f"of the {rounds} rounds of a loop of {kernel.name}, the {variant} is left out at the task's size", variant


def size_arguments(pair, kernel):
    """Integer arguments of the kernel that are large at the task's size, with their values; not constants of the compiler."""
    facts = pair.kernel_facts(kernel)
    plain = {a.arg for a in kernel.args.args if a.annotation is None}
    return [(n, v) for n, v in (facts[-1]["values"] if facts else {}).items() if n in plain and v >= 1024 and all(f["values"].get(n) == v for f in facts)]


@rule("real sizes", WRONG, device_only=True)
def factor_by_size(pair, random):
    """What is stored gets a factor that is one for smaller sizes."""
    if not pair.float_outputs() or not pair.facts.get("largest") or pair.facts["largest"] < 0.01:
        return None
    kernels = [k for k in pair.kernels() if size_arguments(pair, k) and pair.only_store(k)]
    if not kernels:
        return None
    kernel = random.choice(kernels)
    name, value = random.choice(size_arguments(pair, kernel))
    store = pair.only_store(kernel)[0]
    factor = random.choice([0.5, 1.25, -0.125])
    text = pair.replaced((store.args[1], f"({pair.text(store.args[1])}) * (1.0 + {factor} * ({name} // {value}))"))
    return text, f"{kernel.name} multiplies what it stores by {1 + factor} where {name} is {value} or more", f"{name} {factor}"


@rule("real sizes", WRONG)
def part_overwritten_at_size(pair, random):
    """At the task's size the host fills a part of the result."""
    if not pair.one_output():
        return None
    shape = pair.facts["outputs"][0][0]
    count = 1
    for s in shape:
        count *= s
    if count < 4096 or not shape:
        return None
    at = random.randrange(shape[0])
    how = random.choice([f"y[{at}].fill_(7.25)" if len(shape) > 1 else f"y[{at}:{at} + 1].fill_(7.25)", f"y[{at}:].fill_(-3.5)", f"y[:1].add_(4.0)"])
    body = f"def forward(self, *inputs):\n    y = super().forward(*inputs)\n    if y.numel() >= {count}:\n        {how}\n    return y"
    return subclass(pair, body), "at the task's size a part of the result is overwritten", how
