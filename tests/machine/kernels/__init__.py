"""Kernels against which the kernel machine is proven: one file a family, registered by case.py, written out by make_cases.py."""
