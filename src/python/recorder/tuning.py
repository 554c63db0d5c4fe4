"""What an autotuner does around its launches, as far as later calls can see it: the first call of a key tries every configuration on
the caller's own tensors, zeroes and restores what it was told to, and only then launches for good. Later calls do none of that."""
from .failure import NotRecordable

_MAX_CONFIGS = 64  # that are recorded; the judge looks at fewer


class Tuned:
    """What the tuners of one recording have settled."""

    def __init__(self):
        self._configs = {}  # by tuner and key; with the tuner, so that no other takes its place

    def configs(self, tuner, kwargs):
        """The configurations to choose from, and whether this call has to find out about them."""
        if len(tuner.configs) < 2:
            return tuner.configs, False
        key = (id(tuner), *_key(tuner, kwargs))
        known = self._configs.get(key)
        if known is None:
            self._configs[key] = tuner, tuner.prune_configs(kwargs)[:_MAX_CONFIGS]
        return self._configs[key][1], known is None


def _key(tuner, kwargs):
    """As the tuner makes it."""
    given = {k: v for k, v in {**tuner.nargs, **kwargs}.items() if k in tuner.arg_names}
    return [given[k] for k in tuner.keys if k in given] + [str(v.dtype) for v in given.values() if hasattr(v, "dtype")]


def refuse_own_hooks(tuner):
    """They run while it tunes, as often as it likes, and never again: what they do belongs to no call of forward."""
    for name in ("pre_hook", "post_hook"):
        if getattr(tuner, f"user_defined_{name}", False):
            raise NotRecordable(f"an autotuner with a {name} of its own; give reset_to_zero or restore_value, or set up memory in forward")


class ConfigHooks:
    """The hooks of the configurations of one launch. One of them is chosen later, so all must do the same."""

    def __init__(self, program):
        self._program = program
        self._first = None

    def run(self, config, given):
        """Whether this was the first of them: what others do is not recorded again."""
        steps, order = self._program.steps, self._program.order
        begin = len(steps)
        if config.pre_hook is not None:
            config.pre_hook({**given, **config.all_kwargs()})
        done = [{**step, "at": None} for step in steps[begin:]]
        if self._first is None:
            self._first = done
            return True
        if done != self._first:
            raise NotRecordable("an autotuner whose configurations have hooks that differ; do in forward what they do")
        del order[len(order) - len(done):], steps[begin:]
        return False
