#!/usr/bin/env python3
"""run.py COUNTED: does any command take more than n log n steps?

COUNTED is the program, compiled so that it counts its steps (count.c). Each command runs with inputs (inputs.py) of n, 2n
and 4n things. What it does more for the last doubling may be 2.6 times of what it does more for the first one: n log n
gives up to 2.3, n squared 4. Where it is more, n is doubled further, as searches in lists of limited length settle, until
STEPS_MOST steps; beyond that only while a doubling adds less than half, as after a search of limited effort. Then once more with all keys of all hash tables equal (flood.h).

By default a part of the inputs, formats and commands; with TRILOBITE_TESTS=full all of them."""
import os, subprocess, sys, tempfile

sys.dont_write_bytecode = True  # nothing is left in the source tree
import inputs  # noqa: E402

COUNTED = os.path.abspath(sys.argv[1])
ONLY = sys.argv[2:]  # names of inputs, for work on one of them
FULL = os.environ.get("TRILOBITE_TESTS") == "full"
FACTOR, STEPS_MOST = 2.6, 3e8
N = 400 if FULL else 100

# What every model is put through; {} is its path, EXT its extension.
ALWAYS = ["check --for t3dm {}", "info --materials --clips --json {}"]
COMMANDS = ["info {}", "check {}", "dump --json {}", "dump --limit 1000000 {}", "dump --triangles {}", "dump --pose 0@0.5 {}",
            "cost {}", "cost --json {}", "render --size 32x32 -o a.png {}", "extract --no-sync -f --textures -o textures {}",
            "diff {} {}", "optimize --no-sync {} o.EXT", "convert --no-sync --reencode {} o.EXT", "check --for nlm {}",
            "check --for model64 {}", "check --for gltf {}"]
COMMANDS_OF = {
    "glb": ["cost --as t3dm {}", "gltf_to_t3d {} o.t3dm --bvh --no-sync", "convert --no-sync -O3 {} o.t3dm",
            "convert --no-sync -O2 --resident --share-vertices {} o.t3dm", "convert --no-sync --skin-fit {} o.t3dm",
            "convert --no-sync --helper-bones 8 {} o.t3dm",
            "optimize --no-sync --simplify 0.5 {} o.glb", "convert --no-sync --external-images {} o.gltf",
            "page --template page.html -o a.html {}"],
    "t3dm": ["extract --no-sync -f --streams -o streams {}", "convert --no-sync {} p.t3dm", "optimize --no-sync -O3 {} o.t3dm",
             "optimize --no-sync -O3 --resident {} o.t3dm", "cost --resident {}", "render --look tv --size 32x32 -o a.png {}"],
    "nlm": [], "model": []}
# Those that use hash tables, in the order of the readers, converters and optimizers that have one.
FLOODED = {
    "glb": ["check {}", "check --for t3dm {}", "optimize --no-sync {} o.glb", "convert --no-sync --reencode {} o.glb"],
    "t3dm": ["check --for gltf {}", "optimize --no-sync {} o.t3dm", "convert --no-sync {} p.t3dm"],
    "nlm": ["check --for t3dm {}"], "model": ["check --for gltf {}", "optimize --no-sync {} o.model"]}
FLOODED_MODELS = ["grid", "materials", "textures", "clips"] + (["equal_textures", "keys_of_an_object", "morph_targets"] if FULL else [])


def steps(command, flood=False):
    """How much the command does; None when it does not get through."""
    env = dict(os.environ, TRILOBITE_WORK="steps", **({"TRILOBITE_FLOOD": "1"} if flood else {}))
    result = subprocess.run([COUNTED, *command.split()], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    if result.returncode < 0 or result.returncode == 70:
        print("FAIL: exit code %d of: %s" % (result.returncode, command))
        sys.exit(1)
    with open("steps") as file:
        return int(file.read()) if result.returncode in (0, 1, 2, 3) else None


class Files:
    """One input in all sizes and formats, made when they are asked for."""

    def __init__(self, model):
        self.model, self.known = model, {}

    def path(self, n, extension):
        path = "%s%d.%s" % (self.model.__name__, n, extension)
        if path not in self.known:
            if extension == "glb":
                with open(path, "wb") as file:
                    file.write(self.model(n).bytes())
                self.known[path] = path
            else:
                merge = " --merge-materials" if extension == "model" else ""
                made = steps("convert -q --no-sync%s %s %s" % (merge, self.path(n, "glb"), path))
                self.known[path] = path if made is not None else None
        return self.known[path]


def measure(name, make_command, flood=False):
    """Prints a failure when what a command does grows faster than it may. True: it could be measured."""
    counts, n = [], N
    while True:
        command = make_command(n)
        count = steps(command, flood) if command else None
        if count is None:
            return len(counts) >= 3
        counts.append(count)
        if len(counts) >= 3:
            first, last = counts[-2] - counts[-3], counts[-1] - counts[-2]
            if last <= FACTOR * max(first, 0) or counts[-1] <= 1.05 * counts[-2]:
                return True
            if (counts[-1] > STEPS_MOST and counts[-1] > 1.5 * counts[-2]) or n > 64 * N:
                break
        n *= 2
    global failures
    failures += 1
    print("FAIL %s%s, n = %d to %d: %s steps" % (name, " with equal hashes" if flood else "", N, n, counts), flush=True)
    return True


def measure_model(model):
    global measured, impossible
    files = Files(model)
    for extension in ("glb", "t3dm", "nlm", "model"):
        commands = ALWAYS + COMMANDS + COMMANDS_OF[extension] if FULL else ALWAYS if extension == "glb" else []
        commands = [(command, False) for command in commands]
        if model.__name__ in FLOODED_MODELS:
            commands += [(command, True) for command in FLOODED[extension]]
        for command, flood in commands:
            def make_command(n):
                path = files.path(n, extension)
                return path and command.replace("{}", path).replace("EXT", extension)
            if measure("%s, %s: %s" % (model.__name__, extension, command), make_command, flood):
                measured += 1
            else:
                impossible += 1
    for path in files.known:
        if os.path.exists(path):
            os.unlink(path)


def measure_others():
    global measured
    for name, make in inputs.OTHERS:
        if not ONLY or name in ONLY:
            if measure(name, make):
                measured += 1
            elif name not in inputs.OPTIONAL:
                print("FAIL %s cannot be measured" % name)
                sys.exit(1)


failures = measured = impossible = 0
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("page.html", "w") as page:
        page.write("<!doctype html>\n<!--trilobite:data-->\n")
    for each in inputs.MODELS:
        if not ONLY or each.__name__ in ONLY:
            measure_model(each)
    measure_others()
    os.chdir("/")
print("%d measured, %d failed, %d not possible" % (measured, failures, impossible))
sys.exit(failures > 0)
