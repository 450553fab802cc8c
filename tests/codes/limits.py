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


def far_corner():
    g = inputs.Gltf()
    g.node(name="node", mesh=g.mesh(g.floats("VEC3", [(0, 0, 0), (40000, 0, 0), (0, 1, 0)])))
    return g.bytes()


def repeated_texture():
    """A triangle that shows its texture 5,000 times."""
    g = inputs.Gltf()
    image = g.add("images", {"bufferView": g.view(inputs.png(1, 32, 32)), "mimeType": "image/png"})
    color = {"baseColorTexture": {"index": g.add("textures", {"source": image})}}
    material = g.add("materials", {"name": "material", "pbrMetallicRoughness": color})
    corners = g.floats("VEC2", [(0, 0), (5000, 0), (0, 5000)])
    g.node(name="node", mesh=g.mesh(g.triangle(), material=material, more={"TEXCOORD_0": corners}))
    return g.bytes()


def moving_bones(n, moves=True):
    g = inputs.Gltf()
    inputs.skinned_mesh(g, 0, n - 1, inputs.add_skin(g, n, "bone"))
    times, values = g.floats("SCALAR", [0, 1]), g.floats("VEC3", [(0, 0, 0), (1, 2, 3)])
    if moves:
        g.clip("clip", [(i, "translation", times, values) for i in range(n)])
    return g.bytes()


def cases():
    """The place (see `limits`), a part of the message, and the command; each answers 5."""
    one = write("one.glb", inputs.nodes_and_meshes(1).bytes())
    folder = 1 << 28
    yield ("src/model/expansion.c tl_expansion_fits", "elements", "check " + write("elements.glb", shared_indices(2000)))
    yield ("memory", "memory ran out or its limit",
           "convert --no-sync --max-memory 100K %s o.nlm" % write("grid.glb", inputs.grid(5000).bytes()))
    yield ("src/base/json_read.c json_above_limit", "than the limit of",
           "check " + write("deep.gltf", '{"asset":{"version":"2.0"},"extras":%s' % ("[" * 5000)))
    yield ("src/base/toml.c toml_above_limit", "than the limit of",
           "cost --project %s %s" % (write("deep.toml", "exclude = " + "[" * 5000), one))
    yield ("src/formats/gltf/decode/nodes.c gltf_decode_skin", "65535 is the most", "info " + write("joints.glb", many_joints(65536)))
    yield ("src/container/dragonfs.c dfs_read_entry", "a path has more than", "extract -f -o out " + write(
        "path.dfs", dfs([(0, folder, b"f" * 240, i + 2) for i in range(6)])))
    yield ("src/container/dragonfs.c dfs_step", "directories are more than", "extract -f -o out " + write(
        "folders.dfs", dfs([(0, folder, b"f", i + 2) for i in range(102)])))
    yield ("src/container/dragonfs.c dfs_add_file", "more than 65536 files", "extract -f -o out " + write(
        "files.dfs", dfs([(i + 2, 0, b"%d" % i, 1) for i in range(65538)])))
    yield ("src/image/image_decode.c tl_image_pixels", "pixels; at most", "sprite %s -o a.sprite" % write("huge.png", huge_image()))
    yield ("src/formats/t3dm/encode/bvh.c tl_t3dm_encode_bvh", "a BVH reaches 2048",
           "gltf_to_t3d %s o.t3dm --bvh --no-sync" % write("objects.glb", inputs.materials(2049).bytes()))
    far = write("far.glb", far_corner())
    yield ("src/formats/t3dm/encode/encode.c check_extent", "is above 32767", "convert --no-sync --scale 1 %s o.t3dm" % far)
    yield ("src/api/convert/convert.c convert_emptiness_error", "nothing but a point", "convert --no-sync --scale 1e-7 %s o.t3dm" % far)
    yield ("src/formats/t3dm/encode/mesh.c report_vertices", "more than 1024 texels from 0",
           "convert --no-sync %s o.t3dm" % write("repeated.glb", repeated_texture()))
    yield ("src/formats/t3dm/encode/skeleton.c tl_t3dm_encode_bones", "T3DM counts to 65534",
           "convert --no-sync %s o.t3dm" % write("bones.glb", moving_bones(65535, False)))
    yield ("src/formats/t3dm/animation/clips.c build_clip", "T3DM counts to 65535",
           "convert --no-sync %s o.t3dm" % write("channels.glb", moving_bones(21846)))
    odd = write("odd.png", inputs.png(5, 3, 3))
    yield ("src/image/sprite/layers.c tl_layers_ihq", "IHQ needs even sides", "sprite -f ihq %s -o a.sprite" % odd)
    yield ("src/image/sprite/layers.c tl_layers_shq", "SHQ needs even sides", "sprite -f shq %s -o a.sprite" % odd)
    yield ("src/image/sprite/sprite_encode.c sprite_choose_texels", "at most 65535 in each direction",
           "sprite %s -o a.sprite" % write("wide.png", inputs.png(5, 65536, 1)))
    black = inputs.png(0, 2100, 2100, rows=bytes((3 * 2100 + 1) * 2100))
    yield ("src/image/sprite/sprite_encode.c sprite_put_file", "offsets in it end at",
           "sprite -f rgba32 %s -o a.sprite" % write("large.png", black))
