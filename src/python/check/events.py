"""What happens, told to the parent as it happens: lines of JSON on a descriptor of our own, so that a script that dies has told all before."""
import json
import os

descriptor = 3


def send(kind, **fields):
    data = json.dumps({"event": kind, **fields}, separators=(",", ":"), default=str).encode() + b"\n"
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]
