"""Notices when the candidate's own code reaches for the frames or objects of the process that records it.

A recording is a claim, whatever it took to make it; this only makes the short ways of falsifying one end there. What Python says of itself by its
audit events is looked at as it happens: the process tells of it and ends before the candidate has what it reached for.
"""
import sys

REACHES = frozenset(("sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile", "sys.monitoring.register_callback",
                     "gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys.addaudithook", "ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata"))
FRAMES = frozenset(("tb_frame", "gi_frame", "cr_frame", "ag_frame"))
MAKES_CODE = frozenset(("compile", "exec", "code.__new__", "function.__new__"))


def _files_of(code):
    """Whatever file its author says that it is from."""
    files = {code.co_filename}
    for one in code.co_consts:
        if isinstance(one, type(code)):
            files |= _files_of(one)
    return files


def watch(own_files, tell):
    """Calls tell(what, frame) once code of `own_files`, or code that such code makes while it runs, reaches for one of these."""
    own_files, frame_of, inside = set(own_files), sys._getframe, False

    def is_own(frame):
        return frame is not None and (frame.f_code.co_filename in own_files or frame.f_code.co_filename in ("<string>", "<stdin>", "<unknown>"))

    def adopt(event, args):
        made = args[1] if event in ("compile", "code.__new__") else args[0]
        if isinstance(made, str):
            own_files.add(made)
        elif hasattr(made, "co_consts"):
            own_files.update(_files_of(made))

    def hook(event, args):
        nonlocal inside
        if event in MAKES_CODE and not inside:
            inside = True
            try:
                if is_own(frame_of(1)):
                    adopt(event, args)
            finally:
                inside = False
            return
        if inside or event not in REACHES and not (event == "object.__getattr__" and len(args) > 1 and args[1] in FRAMES):
            return
        inside = True
        try:
            frame = frame_of(1)
            # who asks through the standard library's own looking glass; others of its functions name their callers and give no frame away
            file = frame.f_code.co_filename
            if file.endswith(("/inspect.py", "/logging/__init__.py")) or frame.f_code.co_name in ("walk_stack", "walk_tb"):
                looking = frame.f_back
                while looking is not None and file.endswith("/inspect.py") and looking.f_code.co_filename == file:
                    looking = looking.f_back
                frame = looking
            if is_own(frame):
                tell(event if event != "object.__getattr__" else args[1], frame)
        finally:
            inside = False

    sys.addaudithook(hook)
