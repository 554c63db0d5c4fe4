"""What TensorBoard's own reader finds in a folder of event files, as JSON. Exit code 77: there is no TensorBoard.

usage: read_events.py FOLDER
"""
import json
import sys

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util.tensor_util import make_ndarray
except ImportError:
    sys.exit(77)

accumulator = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "tensors": 0})
accumulator.Reload()
tags = accumulator.Tags()
print(json.dumps({
    "scalars": {tag: [[e.step, e.value] for e in accumulator.Scalars(tag)] for tag in tags["scalars"]},
    "texts": {tag: [[e.step, make_ndarray(e.tensor_proto)[0].decode()] for e in accumulator.Tensors(tag)] for tag in tags["tensors"]},
    "plugins": {tag: accumulator.SummaryMetadata(tag).plugin_data.plugin_name for tag in tags["tensors"]},
}))
