"""check.py BUILD [without-numpy]: what the package gives is what the program gives."""
import gc
import json
import os
import pathlib
import sys

import trilobite

build, without_numpy = sys.argv[1], len(sys.argv) > 2
assert os.path.dirname(trilobite.__file__).endswith("site-packages/trilobite"), trilobite.__file__
assert (trilobite.numpy is None) == without_numpy

# Findings
glb = trilobite.open("hero.glb")
assert (glb.format, glb.version, glb.check()) == ("gltf", 2, [])
want = json.loads(pathlib.Path("want/check.json").read_text())["files"][0]["findings"]
conversion = glb.convert("t3dm", name="hero.t3dm", scale=64)
assert [(f.severity, f.code, f.path, f.text) for f in conversion.findings] == [
    (f["severity"], f["code"], f["path"], f["text"]) for f in want
]
assert want and str(conversion.findings[0]).startswith(want[0]["severity"])

# Conversions
assert conversion.data == pathlib.Path("want/hero.t3dm").read_bytes()
assert conversion.companions == {"hero.0.sdata": pathlib.Path("want/hero.0.sdata").read_bytes()}
assert conversion.format == "t3dm"
os.makedirs("saved", exist_ok=True)
conversion.save("saved/hero.t3dm")
assert sorted(os.listdir("saved")) == ["hero.0.sdata", "hero.t3dm"]
assert glb.convert("gltf").data[:4] == b"glTF"
for options, kind in (({"scales": 1}, (KeyError, ValueError)), ({"bvh": True, "version": 9}, trilobite.TrilobiteError)):
    try:
        glb.convert("t3dm", **options)
        raise AssertionError(options)
    except kind:
        pass
try:
    glb.convert("obj")
    raise AssertionError("obj")
except ValueError as error:
    assert "t3dm" in str(error)

# Bytes in any form
stored = pathlib.Path("hero.glb").read_bytes()
for form in (stored, bytearray(stored), memoryview(stored), memoryview(stored).cast("I")):
    assert trilobite.open(form).format == "gltf"

# Arrays: read-only views that keep the model alive
model = trilobite.open("hero.t3dm").model
mesh = model.meshes[0]
positions, indices = mesh.positions, mesh.indices
if not without_numpy: # the memory of the library itself
    assert trilobite.numpy.shares_memory(positions, mesh.positions) and not positions.flags.owndata
    assert positions.ctypes.data == int(trilobite.ffi.cast("uintptr_t", mesh._mesh.positions))
low, high = model.bounds
del model, mesh
gc.collect()
rows = positions.tolist()
assert len(rows) > 500 and len(rows[0]) == 3 and max(indices.tolist()) == len(rows) - 1
assert all(low[k] - 1e-3 <= row[k] <= high[k] + 1e-3 for row in rows for k in range(3))
try:
    positions[0, 0] = 1
    raise AssertionError("it can be written to")
except (TypeError, ValueError):
    pass

# From memory
bare = trilobite.open(pathlib.Path("hero.t3dm").read_bytes(), name="hero.t3dm")
assert [f.code for f in bare.check()] == ["T3DM-STREAM-MISSING"]
stream = {"hero.0.sdata": pathlib.Path("hero.0.sdata").read_bytes()}
whole = trilobite.open(memoryview(pathlib.Path("hero.t3dm").read_bytes()), name="hero.t3dm", companions=stream)
assert whole.check() == [] and [clip.seconds for clip in whole.model.clips] == [1.0]

# Playing
player = whole.model.player()
rest = player.positions(0).tolist()
player.play(0)
player.advance(0.25)
assert abs(player.time - 0.25) < 1e-6 and player.positions(0).tolist() != rest
player.seek(0)
assert player.time == 0
try:
    player.play("no such clip")
    raise AssertionError("a clip")
except KeyError:
    pass

# Pictures: the pixels of the program
picture = trilobite.open("hero.t3dm").render(320, 240)
assert picture.encode() == pathlib.Path("want/hero.png").read_bytes()
assert len(bytes(picture.pixels)) == 320 * 240 * 4
assert whole.render(64, 48, clip=0, time=0.5).encode() != whole.render(64, 48).encode()

# Errors
for source in ("half.glb", b"glTF\2\0\0\0\377\0\0\0"):
    try:
        trilobite.open(source)
        raise AssertionError(source)
    except trilobite.TrilobiteError as error:
        assert error.rule == "GLTF-TRUNCATED" and error.text and "GLTF-TRUNCATED" in str(error)
try:
    trilobite.open("none.glb")
    raise AssertionError("none.glb")
except trilobite.TrilobiteError as error:
    assert error.rule == "FILE-READ"
print("ok")
