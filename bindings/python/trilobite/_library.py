"""The shared library, described by its own headers (_declarations.h, made from include/trilobite by setup.py)."""
import ctypes.util
import os

import cffi  # type: ignore[import]

_here = os.path.dirname(os.path.abspath(__file__))

ffi = cffi.FFI()
with open(os.path.join(_here, "_declarations.h"), encoding="utf-8") as _file:
    ffi.cdef(_file.read())


def _find() -> str:
    inside = os.path.join(_here, "libtrilobite.so")
    found = os.environ.get("TRILOBITE_LIBRARY") or (inside if os.path.exists(inside) else ctypes.util.find_library("trilobite"))
    if not found:
        raise ImportError("libtrilobite was not found: install it, or set TRILOBITE_LIBRARY to its path")
    return found


lib = ffi.dlopen(_find())
