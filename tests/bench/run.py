#!/usr/bin/env python3
"""run.py BENCH TRILOBITE MASCOT: the bench over folders of models. Whatever is refused is a row and does not end it: a
model, the .t3dm beside it, one that cannot be encoded, one without a .t3dm, a clip that is empty in the source."""
import json
import os
import shutil
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
    """`edit` gets the JSON, and the bytes from the header of the binary chunk on."""
    data = open(source, "rb").read()
    size = struct.unpack_from("<I", data, 12)[0]
    gltf = json.loads(data[20:20 + size])
    rest = bytearray(data[20 + size:])
    edit(gltf, rest)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    with open(target, "wb") as out:
        out.write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


def name_and_copy_clip(gltf, _):
    """Bones and clips are found by their names."""
    for number, node in enumerate(gltf["nodes"]):
        node["name"] = "node%d" % number
    gltf["animations"] = [dict(gltf["animations"][0], name=name) for name in ("walk", "rest")]


def empty_last_clip(gltf, _):
    """A clip that moves no bone is empty on the console."""
    gltf["nodes"].append({"name": "prop"})
    gltf["scenes"][0]["nodes"].append(len(gltf["nodes"]) - 1)
    clip = gltf["animations"][-1]
    channel = dict(clip["channels"][0], target=dict(clip["channels"][0]["target"], node=len(gltf["nodes"]) - 1))
    gltf["animations"][-1] = dict(clip, channels=[channel])


