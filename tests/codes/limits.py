"""Inputs that are too large in one way each, for the limits of the readers: small files that ask for much."""
import os, struct, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "work"))
import inputs


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path


def dfs(entries):
    """DragonFS 2.0 of (next, flags and size, name, data); offsets are entries of 256 bytes behind the first sector."""
    image = struct.pack(">II16s", 0xDEADBEEF, 0xFFFFFFFF, b"DragonFS 2.0").ljust(256, b"\0")
    return image + b"".join(struct.pack(">II244sI", 256 * after, size, name, 256 * data) for after, size, name, data in entries)


def shared_indices(n):
    """Primitives that all draw the same triangles: n squared of them."""
    g = inputs.equal_triangles(n)
    g.json["meshes"][0]["primitives"] *= n
    return g.bytes()


def many_joints(n):
    g = inputs.nodes_and_meshes(1)
    joint = g.node(name="joint")
    g.add("skins", {"joints": [joint] * n})
    g.json["nodes"][0]["skin"] = 0
    return g.bytes()


def huge_image():
    png = bytearray(inputs.png(0))
    png[16:24] = struct.pack(">II", 60000, 60000)
    import zlib
    png[29:33] = struct.pack(">I", zlib.crc32(bytes(png[12:29])))
    return bytes(png)


def cases():
    """A part of the message, and the command; each answers 5."""
    one = write("one.glb", inputs.nodes_and_meshes(1).bytes())
    folder = 1 << 28
    yield "elements", "check " + write("elements.glb", shared_indices(2000))
    yield "memory ran out or its limit", "convert --no-sync --max-memory 100K %s o.nlm" % write("grid.glb", inputs.grid(5000).bytes())
    yield "than the limit of", "check " + write("deep.gltf", '{"asset":{"version":"2.0"},"extras":%s' % ("[" * 5000))
    yield "than the limit of", "cost --project %s %s" % (write("deep.toml", "exclude = " + "[" * 5000), one)
    yield "65535 is the most", "info " + write("joints.glb", many_joints(65536))
    yield "a path has more than", "extract -f -o out " + write(
        "path.dfs", dfs([(0, folder, b"f" * 240, i + 2) for i in range(6)]))
    yield "directories are more than", "extract -f -o out " + write(
        "folders.dfs", dfs([(0, folder, b"f", i + 2) for i in range(102)]))
    yield "more than 65536 files", "extract -f -o out " + write(
        "files.dfs", dfs([(i + 2, 0, b"%d" % i, 1) for i in range(65538)]))
    yield "pixels; at most", "sprite %s -o a.sprite" % write("huge.png", huge_image())
