"""The kernel machine as a library in this process: tensors are its memory as they lie. src/check/launcher/launcher_api.h says what it takes."""
import ctypes
import json


class Machine:
    def __init__(self, library, options):
        api = ctypes.PyDLL(library)  # keeps the interpreter's lock: it serves one thread at a time

        def function(name, result, *arguments):
            found = getattr(api, "tritonrl_check_" + name)
            found.restype, found.argtypes = result, arguments
            return found
        self._open = function("open", ctypes.c_void_p, ctypes.c_char_p)
        self._add = function("add", ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        self._address = function("address", ctypes.c_uint64, ctypes.c_void_p, ctypes.c_int)
        self._remove = function("remove", None, ctypes.c_void_p, ctypes.c_int)
        self._name = function("name", None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
        self._undefined = function("undefined", None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        self._make = function("make", ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
        self._launch = function("launch", ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p)
        self._session = self._open(json.dumps(options).encode())
        if not self._session:
            raise ValueError(f"the kernel machine does not take these options: {options}")

    def add(self, pointer, size):
        """Memory of the process that kernels may use. Its number and its address as they see it."""
        number = self._add(self._session, pointer, size)
        return number, self._address(self._session, number)

    def remove(self, number):
        self._remove(self._session, number)

    def name(self, number, name):
        self._name(self._session, number, name.encode())

    def undefined(self, number, pointer):
        """One byte for each byte of the memory, not zero where nothing was written; None: all is defined."""
        self._undefined(self._session, number, pointer)

    def make(self, ir, file):
        """{"kernel": number} or {"error": why not}."""
        return json.loads(self._make(self._session, ir.encode(), file.encode()))

    def launch(self, kernel, grid, arguments, figures):
        request = {"kernel": kernel, "grid": grid, "arguments": arguments, **figures}
        return json.loads(self._launch(self._session, json.dumps(request).encode()))


machine = None  # set by main