def delay_clips(gltf, rest):
    """All keys come half a second later."""
    for number in {sampler["input"] for clip in gltf["animations"] for sampler in clip["samplers"]}:
        accessor = gltf["accessors"][number]
        at = 8 + gltf["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
        times = struct.unpack_from("<%df" % accessor["count"], rest, at)
        struct.pack_into("<%df" % accessor["count"], rest, at, *(time + 0.5 for time in times))
        for key in ("min", "max"):
            accessor[key] = [time + 0.5 for time in accessor[key]]


def mesh_named_as_joint(gltf, _):
    """The node of the mesh comes first and has the name of the joint that moves."""
    gltf["nodes"] = [gltf["nodes"][2], dict(gltf["nodes"][0], children=[2]), gltf["nodes"][1]]
    gltf["nodes"][0]["name"] = gltf["nodes"][2]["name"]
    gltf["scenes"][0]["nodes"] = [0, 1]
    gltf["skins"][0]["joints"] = [1, 2]
    for clip in gltf["animations"]:
        for channel in clip["channels"]:
            channel["target"]["node"] = 2


def enlarge(gltf, _):
    """Beyond the 16 bits of a coordinate."""
    gltf["nodes"].append({"mesh": 0, "scale": [1e6, 1e6, 1e6], "name": "huge"})
    gltf["scenes"][0]["nodes"].append(len(gltf["nodes"]) - 1)


def rows_of(output, name):
    return [line for line in output.splitlines() if line.startswith(name)]


def check(condition, what, output):
    if not condition:
        sys.exit("%s; the bench printed:\n%s" % (what, output))


os.makedirs("corpus/assets", exist_ok=True)
os.makedirs("corpus/filesystem", exist_ok=True)
run(mascot, "--tiny", "mascot.nlm")
run(trilobite, "convert", "mascot.nlm", "unnamed.glb")
edit_glb("unnamed.glb", "corpus/assets/mascot.glb", name_and_copy_clip)
for name in ("mascot", "empty", "broken", "cut", "huge", "late"):
    run(trilobite, "convert", "corpus/assets/mascot.glb", "corpus/filesystem/%s.t3dm" % name)
with open("corpus/filesystem/cut.t3dm", "r+b") as cut:
    cut.truncate(200)
edit_glb("corpus/assets/mascot.glb", "corpus/assets/empty.glb", empty_last_clip)
edit_glb("corpus/assets/mascot.glb", "corpus/assets/huge.glb", enlarge)
edit_glb("corpus/assets/mascot.glb", "corpus/assets/late.glb", delay_clips)
edit_glb("corpus/assets/mascot.glb", "corpus/assets/tail.glb", mesh_named_as_joint)
run(trilobite, "convert", "corpus/assets/tail.glb", "corpus/filesystem/tail.t3dm")
shutil.copy("corpus/assets/mascot.glb", "corpus/assets/cut.glb")
shutil.copy("corpus/assets/mascot.glb", "corpus/assets/alone.glb")
with open("corpus/assets/broken.glb", "wb") as broken:
    broken.write(open("corpus/assets/mascot.glb", "rb").read()[:200])

keys = run(bench, "--filter", "keys-corpus", "--corpus", "corpus")
rows = {name: rows_of(keys, "corpus/" + name) for name in ("mascot", "empty", "broken", "cut", "alone", "huge", "late", "tail")}
check(len(rows["mascot"]) == 2, "two clips have no two rows", keys)
check(not any("not in the source" in line or "left out" in line for line in rows["mascot"]), "a clip is not compared", keys)
check(any(" rest " in line and "left out: it is empty" in line for line in rows["empty"]),
      "no row says that a clip is empty", keys)
for name in ("broken", "cut", "alone", "huge"):
    check(len(rows[name]) == 1 and "refused: " in rows[name][0], "%s has no row that it is refused" % name, keys)
for name in ("late", "tail"):
    # name, clip, bytes and error of the .t3dm
    check(len(rows[name]) == 2 and all(float(line.split()[3]) < 2 for line in rows[name]),
          "the clips of %s are compared with another pose" % name, keys)

costs = run(bench, "--filter", "optimize-corpus", "--corpus", "corpus", "--json", "costs.json")
for name in ("broken", "cut", "alone", "huge"):
    rows = rows_of(costs, "corpus/" + name)
    check(len(rows) == 1 and "refused: " in rows[0], "%s has no row that it is refused" % name, costs)
for name in ("mascot", "empty", "late", "tail"):
    rows = rows_of(costs, "corpus/" + name)
    check(len(rows) == 1 and "refused" not in rows[0], "no row of " + name, costs)
sums = {(size["name"], size["what"]): size for size in json.load(open("costs.json"))["sizes"]}
for order in ("optimize/-O1", "optimize/-O1-by-layer"):
    changes, cycles = sums.get((order, "material changes")), sums.get((order, "cycles + overlay/4"))
    check(changes and changes["ours"] == changes["theirs"] == 4, "not one material for each of four models", costs)
    check(cycles and 0 < cycles["ours"] <= cycles["theirs"], "no cycles of " + order, costs)
check("4 models refused" in costs, "not all that are refused are counted", costs)

# At least 40 % less error than with the strongest bones.
skins = run(bench, "--filter", "helper-bones", "--json", "skins.json")
sums = {size["name"]: size for size in json.load(open("skins.json"))["sizes"]}
check("helper-bones/mascot" in sums, "no row of the mascot's skin", skins)
check(all(0 < size["ours"] < 0.6 * size["theirs"] for size in sums.values()), "vertices of a skin are far off", skins)

converted = run(bench, "--filter", "gltf-corpus", "--corpus", "corpus", "--json", "gltf.json")
for name in ("broken", "huge"):
    rows = rows_of(converted, "corpus/" + name)
    check(len(rows) == 1 and "refused: " in rows[0], "%s has no row that it is refused" % name, converted)
check(json.load(open("gltf.json"))["results"][0]["amount"] == 6, "not all others are converted", converted)

# Projects in folders of their own, below a folder that is called assets as well, and a model deep below.
deep = "assets/[all]/game/assets/a/b/c/d"
os.makedirs(deep, exist_ok=True)
os.makedirs(deep.replace("game/assets", "game/filesystem"), exist_ok=True)
shutil.copy("corpus/assets/mascot.glb", deep + "/mascot.glb")
shutil.copy("corpus/filesystem/mascot.t3dm", deep.replace("game/assets", "game/filesystem") + "/mascot.t3dm")
costs = run(bench, "--filter", "optimize-corpus", "--corpus", "assets/[all]/")
rows = rows_of(costs, "game/a/b/c/d/mascot")
check(len(rows) == 1 and "refused" not in rows[0], "a model below a folder of a project is not found", costs)
