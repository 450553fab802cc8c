"""Puts the declarations of the C headers and the shared library into the package. TRILOBITE_BUILD names the build folder
of Trilobite (by default build beside the sources); without a library there, the one of the system is used. A source archive
holds the declarations, so it needs neither."""
import os
import re
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INCLUDE = os.path.join(ROOT, "include")
LIBRARY = os.path.join(os.environ.get("TRILOBITE_BUILD", os.path.join(ROOT, "build")), "libtrilobite.so")
DECLARATIONS = os.path.join("trilobite", "_declarations.h")
IN_ARCHIVE = os.path.exists(os.path.join(HERE, DECLARATIONS))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def declarations():
    """All public headers in the order of their includes, without comments and preprocessor lines: cffi reads the rest."""
    done, out = set(), []

    def add(name):
        if name in done:
            return
        done.add(name)
        text = read(INCLUDE, name)
        for wanted in re.findall(r'^#include "(trilobite/\w+\.h)"', text, re.M):
            add(wanted)
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.S | re.M)
        text = re.sub(r"\\\n", " ", text)
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        out.append(re.sub(r"\bTRILO_API\b", "", text))

    add("trilobite/trilobite.h")
    return re.sub(r"\n\s*\n+", "\n", "\n".join(out))


def write_declarations(folder):
    if not IN_ARCHIVE:
        with open(os.path.join(folder, DECLARATIONS), "w", encoding="utf-8") as file:
            file.write(declarations())


class Build(build_py):
    def run(self):
        super().run()
        write_declarations(self.build_lib)
        if os.path.exists(LIBRARY):
            shutil.copyfile(os.path.realpath(LIBRARY), os.path.join(self.build_lib, "trilobite", "libtrilobite.so"))


class Archive(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        write_declarations(base_dir)


class Wheel(bdist_wheel):
    """With a library it is for one kind of machine, but for every Python: cffi loads the library when it runs."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class Binary(Distribution):
    def has_ext_modules(self):
        return os.path.exists(LIBRARY)


if IN_ARCHIVE:
    version = re.search(r"^Version: (.+)$", read(HERE, "PKG-INFO"), re.M)[1]
else:
    version = re.search(r'define TRILO_VERSION +"([^"]+)"', read(INCLUDE, "trilobite", "core.h"))[1]
setup(version=version, distclass=Binary, cmdclass={"build_py": Build, "sdist": Archive, "bdist_wheel": Wheel})
