"""Which tests are near which object files: what `tools/check` and `tools/mutate` share.

The objects of the release build form a graph: one points to another when it uses a symbol that the other defines. How
many steps a test file is away from an object says how closely it tests it: a unit test calls its subject directly, while
a test of a whole conversion comes to it by way of the registry."""
import collections
import glob
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build")


def build(preset, *targets, folder=BUILD, options=()):
    """Builds a preset; false when that fails."""
    for command in (["cmake", "--preset", preset, "-B", folder, *options], ["cmake", "--build", folder, "--target", *targets]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(done.stdout)
            return False
    return True


def objects():
    """Source path, from the root of the tree, of each object of the library, the tests and the program. Other presets
    build in folders below build/ too; those do not count."""
    found = {}
    for folder in ("", "tests/"):
        for path in glob.glob(f"{BUILD}/{folder}CMakeFiles/*.dir/**/*.o", recursive=True):
            source = folder + path.split(".dir/", 1)[1][:-2]
            if os.path.exists(os.path.join(ROOT, source)):  # one that was removed leaves its object behind
                found[path] = source
    return found


def graph(sources):
    """For each object, the objects that define what it uses."""
    defined, used = {}, collections.defaultdict(set)
    text = subprocess.run(["nm", "-A", "--format=posix", *sources], stdout=subprocess.PIPE, text=True).stdout
    for line in text.splitlines():
        path, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        if kind == "U":
            used[path].add(name)
        elif kind.isupper():
            defined[name] = path
    return {path: {defined[name] for name in used[path] if name in defined} for path in sources}


def distances(edges, start):
    """Steps from an object to every other that it reaches."""
    steps, queue = {start: 0}, collections.deque([start])
    while queue:
        here = queue.popleft()
        for there in edges.get(here, ()):
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def test_objects(sources):
    """Name of each test in one file, such as unit.arena, and its object."""
    names = {}
    for path, source in sources.items():
        suite, name = os.path.basename(os.path.dirname(source)), os.path.basename(source)[:-2]
        if source.startswith("tests/") and suite in ("unit", "fault") and name.startswith("test_"):
            names[suite + "." + name[5:]] = path
        if suite == "fuzz" and name.startswith("fuzz_"):
            names["fuzz." + name[5:]] = path
    return names


def tests():
    """What ctest would run: name, command, folder to run in."""
    text = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for test in json.loads(text)["tests"]:
        folder = [p["value"] for p in test["properties"] if p["name"] == "WORKING_DIRECTORY"][0]
        found[test["name"]] = (test["command"], folder)
    return found


def costs():
    """Seconds of each test in earlier runs."""
    found = {}
    try:
        with open(BUILD + "/Testing/Temporary/CTestCostData.txt") as file:
            for line in file:
                words = line.split()
                if len(words) == 3:
                    found[words[0]] = float(words[2])
    except OSError:
        pass
    return found
