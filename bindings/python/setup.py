"""Puts the declarations of the C headers and the shared library into the package. TRILOBITE_BUILD names the build folder
of Trilobite (by default build beside the sources); without a library there, the one of the system is used."""
import os
import re
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("TRILOBITE_BUILD", os.path.join(ROOT, "build"))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def declarations(include):
    """All public headers in the order of their includes, without comments and preprocessor lines: cffi reads the rest."""
    done, out = set(), []

    def add(name):
        if name in done:
            return
        done.add(name)
        text = read(os.path.join(include, name))
        for wanted in re.findall(r'^#include "(trilobite/\w+\.h)"', text, re.M):
            add(wanted)
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.S | re.M)
        text = re.sub(r"\\\n", " ", text)
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        out.append(re.sub(r"\bTRILO_API\b", "", text))

    add("trilobite/trilobite.h")
    return re.sub(r"\n\s*\n+", "\n", "\n".join(out))


class Build(build_py):
    def run(self):
        super().run()
        package = os.path.join(self.build_lib, "trilobite")
        with open(os.path.join(package, "_declarations.h"), "w", encoding="utf-8") as file:
            file.write(declarations(os.path.join(ROOT, "include")))
        library = os.path.join(BUILD, "libtrilobite.so")
        if os.path.exists(library):
            shutil.copyfile(os.path.realpath(library), os.path.join(package, "libtrilobite.so"))


class Binary(Distribution):
    """A wheel with a library is for one kind of machine."""

    def has_ext_modules(self):
        return os.path.exists(os.path.join(BUILD, "libtrilobite.so"))


core = read(os.path.join(ROOT, "include", "trilobite", "core.h"))
setup(version=re.search(r'define TRILO_VERSION +"([^"]+)"', core)[1], cmdclass={"build_py": Build}, distclass=Binary)
