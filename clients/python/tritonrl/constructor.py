"""The call that makes a module like a live one."""

import ast
import inspect

import torch

PLAIN = (bool, int, float, str, type(None))
SKIPPED = {"device", "dtype"}  # where a module lies is no part of what it does


def call_text(given):
    """What a caller says of constructor arguments, as in a call: (64,), {'heads': 4} or '64, heads=4'."""
    if given is None or isinstance(given, str):
        return given or ""
    pairs = [(None, one) for one in given] if not isinstance(given, dict) else list(given.items())
    for name, value in pairs:
        if not _is_literal(value):
            raise ValueError(f"init: {value!r} cannot be written as text; pass init as text of a call, such as init=\"Config(64), heads=4\"")
    return ", ".join(f"{name}={value!r}" if name else repr(value) for name, value in pairs)


def _is_literal(value):
    try:
        return ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError, TypeError):
        return False


def found_call(module, name_of):
    """(positional texts, {name: text}) by which type(module) makes such a module: from attributes named like the parameters.

    name_of: gives the text that stands for a class. ValueError says which parameter could not be found."""
    if isinstance(module, torch.nn.Sequential):
        return [_module_text(child, name_of) for child in module], {}
    if isinstance(module, (torch.nn.ModuleList, torch.nn.ModuleDict)):
        raise ValueError(f"{type(module).__name__} has no forward")
    keywords = {}
    for name, parameter in inspect.signature(type(module).__init__).parameters.items():
        if name == "self" or name in SKIPPED or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        text = _argument_text(module, name, parameter, name_of)
        if text is not None:
            keywords[name] = text
    return [], keywords


def _argument_text(module, name, parameter, name_of):
    has_default = parameter.default is not parameter.empty
    if not hasattr(module, name):
        if has_default:
            return None
        raise ValueError(f"{type(module).__name__} keeps no attribute {name!r}, which its constructor takes")
    value = getattr(module, name)
    if isinstance(parameter.default, bool) and (value is None or isinstance(value, torch.Tensor)):
        return repr(value is not None)  # whether there is a bias
    if isinstance(value, torch.nn.Module):
        return _module_text(value, name_of)
    if _is_literal(value):
        return repr(value)
    if has_default:
        return None
    raise ValueError(f"{type(module).__name__}.{name} is {type(value).__name__}, which cannot be written as text")


def _module_text(module, name_of):
    positional, keywords = found_call(module, name_of)
    return f"{name_of(type(module))}({', '.join([*positional, *(f'{n}={t}' for n, t in keywords.items())])})"


def difference(module, made):
    """What `made` has otherwise than `module`, in words, but for the values of its state. Empty: nothing."""
    state, other = module.state_dict(), made.state_dict()
    for name in [*state, *other]:
        if name not in state or name not in other:
            return f"{name} is in one of them alone"
        if isinstance(state[name], torch.Tensor) and (state[name].shape != other[name].shape):
            return f"{name} is {list(state[name].shape)} and {list(other[name].shape)}"
    modules = dict(made.named_modules())
    for path, one in module.named_modules():
        if path not in modules or type(modules[path]).__qualname__ != type(one).__qualname__:
            return f"{path} is another module"
        for name, value in vars(one).items():
            if name == "training" or name.startswith("_") or not isinstance(value, (*PLAIN, tuple)):
                continue
            if vars(modules[path]).get(name, value) != value:
                return f"{path + '.' if path else ''}{name} is {value!r} and {vars(modules[path])[name]!r}"
    return ""
