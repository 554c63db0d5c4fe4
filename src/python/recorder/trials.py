"""Constructor arguments and inputs of a module that comes without them, found by trial on tensors without values.

Arguments are guessed by name, annotation and default; inputs by shape. What is found is told as the text of get_init_inputs and
get_inputs, so that the module becomes a task."""
import inspect
import itertools
import re
import time

import torch
from torch import nn

WIDTH, HEADS, SIDE, STEPS, BATCH = 64, 4, 16, 16, 4
MOST_CONSTRUCTORS = 24
MOST_FORWARDS = 64   # of one constructor
MOST_SECONDS = 12.0

# The first pattern that is found in a parameter's name gives its candidates, best first; texts of Python expressions.
_BY_NAME = [(re.compile(pattern), candidates.split(" | ")) for pattern, candidates in (
    (r"^(config|cfg|opt|opts|args|hparams)$", ""),
    (r"kwargs$", "{}"),
    (r"drop|^p$|prob", "0.0"),
    (r"eps", "1e-05"),
    (r"act(ivation)?(_?(layer|fn|func|cls|function))?$|nonlin|non_linear", "nn.ReLU | nn.ReLU() | 'relu'"),
    (r"norm(_?(layer|fn|cls|type))?$", "nn.LayerNorm | nn.BatchNorm2d | 'batch' | True"),
    (r"conv(_?(layer|fn|cls))?$", "nn.Conv2d"),
    (r"bias|inplace|affine|^use_|^has_|^is_|^with_|learn|residual|shortcut|causal|bidirectional", "True | False"),
    (r"kernel|window|^k$|^ks$|filter_size", "3 | (3, 3) | 4"),
    (r"stride|dilation|group", "1"),
    (r"pad", "1 | 0"),
    (r"head(s)?$|n_?head", "4"),
    (r"head_dim|dim_head|head_size", "16"),
    (r"mlp_ratio|expan|mult|factor", "4 | 2.0"),
    (r"reduction$", "16 | 'mean' | 4"),
    (r"ratio|squeeze|^r$|rd_", "4 | 0.25"),
    (r"patch", "4"),
    (r"img|image|resolution|height|width|spatial|grid|^size$|^h$|^w$|crop", "16 | (16, 16)"),
    (r"seq|len|steps|context|^t$|max_pos|window", "16"),
    (r"vocab|num_emb|n_token|num_class|n_class|classes|num_labels|^nc$", "10"),
    (r"depth|layer|block|^num_|^n_|repeat|order|level|stage|^n$|scales", "2"),
    (r"sizes|dims|channels_list|widths|hidden_layers|units$|layers$", "[64, 64] | 64"),
    (r"scale|alpha|beta|gamma|lambda|temp|tau|margin|sigma|weight|slope|momentum|thresh|smooth|delta|init_value", "0.5 | 1.0"),
    (r"in_|out_|dim|chan|feat|hidden|embed|width|planes|filter|size|units|input|output|model|inner|mid|ch$|chs$|^c\d?$|nf|^d$|^e$",
     "64 | 32"),
    (r"mode|method|type|kind", "'bilinear' | 'sum' | 'mean' | 'linear'"),
    (r"module|fn|net|model|block|body|layer", "nn.Identity() | nn.Linear(64, 64)"),
)]
_BY_ANNOTATION = [(re.compile(pattern, re.I), candidates.split(" | ")) for pattern, candidates in (
    (r"^bool", "True | False"), (r"^(optional\[)?float", "0.5 | 1.0"), (r"(tuple|sequence|list|iterable).*int", "[64, 64] | (16, 16) | (3, 3)"),
    (r"int", "64 | 4 | 3"), (r"^str", "'relu' | 'mean' | 'same'"), (r"module", "nn.Identity() | nn.ReLU"), (r"callable|type", "nn.ReLU | nn.LayerNorm"),
    (r"tensor", "torch.ones(64)"),
)]
_ANY = "64 | 2 | 0.5 | None".split(" | ")

_INPUT_WIDTH = re.compile(r"^(in|inp|input|dim|d_model|embed|hidden|n_embd|chan|c_in|feat|num_feat|n_feat|q_dim|query)")
_IMAGE_SIDE = re.compile(r"img|image|resolution|input_size|spatial")


