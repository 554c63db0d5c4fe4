"""Kernels that are wrong, each with what must be said about it: one file a kind, written out by make_faults.py."""
