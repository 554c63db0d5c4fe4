"""Rules that turn an honest candidate into a cheat; scripts/make_cheats.py applies them."""
from . import calls, real_sizes, recordings, torch_work, values
from .registry import RULES

__all__ = ["RULES", "calls", "real_sizes", "recordings", "torch_work", "values"]
