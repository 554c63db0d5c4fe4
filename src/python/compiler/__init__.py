"""The code inside a sandboxed process that compiles one Triton kernel; the other side is src/python/kernel_compiler.cpp."""
