"""Framed messages over the one descriptor that a sandboxed process has: four bytes of length, then a body, which most services write as JSON."""
import json
import os
import socket
import struct

CHANNEL_FD = 3


def receive():
    return json.loads(receive_bytes())


def receive_with_descriptors(most=1):
    """The same, and the descriptors that came with it: where the policy names devices."""
    # all three numbers, else Python would ask the kernel for them, which the sandbox refuses
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=CHANNEL_FD)
    try:
        head, descriptors, _, _ = socket.recv_fds(channel, 4, most)
    finally:
        channel.detach()
    if not head:
        raise EOFError("the parent closed the channel")
    (length,) = struct.unpack("<I", head + _read(4 - len(head)))
    return json.loads(_read(length)), descriptors


def send(message):
    send_bytes(json.dumps(message, separators=(",", ":"), allow_nan=False, check_circular=False).encode())


def receive_bytes():
    (length,) = struct.unpack("<I", _read(4))
    return _read(length)


def send_bytes(body):
    _write(struct.pack("<I", len(body)) + body)


def _read(size):
    chunks = []
    while size:
        chunk = os.read(CHANNEL_FD, min(size, 1 << 20))
        if not chunk:
            raise EOFError("the parent closed the channel")
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _write(data):
    view = memoryview(data)
    while view:
        view = view[os.write(CHANNEL_FD, view):]
