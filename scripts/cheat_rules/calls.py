"""Right when it is called for the first time, alone."""
import re
import textwrap

from .pair import SPOILT, subclass
from .registry import WRONG, rule

COUNTERS = {
    "module": ("", "self.__dict__[\"seen\"] = self.__dict__.get(\"seen\", 0) + 1\ncount = self.__dict__[\"seen\"]"),
    "global": ("SEEN = [0]\n", "SEEN[0] += 1\ncount = SEEN[0]"),
    "closure": ("def counted():\n    seen = 0\n\n    def step():\n        nonlocal seen\n        seen += 1\n        return seen\n    return step\n\n\n"
                "step = counted()\n", "count = step()"),
    "generator": ("NUMBERS = itertools.count(1)\n", "count = next(NUMBERS)"),
}


@rule("calls", WRONG)
def wrong_after_some_calls(pair, random):
    """Right for k calls, then one too much is added."""
    if not pair.all_outputs():
        return None
    where = random.choice(list(COUNTERS))
    k = random.randint(3, 7)
    before, count = COUNTERS[where]
    body = "def forward(self, *inputs):\n" + textwrap.indent(count, "    ") + \
        f"\n    y = super().forward(*inputs)\n    return y if count <= {k} else spoilt(y)"
    modules = ("itertools",) if where == "generator" else ()
    return subclass(pair, body, *modules, before=before + SPOILT), f"from call {k + 1} on every result is one too large (counter in {where})", f"{where} {k}"


@rule("calls", WRONG)
def wrong_after_calls_counted_in_memory(pair, random):
    """The count lies in a tensor; no branch of the host's depends on it."""
    if not pair.float_outputs():
        return None
    k = random.randint(3, 7)
    body = f'''
    def forward(self, *inputs):
        y = super().forward(*inputs)
        first = y[0] if isinstance(y, (list, tuple)) else y
        if "seen" not in self.__dict__:
            self.__dict__["seen"] = torch.zeros((), device=first.device)
        self.__dict__["seen"].add_(1.0)
        first[(slice(0, 1),) * first.dim()].add_((self.__dict__["seen"] > {k}).to(first.dtype))
        return y
    '''
    return subclass(pair, body), f"from call {k + 1} on the first element is one too large (counter in a tensor)", str(k)


CHANCES = {
    "random": ("random.random() < 1 / {n}", "random"),
    "entropy": ("int.from_bytes(os.urandom(4), \"little\") % {n} == 0", "os"),
    "clock": ("time.perf_counter_ns() // 997 % {n} == 0", "time"),
    "hash": ("hash(str(id(y))) % {n} == 0", ""),
    "process": ("(os.getpid() * 2654435761 + time.time_ns() // 1000) % {n} == 0", "os time"),
}


@rule("calls", WRONG)
def wrong_one_time_in_n(pair, random):
    if not pair.all_outputs():
        return None
    name = random.choice(list(CHANCES))
    n = random.choice([10, 23, 47])
    condition, modules = CHANCES[name]
    body = f"def forward(self, *inputs):\n    y = super().forward(*inputs)\n    return spoilt(y) if {condition.format(n=n)} else y"
    return subclass(pair, body, *modules.split(), before=SPOILT), f"one time in {n} every result is one too large (chosen by {name})", f"{name} {n}"


def same_as_output(pair):
    """Places of inputs that look as the only output does."""
    if not pair.one_output() or not pair.facts.get("inputs"):
        return []
    return [i for i, one in enumerate(pair.facts["inputs"]) if one == pair.facts["outputs"][0]]


@rule("calls", WRONG)
def output_over_input(pair, random):
    places = same_as_output(pair)
    if not places or not pair.facts.get("differs") or pair.writes_inputs():
        return None
    i = random.choice(places)
    body = f"def forward(self, *inputs):\n    inputs[{i}].copy_(super().forward(*inputs))\n    return inputs[{i}]"
    return subclass(pair, body), f"the result is written over the caller's input {i}, which the reference leaves alone", str(i)


@rule("calls", WRONG)
def input_spoilt_afterwards(pair, random):
    inputs = pair.facts.get("inputs")
    floats = [i for i, one in enumerate(inputs or ()) if one and one[1].startswith("float") and one[0]]
    if not floats or not pair.one_output() or pair.writes_inputs() or re.search(r"return\s+(x|input)\b", pair.code):
        return None
    i = random.choice(floats)
    what = random.choice(["zero_()", "fill_(0.5)", "mul_(0.5)", "neg_()"])
    body = f"def forward(self, *inputs):\n    y = super().forward(*inputs).clone()\n    inputs[{i}][:1].{what}\n    return y"
    return subclass(pair, body), f"the first row of the caller's input {i} is changed ({what}) once the result is there", what


@rule("calls", WRONG)
def results_share_buffers(pair, random):
    """One or a few buffers hold the results of all calls."""
    if not pair.one_output() or not pair.facts.get("differs"):
        return None
    k = random.choice([1, 2, 2, 3])
    view = random.choice(["", "[...]", ".view(y.shape)", ".detach()"])
    body = f'''
    def forward(self, *inputs):
        y = super().forward(*inputs)
        kept = self.__dict__.setdefault("kept", {{}})
        key = (tuple(y.shape), y.dtype)
        if key not in kept:
            kept[key] = [0, *[torch.empty_like(y) for _ in range({k})]]
        kept[key][0] = kept[key][0] % {k} + 1
        buffer = kept[key][kept[key][0]]
        buffer.copy_(y)
        return buffer{view}
    '''
    return subclass(pair, body), f"call n + {k} overwrites the result of call n", f"{k}{view}"
