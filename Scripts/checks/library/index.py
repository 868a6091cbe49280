"""Reads the index that the compiler writes with a debug build, with the toolchain's own library."""
import ctypes
import pathlib
import shutil
import sys

REFERENCE = 1 << 2


class Text(ctypes.Structure):
    """A string that the index library owns."""

    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.start, self.length).decode() if self.length else ""


class Index:
    """A reader of an index store. It uses the toolchain's own library."""

    POINTER = ctypes.c_void_p
    ON_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, Text)
    ON_POINTER = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, POINTER)
    RECORD = 2

    def __init__(self, store):
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parents[1]
        library = next((toolchain / "lib").glob("libIndexStore.*"), None)
        if library is None:
            sys.exit(f"{toolchain} has no libIndexStore")
        self.library = ctypes.CDLL(str(library))
        self.store = self.call("store_create", self.POINTER, str(store).encode(), None)
        if not self.store:
            sys.exit(f"{store} is not an index")

    def call(self, name, result, *arguments):
        function = getattr(self.library, f"indexstore_{name}")
        function.restype = result
        plain = [self.POINTER(a) if isinstance(a, int) else a for a in arguments]
        return function(*plain)

    def each(self, name, kind, read, owner, *flags):
        """The results of `read` for the values that the library passes to a callback. A value is valid only during its call."""
        found = []

        def take(_, value):
            found.append(read(value))
            return True

        self.call(name, ctypes.c_bool, owner, *[ctypes.c_uint(flag) for flag in flags], None, kind(take))
        return found

    def dependency(self, part):
        """The kind, the name and the file of a part of a unit."""
        kind = self.call("unit_dependency_get_kind", ctypes.c_int, part)
        texts = [self.call(f"unit_dependency_get_{what}", Text, part) for what in ("name", "filepath")]
        return kind, *map(str, texts)

    def occurrence(self, occurrence):
        """The USR, the line and the column of a reference; `None` for other occurrences, such as a definition."""
        if not self.call("occurrence_get_roles", ctypes.c_uint64, occurrence) & REFERENCE:
            return None
        line, column = ctypes.c_uint(), ctypes.c_uint()
        self.call("occurrence_get_line_col", None, occurrence, ctypes.byref(line), ctypes.byref(column))
        symbol = self.call("occurrence_get_symbol", self.POINTER, occurrence)
        return str(self.call("symbol_get_usr", Text, symbol)), line.value, column.value

    def records(self):
        """The records of the newest build of each file, and the file of each record."""
        records = {}
        for unit in self.each("store_units_apply_f", self.ON_TEXT, str, self.store, 0):
            reader = self.call("unit_reader_create", self.POINTER, self.store, unit.encode(), None)
            if not reader:
                continue
            parts = self.each("unit_reader_dependencies_apply_f", self.ON_POINTER, self.dependency, reader)
            records.update((name, path) for kind, name, path in parts if kind == self.RECORD)
            self.call("unit_reader_dispose", None, reader)
        return records

    def references(self, record):
        """The references in a record. Each consists of the USR of the symbol, the line and the column."""
        reader = self.call("record_reader_create", self.POINTER, self.store, record.encode(), None)
        if not reader:
            return []
        name = "record_reader_occurrences_apply_f"
        found = self.each(name, self.ON_POINTER, self.occurrence, reader)
        self.call("record_reader_dispose", None, reader)
        return [reference for reference in found if reference]
