"""Runs a person's own scripts with every Triton launch executed and checked on the CPU. src/check/check.h is the other side.

The script is trusted, as when its author runs it, and not confined. Events go to the parent as lines of JSON."""
