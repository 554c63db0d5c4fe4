"""First code of our Pythons: makes the embedded modules importable, then serves as a zygote, or hands over to a service that does not
fork confined processes. Started with `python -c`, its input on descriptor 4."""
import gc

gc.disable()  # importing makes objects that stay: looking through them again and again is a seventh of the start
import importlib.abc
import importlib.util
import json
import os
import sys

with os.fdopen(4, "rb") as file:
    BOOT = json.load(file)


class Embedded(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that came with the program, so nothing of ours need be readable on disk."""

    def find_spec(self, name, path=None, target=None):
        stem = name.replace(".", "/")
        for file, package in ((stem + ".py", False), (stem + "/__init__.py", True)):
            if file in BOOT["modules"]:
                return importlib.util.spec_from_loader(name, self, origin="tritonrl:" + file, is_package=package)
        return None

    def exec_module(self, module):
        exec(compile(self.get_source(module.__name__), module.__spec__.origin, "exec"), module.__dict__)

    def get_source(self, name):
        """For tracebacks, and for Triton, which reads the text of its kernels."""
        return BOOT["modules"][self.find_spec(name).origin.removeprefix("tritonrl:")]


def main():
    sys.meta_path.insert(0, Embedded())
    sys.path[:] = [p for p in sys.path if p]  # not the folder we were started in
    service = importlib.import_module(BOOT["service"])
    if not BOOT["library"]:
        return service.main(BOOT["options"])
    service.prepare(BOOT["options"])
    importlib.import_module("zygote").serve(3, BOOT["library"], service.handle)


main()
