"""The script's own errors: a failed assertion is a finding, but not where a kernel before it was not executed."""
from . import events, launches, places

told = 0  # errors and failed assertions so far
_trusted_after = 0  # launches that were not executed before what runs now, which has nothing of them


def begin_test():
    global _trusted_after
    _trusted_after = launches.unexecuted


def tell(error, test=""):
    global told
    told += 1
    event = getattr(error, "tritonrl_event", None)
    if event is not None:
        events.send("compile_error", **event)
        return
    file, line = places.of_traceback(error.__traceback__)
    kind, message = "failed_assert", str(error)[:4000]
    if not isinstance(error, AssertionError):
        kind = "raised"
    elif launches.unexecuted > _trusted_after:
        kind, message = "raised", f"{message or 'it does not hold'} (a launch before it was not executed)"
    events.send(kind, exception=type(error).__name__, message=message, file=file, line=line, test=test)


def tell_end(exception, message, script):
    """Of a script that ends otherwise than by an exception of its own."""
    global told
    told += 1
    events.send("raised", exception=exception, message=message, file=script, line=0)
