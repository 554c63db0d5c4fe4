"""Triton's profiler, which needs a GPU's: what it is asked to profile runs, and there is no profile."""
import contextlib
import importlib.util
import sys
import types

_NAMES = ("start", "activate", "deactivate", "finalize", "enter_scope", "exit_scope", "enter_state", "exit_state")


class _Scope(contextlib.ContextDecorator):
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def _profile(function=None, **kwargs):
    return function if function is not None else _profile


def install():
    name = "triton.profiler"
    module, viewer = types.ModuleType(name), types.ModuleType(name + ".viewer")
    found = importlib.util.find_spec(name)
    module.__path__ = list(found.submodule_search_locations or []) if found else []
    for one in _NAMES:
        setattr(module, one, lambda *args, **kwargs: None)
    module.scope = module.cpu_timed_scope = module.state = module.metadata_state = _Scope
    module.profile, module.DEFAULT_PROFILE_NAME, module.viewer = _profile, "proton", viewer
    viewer.parse = lambda *args, **kwargs: (None, None)
    viewer.print_tree = lambda *args, **kwargs: None
    sys.modules.update({module.__name__: module, viewer.__name__: viewer})
