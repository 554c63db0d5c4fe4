#!/usr/bin/env python3
"""An event file as TensorBoard's own messages and record writer make it; tests/track/event_file_test.cpp has the same events.

usage: make_event_goldens.py FOLDER     needs: pip install tensorboard
"""
import pathlib
import sys

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.summary.writer.record_writer import RecordWriter

WALL_TIME = 1700000000.25


def text_value(tag, text):
    shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
    return Summary.Value(
        tag=tag,
        metadata=SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text")),
        tensor=TensorProto(dtype="DT_STRING", string_val=[text.encode()], tensor_shape=shape))


def events():
    yield Event(wall_time=WALL_TIME, file_version="brain.Event:2")
    yield Event(wall_time=WALL_TIME, step=5, session_log=SessionLog(status=SessionLog.START))
    for step, values in [(5, {"loss": 1.5, "rate": 2e-4}), (300, {"loss": 0.0, "rate": -0.0}), (1 << 40, {"loss": float("inf")})]:
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()])
        yield Event(wall_time=WALL_TIME, step=step, summary=summary)
    yield Event(wall_time=WALL_TIME, step=6, summary=Summary(value=[text_value("sample/é", "# kernel\n" + "x" * 300)]))
    yield Event(wall_time=WALL_TIME, step=0, summary=Summary(value=[text_value("empty", "")]))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "events.bin", "wb") as file:
        writer = RecordWriter(file)
        for event in events():
            writer.write(event.SerializeToString(deterministic=True))
        writer.flush()


if __name__ == "__main__":
    main()