def _shapes(width, side):
    """Usual inputs of so many channels, likely ones first."""
    return [(BATCH, width, side, side), (BATCH, STEPS, width), (BATCH, width), (BATCH, width, STEPS), (2, width, 8, side, side),
            (BATCH, side, side, width)]


_OTHER_SHAPES = [(BATCH, 3, SIDE, SIDE), (BATCH, 1, SIDE, SIDE), (BATCH, 4, 4, 4), (BATCH, 2 * WIDTH, SIDE, SIDE), (BATCH, 2 * WIDTH),
                 (BATCH, HEADS, STEPS, WIDTH // HEADS), (BATCH,), (BATCH, 32, SIDE, SIDE), (BATCH, STEPS, 32), (WIDTH, WIDTH)]


def find(load, wanted, attempt):
    """`load()` gives the task module, `attempt(make, call)` runs both under a fresh recording. The reply, as JSON."""
    began = time.monotonic()
    state = {"first": "", "constructed": False}

    def note(error, where):
        if not state["first"] or (where == "forward" and not state["constructed"]):
            state["first"] = f"{where}: {type(error).__name__}: {error}"[:400]
        state["constructed"] = state["constructed"] or where == "forward"
    cls = getattr(load(), wanted)
    scope = {"nn": nn, "torch": torch}
    for arguments in itertools.islice(_arguments(cls), MOST_CONSTRUCTORS):
        for inputs in itertools.islice(_inputs(cls, arguments), MOST_FORWARDS):
            if time.monotonic() - began > MOST_SECONDS:
                return {"kind": "no_inputs", "message": "the time for trials is over; " + state["first"]}
            where = ["constructor"]
            try:
                made = lambda: cls(**{k: eval(v, scope) for k, v in arguments.items()})  # noqa: E731
                if attempt(made, lambda: {k: eval(v, scope) for k, v in inputs.items()}, where):
                    return {"kind": "inputs", "text": _text(arguments, inputs)}
                note(ValueError("it gives no tensor of numbers"), "forward")
            except Exception as error:
                note(error, where[0])
                if where[0] == "constructor":
                    break  # other inputs will not help
    return {"kind": "no_inputs", "message": state["first"] or "nothing fits its parameters"}


def _parameters(function, skip_self=True):
    parameters = list(inspect.signature(function).parameters.values())
    return [p for p in parameters[1 if skip_self else 0:] if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _arguments(cls):
    """Constructor arguments, likely ones first: every combination of candidates, those that differ little from the first before others."""
    if cls.__init__ is nn.Module.__init__:
        yield {}
        return
    needed = [p for p in _parameters(cls.__init__) if p.default is p.empty]
    choices = [_candidates(p) for p in needed]
    if any(not c for c in choices):
        return
    for picks in _by_distance([len(c) for c in choices]):
        yield {p.name: c[i] for p, c, i in zip(needed, choices, picks)}


def _candidates(parameter):
    name = parameter.name.lower()
    annotation = "" if parameter.annotation is parameter.empty else str(getattr(parameter.annotation, "__name__", parameter.annotation))
    named = next((c for pattern, c in _BY_NAME if pattern.search(name)), None)
    if named == [""]:
        return []
    typed = next((c for pattern, c in _BY_ANNOTATION if pattern.search(annotation)), []) if annotation else []
    if named and typed:
        fitting = [c for c in named if _fits(c, annotation)]
        named = fitting or []
    return list(dict.fromkeys([*(named or []), *typed])) or _ANY


def _fits(candidate, annotation):
    value = eval(candidate, {"nn": nn, "torch": torch})
    kind = annotation.lower()
    if isinstance(value, bool):
        return "bool" in kind
    if isinstance(value, int):
        return "int" in kind or kind.startswith("float")
    if isinstance(value, float):
        return "float" in kind
    if isinstance(value, str):
        return "str" in kind
    return not kind.startswith(("bool", "int", "float", "str"))


def _by_distance(sizes):
    """Index tuples: first all zeros, then those where one differs, then two."""
    zero = [0] * len(sizes)
    yield tuple(zero)
    for changed in range(1, min(len(sizes), 2) + 1):
        for places in itertools.combinations(range(len(sizes)), changed):
            for values in itertools.product(*[range(1, sizes[p]) for p in places]):
                picks = list(zero)
                for place, value in zip(places, values):
                    picks[place] = value
                yield tuple(picks)


def _widths_and_sides(cls, arguments):
    """What the constructor's own numbers say of its inputs."""
    numbers = {p.name: p.default for p in _parameters(cls.__init__)} if cls.__init__ is not nn.Module.__init__ else {}
    numbers.update({k: eval(v, {"nn": nn, "torch": torch}) for k, v in arguments.items()})
    whole = {k: v[0] if isinstance(v, (tuple, list)) and v else v for k, v in numbers.items()}
    whole = {k.lower(): v for k, v in whole.items() if type(v) is int and 0 < v <= 4096}
    widths = [v for k, v in whole.items() if _INPUT_WIDTH.search(k)]
    sides = [v for k, v in whole.items() if _IMAGE_SIDE.search(k)]
    return list(dict.fromkeys([*widths[:3], WIDTH])), list(dict.fromkeys([*sides[:1], SIDE]))


def _inputs(cls, arguments):
    parameters = _parameters(cls.forward)
    needed = [p for p in parameters if p.default is p.empty]
    if not needed:
        needed = parameters[:1]
    if not needed:
        yield {}
        return
    widths, sides = _widths_and_sides(cls, arguments)
    shapes = [shape for width in widths for side in sides for shape in _shapes(width, side)]
    for shape in dict.fromkeys([*shapes, *_OTHER_SHAPES]):
        seen = []
        for style in range(3):  # of the inputs behind the first
            given = {p.name: _input(p, i, shape, style) for i, p in enumerate(needed)}
            if given not in seen:
                seen.append(given)
                yield given
    words = {p.name: f"torch.randint(0, 10, [{BATCH}, {STEPS}])" if i == 0 else _input(p, i, (BATCH, STEPS), 0) for i, p in enumerate(needed)}
    yield words
    if len(needed) == 1:
        yield {needed[0].name: f"[torch.rand([{BATCH}, {WIDTH}, {SIDE}, {SIDE}]), torch.rand([{BATCH}, {WIDTH}, {SIDE // 2}, {SIDE // 2}])]"}
        yield {needed[0].name: f"[torch.rand([{BATCH}, {STEPS}, {WIDTH}]), torch.rand([{BATCH}, {STEPS}, {WIDTH}])]"}


def _input(parameter, index, shape, style):
    name = parameter.name.lower()
    like = f"torch.rand([{', '.join(map(str, shape))}])"
    if re.search(r"ids$|^ids|tokens|indices|^idx", name):
        return f"torch.randint(0, 10, [{BATCH}, {STEPS}])"
    if re.search(r"^(h|w|height|width|size|num_.*|n)$", name) and index > 0:
        return str(SIDE)
    if re.search(r"timestep|^t$|time|sigma", name) and index > 0:
        return f"torch.rand([{BATCH}])"
    if "mask" in name and index > 0:
        masks = [(*shape[:-1],), (shape[0], STEPS, STEPS), shape]
        return f"torch.ones([{', '.join(map(str, masks[style]))}])"
    if re.search(r"target|label|^y$|gt|truth", name) and index > 0 and style > 0:
        places = (shape[0], *shape[2:]) if style == 1 else (shape[0],)
        return f"torch.randint(0, 4, [{', '.join(map(str, places))}])"
    if index > 0 and style == 1 and len(shape) > 1:
        return f"torch.rand([{shape[0]}, {WIDTH}])"
    return like


def _text(arguments, inputs):
    """As Python writes it: in normal form, so that nothing changes when it is normalised."""
    given = "{" + ", ".join(f"{k!r}: {v}" for k, v in arguments.items()) + "}"
    return (f"\n\ndef get_inputs():\n    return [{', '.join(inputs.values())}]\n\n"
            f"def get_init_inputs():\n    return [[], {given}]\n")
