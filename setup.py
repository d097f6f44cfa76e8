"""Builds the compiled core, tallyplan/core/*.cpp, into one shared library beside its sources or in the wheel.

Each source is compiled once for every kind of processor (`VARIANTS`), but for library.cpp, which belongs to
none, and closed_walks.cpp, which has no loops for vectors and is compiled as plain alone. The compiler is
$CXX, or the system's, or zig from the package `ziglang`, which the build asks for where there is no other.
The library knows the hash of its sources, and is loaded by ctypes: one wheel of a platform serves every
Python.
$TALLYPLAN_PLATFORM, a tag of `TARGETS`, makes zig compile for another machine (`make wheels`).
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

CORE = Path("tallyplan", "core")
LIBRARY, PLAIN = CORE / "library.cpp", CORE / "closed_walks.cpp"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wno-sign-conversion"]
WARNINGS += ["-Wno-psabi"]  # vectors wider than the processor's are passed, but never between two files
FLAGS = ["-std=c++20", "-O3", "-g0", "-fPIC", "-fvisibility=hidden", *WARNINGS]  # -g0: zig is slower without
TARGETS = {  # the tags of our wheels, and zig's words for the same
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
}
TAG = os.environ.get("TALLYPLAN_PLATFORM", "")
WINDOWS = TAG.startswith("win") if TAG else sys.platform == "win32"
VARIANTS = {"plain": []}  # in this order they are linked: see `build`
if (TAG or platform.machine()).lower().endswith(("x86_64", "amd64")):
    VARIANTS["avx2"] = ["-mavx2", "-mbmi", "-mbmi2"]
    VARIANTS["avx512"] = [*VARIANTS["avx2"], "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]


def sources() -> list[Path]:
    """Everything that the library is made of, in order."""
    return sorted(path for path in CORE.iterdir() if path.suffix in (".h", ".hpp", ".cpp"))


def sources_hash() -> str:
    """As tallyplan/core/library.py computes it."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources())).hexdigest()


def compiler() -> list[str]:
    """The command that compiles C++; on Windows zig, since Microsoft's has no integers of 128 bits."""
    zig = [sys.executable, "-m", "ziglang", "c++"]
    if TAG:
        return [*zig, "-target", TARGETS[TAG]]
    if os.environ.get("CXX"):
        return shlex.split(os.environ["CXX"])
    if not WINDOWS:
        for name in ("c++", "g++", "clang++"):
            if shutil.which(name):
                return [name]
    return zig


def build(target: Path, extra: list[str]) -> None:
    """Compile and link.

    Functions of the standard library may come compiled for several variants, and the linker keeps the first.
    That is the plainest of them, since objects are linked in the order of the variants: every processor that
    reaches it can run it.
    """
    command = [*compiler(), *FLAGS, *extra]
    with tempfile.TemporaryDirectory() as folder:
        known = [f'-DTP_SOURCES="{sources_hash()}"', f'-DTP_VARIANTS="{" ".join(VARIANTS)}"']
        jobs = [(LIBRARY, Path(folder, "library.o"), known)]
        for variant, flags in VARIANTS.items():
            for path in (path for path in sources() if path.suffix == ".cpp" and path != LIBRARY):
                if path != PLAIN or variant == "plain":
                    made = Path(folder, f"{path.stem}_{variant}.o")
                    jobs.append((path, made, [*flags, f"-DTP_VARIANT={variant}"]))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            commands = [[*command, *flags, "-c", str(path), "-o", str(made)] for path, made, flags in jobs]
            list(pool.map(subprocess.check_call, commands))
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(folder, target.name)
        linked = ["-shared", *([] if WINDOWS else ["-pthread"])]
        linked += ["-s"] if "ziglang" in command else []  # what zig has for debuggers is large
        objects = [str(path) for _, path, _ in jobs]
        subprocess.check_call([*command, *linked, *objects, "-o", str(made)])
        shutil.copyfile(made, f"{target}.new")
        os.replace(f"{target}.new", target)  # whoever has the old one loaded keeps it


class Library(build_ext):
    """Builds the library in place of an extension module."""

    def get_ext_filename(self, fullname: str) -> str:
        """No version of Python in the name."""
        return os.path.join(*fullname.split(".")) + (".dll" if WINDOWS else ".so")

    def build_extension(self, ext: Extension) -> None:
        """Unless it is there already, from the same sources. $CXXFLAGS come last."""
        target, extra = Path(self.get_ext_fullpath(ext.name)), shlex.split(os.environ.get("CXXFLAGS", ""))
        if extra or not target.exists() or sources_hash().encode() not in target.read_bytes():
            build(target, extra)


class AnyPython(bdist_wheel):
    """The tag of a wheel that depends on the platform, and on no version of Python."""

    def get_tag(self) -> tuple[str, str, str]:
        """py3-none-platform."""
        return "py3", "none", TAG or super().get_tag()[2]


setup(
    ext_modules=[Extension("tallyplan.core.compiled", [str(path) for path in sources()])],
    cmdclass={"build_ext": Library, "bdist_wheel": AnyPython},
    setup_requires=["ziglang"] if "ziglang" in compiler() else [],
)
