"""Runs files as they stand, on a real device. src/python/live.h is the other side."""
