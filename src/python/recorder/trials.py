"""Constructor arguments and inputs of a module that comes without them, found by trial on tensors without values.

Arguments are guessed by name, annotation and default; a configuration is an object that answers whatever it is asked. Inputs are guessed
by what the constructed module's first layers take, by the constructor's numbers, and by what errors say of ranks. What is found is
told as the text of get_init_inputs and get_inputs, so that the module becomes a task. Where the text defines one of them, it holds,
and only the other is looked for: sizes of inputs that are known are what arguments called like widths are first."""
import dataclasses
import inspect
import itertools
import re
import time

import torch
from torch import nn

from . import modules

WIDTH, HEADS, SIDE, STEPS, BATCH = 64, 4, 16, 16, 4
LARGE_BATCH, LARGE_SIDE = 64, 64
MOST_CONSTRUCTORS = 24
MOST_FORWARDS = 64   # of one constructor
MOST_SECONDS = 12.0

# The first pattern that is found in a parameter's name gives its candidates, best first; texts of Python expressions.
_BY_NAME = [(re.compile(pattern), candidates.split(" | ")) for pattern, candidates in (
    (r"^_*(\w+_)?(config|cfg|conf|hparams)$|^(opt|opts|args|params)$", "_configuration()"),
    (r"kwargs$|_params$|_options$|_opts$", "{}"),
    (r"^spatial_dims$|^n_?dims?$|^dimensions?$|^num_dims$", "2 | 3 | 1"),
    (r"drop|^p$|prob", "0.0"),
    (r"eps", "1e-05"),
    (r"act(ivation)?(_?(layer|fn|func|cls|function))?$|nonlin|non_linear", "nn.ReLU | nn.ReLU() | 'relu'"),
    (r"norm(_?(layer|fn|cls|type))?$", "nn.LayerNorm | nn.BatchNorm2d | 'batch' | True"),
    (r"conv(_?(layer|fn|cls))?$", "nn.Conv2d"),
    (r"bias|inplace|affine|^use_|^has_|^is_|^with_|learn|residual|shortcut|causal|bidirectional", "True | False"),
    (r"kernel|window|^k$|^ks$|filter_size", "3 | 1 | (3, 3) | 4"),
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
    (r"^(n|num)_?(feat|chan|ch$|filter|hidden|embd|embed|state|dim|in_|out_|color|unit|plane)", "64 | 32 | 3"),
    (r"depth|layer|block|^num_|^n_|repeat|order|level|stage|^n$|scales", "2 | (2, 2) | nn.Identity() | nn.Identity"),
    (r"sizes|dims|channels_list|widths|hidden_layers|units$|layers$", "[64, 64] | 64"),
    (r"scale|alpha|beta|gamma|lambda|temp|tau|margin|sigma|weight|slope|momentum|thresh|smooth|delta|init_value", "0.5 | 1.0"),
    (r"in_|out_|dim|chan|feat|hidden|embed|width|planes|filter|size|units|input|output|model|inner|mid|ch$|chs$|^c\d?$|nf|^d$|^e$",
     "64 | 32 | (64, 64) | 3"),
    (r"mode|method|type|kind", "'bilinear' | 'sum' | 'mean' | 'linear'"),
    (r"module|fn|net|model|block|body|layer|encoder|decoder|backbone|head", "nn.Identity() | nn.Linear(64, 64) | nn.Conv2d(64, 64, 1)"),
)]
_BY_ANNOTATION = [(re.compile(pattern, re.I), candidates.split(" | ")) for pattern, candidates in (
    (r"^bool", "True | False"), (r"^(optional\[)?float", "0.5 | 1.0"), (r"(tuple|sequence|list|iterable).*int", "[64, 64] | (16, 16) | (3, 3)"),
    (r"int", "64 | 4 | 3"), (r"^str", "'relu' | 'mean' | 'same'"), (r"module", "nn.Identity() | nn.ReLU"), (r"callable|type", "nn.ReLU | nn.LayerNorm"),
    (r"tensor", "torch.ones(64)"),
)]
_ANY = "64 | 2 | 0.5 | None".split(" | ")
# What attributes of configurations are, where it differs from what arguments of that name are.
_BY_SETTING = [(re.compile(pattern), candidate) for pattern, candidate in (
    (r"act(ivation)?(_?(fn|func|function))?$|nonlin", "'relu'"),
    (r"implementation$", "'eager'"),
    (r"init_(scale|std)|initializer|_range$", "0.02"),
    (r"^(output_|return_|use_cache|is_decoder|is_causal|add_cross|gradient_|tie_|prune|scale_attn_by)", "False"),
    (r"chunk_size|_token_id$|_idx$", "0"),
    (r"num_channels|in_chan|input_channels", "3"),
    (r"position_embedding_type", "'absolute'"),
    (r"norm_type|normalization", "'layer_norm'"),
    (r"intermediate|ffn|inner", "128"),
    (r"rope_theta|theta$|base$", "10000.0"),
    (r"_type$|_mode$|^mode$", "'default'"),
)]

