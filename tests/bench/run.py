#!/usr/bin/env python3
"""run.py BENCH TRILOBITE MASCOT: the bench over a folder of models, one with a clip that is empty in the source and one
that is refused: both are rows, and neither ends it."""
import json
import os
import struct
import subprocess
import sys

bench, trilobite, mascot = (os.path.abspath(path) for path in sys.argv[1:4])


def run(*args):
    done = subprocess.run(args, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s: exit %d\n%s%s" % (" ".join(args), done.returncode, done.stdout, done.stderr))
    return done.stdout


def edit_glb(source, target, edit):
    data = open(source, "rb").read()
    size = struct.unpack_from("<I", data, 12)[0]
    gltf = json.loads(data[20:20 + size])
    edit(gltf)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size:]
    with open(target, "wb") as out:
        out.write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


def name_and_copy_clip(gltf):
    """Bones and clips are found by their names."""
    for number, node in enumerate(gltf["nodes"]):
        node["name"] = "node%d" % number
    gltf["animations"] = [dict(gltf["animations"][0], name=name) for name in ("walk", "rest")]


def empty_last_clip(gltf):
    """A clip that moves no bone is empty on the console."""
    gltf["nodes"].append({"name": "prop"})
    gltf["scenes"][0]["nodes"].append(len(gltf["nodes"]) - 1)
    clip = gltf["animations"][-1]
    channel = dict(clip["channels"][0], target=dict(clip["channels"][0]["target"], node=len(gltf["nodes"]) - 1))
    gltf["animations"][-1] = dict(clip, channels=[channel])


def check(condition, what, output):
    if not condition:
        sys.exit("%s; the bench printed:\n%s" % (what, output))


os.makedirs("corpus/assets", exist_ok=True)
os.makedirs("corpus/filesystem", exist_ok=True)
run(mascot, "--tiny", "mascot.nlm")
run(trilobite, "convert", "mascot.nlm", "unnamed.glb")
edit_glb("unnamed.glb", "corpus/assets/mascot.glb", name_and_copy_clip)
run(trilobite, "convert", "corpus/assets/mascot.glb", "corpus/filesystem/mascot.t3dm")
run(trilobite, "convert", "corpus/assets/mascot.glb", "corpus/filesystem/empty.t3dm")
run(trilobite, "convert", "corpus/assets/mascot.glb", "corpus/filesystem/broken.t3dm")
edit_glb("corpus/assets/mascot.glb", "corpus/assets/empty.glb", empty_last_clip)
with open("corpus/assets/broken.glb", "wb") as broken:
    broken.write(open("corpus/assets/mascot.glb", "rb").read()[:200])

keys = run(bench, "--filter", "keys-corpus", "--corpus", "corpus")
rows = {name: [line for line in keys.splitlines() if line.startswith("corpus/" + name)] for name in ("mascot", "empty", "broken")}
check(len(rows["mascot"]) == 2, "two clips have no two rows", keys)
check(not any("not in the source" in line or "left out" in line for line in rows["mascot"]), "a clip is not compared", keys)
check(any(" rest " in line and "left out: it is empty" in line for line in rows["empty"]),
      "no row says that a clip is empty", keys)
check(len(rows["broken"]) == 1 and "refused: " in rows["broken"][0], "the refused model has no row", keys)

costs = run(bench, "--filter", "optimize-corpus", "--corpus", "corpus")
broken = [line for line in costs.splitlines() if "broken" in line]
check(len(broken) == 1 and "refused" in broken[0], "the refused model has no row", costs)
check(any("mascot" in line and "refused" not in line for line in costs.splitlines()), "no row of the mascot", costs)