_TAKES_WIDTH = re.compile(r"^in_|dim|chan|feat|hidden|embd|embed|width|planes|d_model|size|units|shape|^c\d?$|^d$|^n$|^inp|^oup|in$|out$")
_TAKES_CHANNELS = re.compile(r"chan|planes|^c\d?$|feat")
_INPUT_WIDTH = re.compile(r"^(in|n_feat|num_chan|inp|input|dim|d_model|embed|hidden|n_embd|chan|c_in|feat|num_feat|n_feat|q_dim|query)")
_IMAGE_SIDE = re.compile(r"img|image|resolution|input_size|spatial")


def _shapes(width, side):
    """Usual inputs of so many channels, likely ones first."""
    return [(BATCH, width, side, side), (BATCH, STEPS, width), (BATCH, width), (BATCH, width, STEPS), (2, width, 8, side, side),
            (BATCH, side, side, width), (2, 8, width, side, side)]


_OTHER_SHAPES = [(BATCH, 3, SIDE, SIDE), (BATCH, 1, SIDE, SIDE), (BATCH, 4, 4, 4), (BATCH, 3, 4 * SIDE, 4 * SIDE), (BATCH, 2 * WIDTH, SIDE, SIDE), (BATCH, 2 * WIDTH),
                 (BATCH, HEADS, STEPS, WIDTH // HEADS), (BATCH,), (BATCH, 32, SIDE, SIDE), (BATCH, STEPS, 32), (WIDTH, WIDTH)]


def _shapes_of_layers(module, side):
    """Inputs that the first layers of a constructed module take."""
    shapes = []
    for layer in module.modules():
        if len(shapes) >= 8:
            break
        kind, channels = type(layer).__name__, getattr(layer, "in_channels", getattr(layer, "num_features", None))
        if isinstance(layer, (nn.Conv3d, nn.ConvTranspose3d, nn.BatchNorm3d, nn.InstanceNorm3d)):
            shapes += [(2, channels, 8, side, side), (2, channels, side, side, side)]
        elif isinstance(layer, (nn.Conv2d, nn.ConvTranspose2d, nn.BatchNorm2d, nn.InstanceNorm2d)):
            shapes += [(BATCH, channels, side, side), (2, channels, 2 * side, 2 * side)]
        elif isinstance(layer, (nn.Conv1d, nn.ConvTranspose1d, nn.BatchNorm1d, nn.InstanceNorm1d)):
            shapes += [(BATCH, channels, STEPS), (BATCH, channels)] if kind.startswith("Batch") else [(BATCH, channels, STEPS), (BATCH, channels, 8 * STEPS)]
        elif isinstance(layer, nn.Linear):
            shapes += [(BATCH, STEPS, layer.in_features), (BATCH, layer.in_features)]
        elif isinstance(layer, nn.LayerNorm) and len(layer.normalized_shape) == 1:
            shapes += [(BATCH, STEPS, layer.normalized_shape[0])]
        elif isinstance(layer, nn.GroupNorm):
            shapes += [(BATCH, layer.num_channels, side, side), (BATCH, layer.num_channels, STEPS)]
    return [s for s in dict.fromkeys(shapes) if all(isinstance(n, int) and n > 0 for n in s)]


_RANKS = [re.compile(pattern) for pattern in (
    r"not enough values to unpack \(expected (\d)", r"too many values to unpack \(expected (\d)", r"expected (\d) dims", r"[Ee]xpected (\d)D",
    r"(\d)D or \dD input", r"must be (\d)-dimensional", r"(\d) dimensions? (?:is|are) required", r"expected (\d)-dimensional", r"(\d)D \(unbatched\)")]


def _wanted_rank(error):
    """How many dimensions a failed run says that it wants; None: it does not."""
    text = str(error)
    found = next((m for m in (pattern.search(text) for pattern in _RANKS) if m), None)
    return int(found.group(1)) if found else None


class _Configuration:
    """Answers every attribute by its name, and remembers what it said. Written as the plain object that would have answered the same."""

    def __init__(self):
        vars(self)["_said"] = {}

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_said", "get", "items", "keys", "values"):
            raise AttributeError(name)
        said = self._said
        if name not in said:
            text = next((c for pattern, c in _BY_SETTING if pattern.search(name.lower())), None)
            text = text or next((c[0] for pattern, c in _BY_NAME if pattern.search(name.lower()) and c[0] != "_configuration()"), "64")
            said[name] = text
        return eval(said[name], {"nn": nn, "torch": torch})

    def __setattr__(self, name, value):
        vars(self)[name] = value

    def text(self):
        return "SimpleNamespace(" + ", ".join(f"{k}={v}" for k, v in self._said.items()) + ")"


def find(task, wanted, known, attempt, larger=False):
    """`task` is the loaded module, `known` its inputs where its text has them, `attempt(make, give, where)` runs both under a fresh
    recording. `larger`: inputs that are found are made as large as people's, where that still runs. The reply, as JSON."""
    began = time.monotonic()
    state = {"first": "", "constructed": False, "module": None}

    def note(error, where):
        if not state["first"] or (where == "forward" and not state["constructed"]):
            state["first"] = f"{where}: {type(error).__name__}: {error}"[:400]
        state["constructed"] = state["constructed"] or where == "forward"
    cls = getattr(task, wanted)
    scope = {**vars(task), "nn": nn, "torch": torch}
    for arguments in itertools.islice(_known_arguments(task) or _arguments(cls, scope, known), MOST_CONSTRUCTORS):
        settings = {k: _Configuration() for k, v in arguments.items() if v == "_configuration()"}

        def make():
            if hasattr(task, "get_init_inputs"):
                positional, named = modules.init_arguments(task, "the module")
                state["module"] = cls(*positional, **named)
            else:
                state["module"] = cls(**{k: settings[k] if k in settings else eval(v, scope) for k, v in arguments.items()})
            return state["module"]
        state["module"], ranks, tried = None, None, []
        for _ in range(MOST_FORWARDS):
            inputs = ({} if not tried and not tried.append({}) else None) if known is not None else \
                _next_inputs(cls, arguments, state["module"], ranks, tried)
            if inputs is None:
                break
            if time.monotonic() - began > MOST_SECONDS:
                return {"kind": "no_inputs", "message": "the time for trials is over; " + state["first"]}
            where = ["constructor"]
            try:
                if attempt(make, lambda: known_inputs(task) if known is not None else {k: eval(v, scope) for k, v in inputs.items()}, where):
                    given = {k: settings[k].text() if k in settings else v for k, v in arguments.items()}
                    if larger and known is None:
                        inputs = next((more for more in _larger(inputs) if _runs(attempt, make, more, scope)), inputs)
                    return {"kind": "inputs", "text": _text(None if hasattr(task, "get_init_inputs") else given,
                                                            None if known is not None else inputs, bool(settings))}
                note(ValueError("it gives no tensor of numbers"), "forward")
            except Exception as error:
                note(error, where[0])
                if where[0] == "constructor":
                    break  # other inputs will not help
                ranks = _wanted_rank(error) or ranks
    return {"kind": "no_inputs", "message": state["first"] or "nothing fits its parameters"}


def _runs(attempt, make, inputs, scope):
    try:
        return attempt(make, lambda: {k: eval(v, scope) for k, v in inputs.items()}, [""])
    except Exception:
        return False


def _larger(inputs):
    """The same with more rows and longer sides, or with more rows alone."""
    def grown(side):
        def sizes(match):
            first, *others = [int(size) for size in match.group(1).split(", ")]
            return str([LARGE_BATCH if first == BATCH else first, *[side if size == SIDE else size for size in others]])
        return {k: re.sub(r"\[(\d+(?:, \d+)*)\]", sizes, v) for k, v in inputs.items()}
    if not any(v == str(SIDE) for v in inputs.values()):  # a size that is said in numbers too
        yield grown(LARGE_SIDE)
    yield grown(SIDE)


def known_inputs(task):
    """By place or name; None: the text does not say."""
    if not hasattr(task, "get_inputs"):
        return None
    positional, named = modules.inputs(task, "the module")
    return {**dict(enumerate(positional)), **named}


def _known_arguments(task):
    """What takes the place of guesses: they are asked for where the module is made."""
    return [{}] if hasattr(task, "get_init_inputs") else None


def _next_inputs(cls, arguments, module, rank, tried):
    """The likeliest inputs that were not tried, by what is known by now."""
    options = [o for o in _inputs(cls, arguments, module) if o not in tried]
    if rank is not None:
        options.sort(key=lambda given: _rank_of(given) != rank)
    if not options:
        return None
    tried.append(options[0])
    return options[0]


def _rank_of(given):
    sizes = re.match(r"torch\.rand\(\[([^\]]*)\]\)$", next(iter(given.values()), ""))
    return len(sizes.group(1).split(",")) if sizes else -1


def _parameters(function, skip_self=True):
    parameters = list(inspect.signature(function).parameters.values())
    return [p for p in parameters[1 if skip_self else 0:] if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _arguments(cls, scope, known):
    """Constructor arguments, likely ones first: every combination of candidates, those that differ little from the first before others.
    `known`: the inputs, where they are."""
    if cls.__init__ is nn.Module.__init__:
        yield {}
        return
    needed = [p for p in _parameters(cls.__init__) if p.default is p.empty]
    choices = [_candidates(p, scope, _widths_of(known or {})) for p in needed]
    if any(not c for c in choices):
        return
    for number, picks in enumerate(_by_distance([len(c) for c in choices])):
        arguments = {p.name: c[i] for p, c, i in zip(needed, choices, picks)}
        yield arguments
        if known and number == 0:
            yield from _with_defaults_changed(cls, arguments, _widths_of(known))


def _with_defaults_changed(cls, arguments, widths):
    """Defaults that are widths as the inputs have them: the first, then all."""
    defaulted = [p.name for p in _parameters(cls.__init__) if type(p.default) is int and _TAKES_WIDTH.search(p.name.lower())]
    for width in dict.fromkeys(widths[::-1]):
        for names in [defaulted[:1], defaulted][:len(defaulted)]:
            yield {**arguments, **{name: str(width) for name in names}}


def _widths_of(inputs):
    """The sizes of the first tensor that may be what layers take: of its channels and of its last dimension. Of images the latter is none."""
    shape = next((tuple(v.shape) for v in inputs.values() if isinstance(v, torch.Tensor) and v.is_floating_point() and v.dim() > 0), ())
    return (shape[1],) if len(shape) > 3 else (shape[min(1, len(shape) - 1)], shape[-1]) if shape else ()


def _candidates(parameter, scope, widths=()):
    made = _dataclass_text(parameter.annotation, scope)
    if made:
        return [made]
    name = parameter.name.lower()
    annotation = "" if parameter.annotation is parameter.empty else str(getattr(parameter.annotation, "__name__", parameter.annotation))
    named = next((c for pattern, c in _BY_NAME if pattern.search(name)), None)
    if named == ["_configuration()"]:
        return named
    typed = next((c for pattern, c in _BY_ANNOTATION if pattern.search(annotation)), []) if annotation else []
    if named and typed:
        fitting = [c for c in named if _fits(c, annotation)]
        named = fitting or []
    guessed = list(dict.fromkeys([*(named or []), *typed])) or _ANY
    if widths and _TAKES_WIDTH.search(name) and any(re.fullmatch(r"\d+", g) for g in guessed):
        told = widths if _TAKES_CHANNELS.search(name) else widths[::-1]
        guessed = list(dict.fromkeys([*map(str, told), *guessed]))
    return guessed


def _dataclass_text(annotation, scope):
    """A call that makes the dataclass of the text that the annotation names, fields without defaults guessed; empty: there is none."""
    words = re.findall(r"\w+", annotation if isinstance(annotation, str) else getattr(annotation, "__name__", ""))
    for word in words:
        kind = scope.get(word)
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            missing = [f for f in dataclasses.fields(kind) if f.init and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING]
            given = {f.name: next((c[0] for pattern, c in _BY_NAME if pattern.search(f.name.lower())), "64") for f in missing}
            return f"{word}(" + ", ".join(f"{k}={v}" for k, v in given.items()) + ")"
    return ""


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
    plain = {k: v for k, v in arguments.items() if re.match(r"[\d(\[]", v)}
    numbers.update({k: eval(v) for k, v in plain.items()})
    whole = {k: v[0] if isinstance(v, (tuple, list)) and v else v for k, v in numbers.items()}
    whole = {k.lower(): v for k, v in whole.items() if type(v) is int and 0 < v <= 4096}
    widths = [v for k, v in whole.items() if _INPUT_WIDTH.search(k)]
    sides = [v for k, v in whole.items() if _IMAGE_SIDE.search(k) and v >= 4]
    return list(dict.fromkeys([*widths[:3], WIDTH])), list(dict.fromkeys([*sides[:1], SIDE]))


def _inputs(cls, arguments, module):
    parameters = _parameters(cls.forward)
    needed = [p for p in parameters if p.default is p.empty]
    if not needed:
        needed = parameters[:1]
    if not needed:
        yield {}
        return
    widths, sides = _widths_and_sides(cls, arguments)
    shapes = [shape for width in widths for side in sides for shape in _shapes(width, side)]
    told = _shapes_of_layers(module, sides[0]) if module is not None else []
    for shape in dict.fromkeys([*told, *shapes, *_OTHER_SHAPES]):
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
    if re.search(r"(^|_|[a-z])(len|length|seqlen)$|^n_steps$|^num_(steps|tokens|frames)$", name) and "lengths" not in name:
        return str(STEPS)
    if re.search(r"^(h|w|height|width|size|num_.*|n)$", name) and index > 0:
        return str(SIDE)
    if re.search(r"^(up)?scale(_factor)?$", name) and index > 0 and style == 0:
        return "2"
    if re.search(r"timestep|^t$|time|sigma", name) and index > 0:
        return f"torch.rand([{BATCH}])"
    if "mask" in name and index > 0:
        masks = [(*shape[:-1],), (shape[0], STEPS, STEPS), shape]
        return f"torch.ones([{', '.join(map(str, masks[style]))}]" + (", dtype=torch.bool)" if style < 2 else ")")
    if re.search(r"target|label|^y$|gt|truth", name) and index > 0 and style > 0:
        places = (shape[0], *shape[2:]) if style == 1 else (shape[0],)
        return f"torch.randint(0, 4, [{', '.join(map(str, places))}])"
    if index > 0 and style == 1 and len(shape) > 1:
        return f"torch.rand([{shape[0]}, {WIDTH}])"
    return like


def _text(arguments, inputs, configured):
    """As Python writes it: in normal form, so that nothing changes when it is normalised. None: the text has it already."""
    text = "\nfrom types import SimpleNamespace\n" if configured else ""
    if inputs is not None:
        text += f"\n\ndef get_inputs():\n    return [{', '.join(inputs.values())}]\n"
    if arguments is not None:
        given = "{" + ", ".join(f"{k!r}: {v}" for k, v in arguments.items()) + "}"
        text += ("\n" if inputs is not None else "\n\n") + f"def get_init_inputs():\n    return [[], {given}]\n"
    return text
