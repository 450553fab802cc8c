"""Models whose size is a number n, each large in one way: what makes a search in a list of such things show."""
import json, struct


class Gltf:
    """A glTF file in the making. Positions, indices and times are shared where the model is about something else."""

    def __init__(self):
        self.blob = bytearray()
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "accessors": [], "bufferViews": []}

    def add(self, key, value):
        self.json.setdefault(key, []).append(value)
        return len(self.json[key]) - 1

    def view(self, data):
        self.blob += bytes(-len(self.blob) % 4)
        self.blob += data
        return self.add("bufferViews", {"buffer": 0, "byteOffset": len(self.blob) - len(data), "byteLength": len(data)})

    def floats(self, kind, rows):
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        rows = [row if width > 1 else (row,) for row in rows]
        data = struct.pack("<%df" % (width * len(rows)), *(value for row in rows for value in row))
        return self.add("accessors", {"bufferView": self.view(data), "componentType": 5126, "count": len(rows), "type": kind,
                                      "min": [min(column) for column in zip(*rows)], "max": [max(column) for column in zip(*rows)]})

    def indices(self, values):
        data = struct.pack("<%dI" % len(values), *values)
        return self.add("accessors", {"bufferView": self.view(data), "componentType": 5125, "count": len(values), "type": "SCALAR"})

    def joints(self, rows):
        data = struct.pack("<%dH" % (4 * len(rows)), *(value for row in rows for value in row))
        return self.add("accessors", {"bufferView": self.view(data), "componentType": 5123, "count": len(rows), "type": "VEC4"})

    def triangle(self, i=0):
        """The accessor of three corners, near the origin and different for each i below 4096."""
        x, y = i % 64 / 8, i // 64 / 8
        return self.floats("VEC3", [(x, y, 0), (x + 1, y, 0), (x, y + 1, 0)])

    def mesh(self, positions, name="mesh", more=None, **primitive):
        primitive = {"attributes": {"POSITION": positions, **(more or {})}, **primitive}
        return self.add("meshes", {"name": name, "primitives": [primitive]})

    def node(self, parent=None, **node):
        index = self.add("nodes", node)
        if parent is None:
            self.json["scenes"][0]["nodes"].append(index)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def clip(self, name, channels):
        """channels: (node, path, times, values), the last two accessors."""
        samplers = [{"input": times, "output": values} for _, _, times, values in channels]
        targets = [{"sampler": i, "target": {"node": node, "path": path}} for i, (node, path, _, _) in enumerate(channels)]
        self.add("animations", {"name": name, "samplers": samplers, "channels": targets})

    def bytes(self):
        content = {key: value for key, value in self.json.items() if value}
        if self.blob:
            self.blob += bytes(-len(self.blob) % 4)
            content["buffers"] = [{"byteLength": len(self.blob)}] + content.get("buffers", [])
        text = json.dumps(content, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self.blob)
        return (struct.pack("<4sIIII", b"glTF", 2, size, len(text), 0x4E4F534A) + text
                + struct.pack("<II", len(self.blob), 0x004E4942) + bytes(self.blob))


def one_mesh(positions, indices, **more):
    g = Gltf()
    mesh = g.mesh(g.floats("VEC3", positions), indices=g.indices(indices), **more)
    g.node(name="node", mesh=mesh)
    return g


def fan(n):
    """All triangles share a vertex."""
    return one_mesh([(0, 0, 0)] + [(i % 100 + 1, i // 100 + 1, i % 7) for i in range(n + 1)],
                    [corner for i in range(n) for corner in (0, i + 1, i + 2)])


def equal_triangles(n):
    return one_mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [0, 1, 2] * n)


def two_vertices(n):
    """All triangles share an edge."""
    return one_mesh([(0, 0, 0), (9, 0, 0)] + [(i % 100, i // 100 + 1, i % 7) for i in range(n)],
                    [corner for i in range(n) for corner in (0, 1, i + 2)])


def grid(n):
    width = 32
    rows = n // (2 * width) + 1
    return one_mesh([(x, y, (x * y) % 5) for y in range(rows + 1) for x in range(width + 1)],
                    [y * (width + 1) + x + corner for y in range(rows) for x in range(width)
                     for corner in (0, 1, width + 1, 1, width + 2, width + 1)][: 3 * n])


def equal_positions(n):
    """Triangles without shared vertices that all lie at the same place."""
    return one_mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)] * n, list(range(3 * n)))


def far_apart(n):
    """Triangles without shared vertices, in a line."""
    return one_mesh([(i // 3 * 2 + (i % 3 == 1), i % 3 == 2, 0) for i in range(3 * n)], list(range(3 * n)))


def nodes_and_meshes(n, **names):
    g = Gltf()
    for i in range(n):
        g.node(name=names.get("name", "node%d" % i), mesh=g.mesh(g.triangle(i), name=names.get("name", "mesh%d" % i)))
    return g


def equal_names(n):
    return nodes_and_meshes(n, name="same")


def instances(n):
    """Nodes that share a mesh."""
    g = Gltf()
    mesh = g.mesh(g.triangle())
    for i in range(n):
        g.node(name="node%d" % i, mesh=mesh, translation=[i % 64, i // 64, 0])
    return g


def node_chain(n):
    g = Gltf()
    parent = None
    for i in range(min(n, 4000)):
        parent = g.node(parent, name="node%d" % i, translation=[0.01, 0, 0])
    g.json["nodes"][parent]["mesh"] = g.mesh(g.triangle())
    return g


def empty_nodes(n):
    g = nodes_and_meshes(1)
    for i in range(n):
        g.node(name="empty%d" % i)
    return g


def primitives(n):
    """Of one mesh, each with a material."""
    g = Gltf()
    mesh = g.mesh(g.triangle())
    for i in range(n):
        g.json["meshes"][mesh]["primitives"].append(
            {"attributes": {"POSITION": g.triangle(i)}, "material": g.add("materials", {"name": "material%d" % i})})
    g.node(mesh=mesh)
    return g


def materials(n):
    g = Gltf()
    for i in range(n):
        color = [i % 256 / 255, i // 256 / 255, 0.5, 1]
        material = g.add("materials", {"name": "material%d" % i, "pbrMetallicRoughness": {"baseColorFactor": color}})
        g.node(name="node%d" % i, mesh=g.mesh(g.triangle(i), material=material))
    return g


def unused_materials(n):
    g = nodes_and_meshes(1)
    for i in range(n):
        g.add("materials", {"name": "material%d" % i})
    return g


def textures(n, image=lambda g, i: {"uri": "texture%d.png" % i}):
    """Each with an image, a sampler and a material."""
    g = Gltf()
    coordinates = g.floats("VEC2", [(0, 0), (1, 0), (0, 1)])
    for i in range(n):
        texture = g.add("textures", {"source": g.add("images", image(g, i)), "sampler": g.add("samplers", {"wrapS": 33071})})
        material = g.add("materials", {"name": "material%d" % i, "pbrMetallicRoughness": {"baseColorTexture": {"index": texture}}})
        g.node(name="node%d" % i, mesh=g.mesh(g.triangle(i), material=material, more={"TEXCOORD_0": coordinates}))
    return g


def embedded_textures(n):
    return textures(n, lambda g, i: {"bufferView": g.view(png(i)), "mimeType": "image/png"})


def equal_textures(n):
    return textures(n, lambda g, i: {"uri": "same.png"})


def moving_node(g):
    return g.node(name="mover", mesh=g.mesh(g.triangle()))


def clips(n):
    g = Gltf()
    node, times = moving_node(g), g.floats("SCALAR", [0, 1])
    values = g.floats("VEC3", [(0, 0, 0), (1, 0, 0)])
    for i in range(n):
        g.clip("clip%d" % i, [(node, "translation", times, values)])
    return g


def clips_of_nodes(n):
    """A node for each clip."""
    g = Gltf()
    mesh, times = g.mesh(g.triangle()), g.floats("SCALAR", [0, 1])
    values = g.floats("VEC3", [(0, 0, 0), (1, 0, 0)])
    for i in range(n):
        g.clip("clip%d" % i, [(g.node(name="node%d" % i, mesh=mesh), "translation", times, values)])
    return g


def keys(n):
    g = Gltf()
    node = moving_node(g)
    values = g.floats("VEC3", [(i % 7, i % 11, i % 13) for i in range(n)])
    g.clip("clip", [(node, "translation", g.floats("SCALAR", [i / 60 for i in range(n)]), values)])
    return g


def channels(n):
    g = Gltf()
    times, values = g.floats("SCALAR", [0, 1]), g.floats("VEC3", [(0, 0, 0), (1, 0, 0)])
    mesh = g.mesh(g.triangle())
    g.clip("clip", [(g.node(name="node%d" % i, mesh=mesh), "translation", times, values) for i in range(n)])
    return g


def morph_targets(n):
    g = Gltf()
    mesh = g.mesh(g.triangle(), targets=[{"POSITION": g.triangle(i)} for i in range(n)])
    g.json["meshes"][mesh]["weights"] = [0] * n
    node = g.node(mesh=mesh)
    g.clip("clip", [(node, "weights", g.floats("SCALAR", [0, 1]), g.floats("SCALAR", [0] * n + [1] * n))])
    return g


def skinned_mesh(g, i, joint, skin, weight=1):
    """Bound to a joint, and for the rest to the first one."""
    weights = g.floats("VEC4", [(weight, 1 - weight, 0, 0)] * 3)
    mesh = g.mesh(g.triangle(i), more={"JOINTS_0": g.joints([(joint, 0, 0, 0)] * 3), "WEIGHTS_0": weights})
    g.node(name="skinned%d" % i, mesh=mesh, skin=skin)


def add_skin(g, joints, name):
    root = g.node(name=name)
    chain = [root] + [g.node(root, name="%s.%d" % (name, i), translation=[0, i % 8, 0]) for i in range(1, joints)]
    matrices = g.floats("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)] * joints)
    return g.add("skins", {"joints": chain, "inverseBindMatrices": matrices})


def joints(n):
    """Of a skin, with a mesh for each."""
    g = Gltf()
    skin = add_skin(g, n, "bone")
    for i in range(n):
        skinned_mesh(g, i, i, skin)
    return g


def skins(n):
    g = Gltf()
    for i in range(n):
        skinned_mesh(g, i, 0, add_skin(g, 2, "skin%d" % i))
    return g


def alternating_skins(n):
    """Two skins of n joints, and n meshes that take turns."""
    g = Gltf()
    both = [add_skin(g, n, "left"), add_skin(g, n, "right")]
    for i in range(n):
        skinned_mesh(g, i, i, both[i % 2])
    return g


def add_bends(g, name, nodes):
    """A clip that turns nodes by 90 degrees."""
    times, values = g.floats("SCALAR", [0, 1]), g.floats("VEC4", [(0, 0, 0, 1), (0, 0, 0.70710678, 0.70710678)])
    g.clip(name, [(node, "rotation", times, values) for node in nodes])


def bent_joints(n):
    """Of a skin, with a mesh for each that also follows the first joint."""
    g = Gltf()
    skin = add_skin(g, n + 1, "bone")
    for i in range(n):
        skinned_mesh(g, i, i + 1, skin, 0.5)
    add_bends(g, "clip", g.json["skins"][skin]["joints"][1:])
    return g


def bent_skins(n):
    """Each with two joints and a mesh that follows both, and a clip that bends all."""
    g = Gltf()
    for i in range(n):
        skinned_mesh(g, i, 1, add_skin(g, 2, "skin%d" % i), 0.5)
    add_bends(g, "clip", [skin["joints"][1] for skin in g.json["skins"]])
    return g


def bending_clips(n):
    g = Gltf()
    skin = add_skin(g, 4, "bone")
    for i in range(3):
        skinned_mesh(g, i, i + 1, skin, 0.5)
    for i in range(n):
        add_bends(g, "clip%d" % i, g.json["skins"][skin]["joints"][1:])
    return g


def accessors(n):
    """That nothing uses."""
    g = nodes_and_meshes(1)
    for i in range(n):
        g.triangle(i)
    return g


def buffers(n):
    g = nodes_and_meshes(1)
    for i in range(n):
        g.add("buffers", {"uri": "data:application/octet-stream;base64,AAAAAA==", "byteLength": 4})
    return g


def keys_of_an_object(n):
    g = nodes_and_meshes(1)
    g.json["nodes"][0]["extras"] = {"key%d" % i: i for i in range(n)}
    return g


def long_names(n):
    g = nodes_and_meshes(2)
    for node in g.json["nodes"]:
        node["name"] = "\u00e4" * n
    return g


def extensions(n):
    g = nodes_and_meshes(1)
    g.json["extensionsUsed"] = ["EXT_unknown_%d" % i for i in range(n)]
    return g


def cameras_and_lights(n):
    g = nodes_and_meshes(1)
    lights = [{"type": "point", "name": "light%d" % i} for i in range(n)]
    g.json["extensions"] = {"KHR_lights_punctual": {"lights": lights}}
    g.json["extensionsUsed"] = ["KHR_lights_punctual"]
    for i in range(n):
        camera = g.add("cameras", {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}})
        g.node(name="camera%d" % i, camera=camera, extensions={"KHR_lights_punctual": {"light": i}})
    return g


def scenes(n):
    g = nodes_and_meshes(1)
    for i in range(n):
        g.add("scenes", {"name": "scene%d" % i, "nodes": [0]})
    return g


def mistakes(n):
    """A finding for each material."""
    g = nodes_and_meshes(1)
    for i in range(n):
        g.add("materials", {"name": "material%d" % i, "alphaMode": "NEVER", "pbrMetallicRoughness": {"baseColorFactor": [2, 2, 2, 2]}})
    return g


MODELS = [fan, equal_triangles, two_vertices, grid, equal_positions, far_apart, nodes_and_meshes, equal_names,
          instances, node_chain, empty_nodes, primitives, materials, unused_materials, textures, embedded_textures,
          equal_textures, clips, clips_of_nodes, keys, channels, morph_targets, joints, skins, alternating_skins,
          bent_joints, bent_skins, bending_clips, accessors, buffers, keys_of_an_object, long_names, extensions, cameras_and_lights, scenes, mistakes]


def png(color, width=1, height=1, pixel=None, rows=None):
    """An image of true colour; pixel(x, y) is (r, g, b), and rows is what pixels would be packed to."""
    import zlib
    if not pixel:
        pixel = lambda x, y: (color & 255, color >> 8 & 255, color >> 16 & 255)
    rows = rows or b"".join(b"\0" + bytes(value for x in range(width) for value in pixel(x, y)) for y in range(height))
    chunks = (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks)


# ---- what is no model: a function of n that makes files and names the command ----


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def project_tables(n):
    write("one.glb", nodes_and_meshes(1).bytes())
    tables = "".join('[[files]]\nmatch = "a%d/**/*b*.glb"\noptions = { level = %d }\n' % (i, i % 3 + 1) for i in range(n))
    write("tables.toml", tables.encode())
    return "cost --project tables.toml one.glb"


def project_list(n):
    write("one.glb", nodes_and_meshes(1).bytes())
    write("list.toml", ("exclude = [%s]\n" % ", ".join('"a%d"' % i for i in range(n))).encode())
    return "cost --project list.toml one.glb"


def project_keys(n):
    """Keys that mean nothing: the first is refused."""
    write("one.glb", nodes_and_meshes(1).bytes())
    write("keys.toml", "".join("a.b%d.c = %d\n" % (i, i) for i in range(n)).encode())
    return "dump --project keys.toml one.glb"


def image_colors(n, options="-f ci8"):
    height = max(n // 32, 1)
    write("colors.png", png(0, 32, height, lambda x, y: (x * 8 & 255, y & 255, (x ^ y) * 7 & 255)))
    return "sprite %s colors.png -o colors.sprite" % options


def image_dithered(n):
    return image_colors(n, "-f ci4 --dither floyd-steinberg")


def image_searched(n):
    return image_colors(n, "-f auto")


def folder_of_models(n):
    import os
    folder = "models%d" % n
    os.makedirs(folder, exist_ok=True)
    for i in range(n // 8):
        write("%s/model%d.glb" % (folder, i), nodes_and_meshes(1).bytes())
    return "convert --no-sync -q -f -j 1 --to t3dm -o out%d %s" % (n, folder)


def rom_files(n):
    """DragonFS 2.0: a chain of sectors of 256 bytes, each file with an entry and a sector of data."""
    image = bytearray(struct.pack(">II16s", 0xDEADBEEF, 0xFFFFFFFF, b"DragonFS 2.0").ljust(256, b"\0"))
    for i in range(n):
        at = len(image)
        image += struct.pack(">II244sI", at + 512 if i + 1 < n else 0, 4, b"file%d.bin" % i, at + 256)
        image += b"data".ljust(256, b"\0")
    write("files.dfs", bytes(image))
    return "extract --no-sync -q -f -o files files.dfs"


def rom_folders(n):
    """Folders in folders: more than 100 are refused."""
    image = bytearray(struct.pack(">II16s", 0xDEADBEEF, 0xFFFFFFFF, b"DragonFS 2.0").ljust(256, b"\0"))
    for i in range(n):
        image += struct.pack(">II244sI", 0, 1 << 28, b"f", len(image) + 256 if i + 1 < n else 0)
    write("folders.dfs", bytes(image))
    return "extract --no-sync -q -f -o folders folders.dfs"


def models_that_differ(n):
    """The same nodes and materials with other names, in the other order."""
    a, b = materials(n), materials(n)
    for items in (b.json["nodes"], b.json["materials"]):
        names = [item["name"] + "x" for item in items]
        for item, name in zip(items, reversed(names)):
            item["name"] = name
    write("a.glb", a.bytes())
    write("b.glb", b.bytes())
    return "diff a.glb b.glb"


def json_text(n):
    write("text.gltf", b'{"asset":{"version":"2.0"},"extras":[' + b",".join([b'"\\u00e4\\n"', b"[1.5e3]", b"{}"] * n) + b"]}")
    return "check text.gltf"


def imported_channels(n):
    """COLLADA, through Assimp: a channel for each node, whose long names differ only at their ends."""
    def source(name, values, stride):
        count = len(values.split())
        return ('<source id="%s"><float_array id="%s.a" count="%d">%s</float_array><technique_common><accessor source="#%s.a" '
                'count="%d" stride="%d"><param name="X" type="float"/></accessor></technique_common></source>'
                % (name, name, count, values, name, count // stride, stride))
    names = ["%s%06d" % ("n" * 300, i) for i in range(4 * n)]
    nodes = "".join('<node id="%s" name="%s"><translate sid="t">0 0 0</translate></node>' % (name, name) for name in names)
    moves = "".join('<animation>%s%s<sampler id="s%d"><input semantic="INPUT" source="#i%d"/><input semantic="OUTPUT" '
                    'source="#o%d"/></sampler><channel source="#s%d" target="%s/t"/></animation>'
                    % (source("i%d" % i, "0 1", 1), source("o%d" % i, "0 0 0 1 0 0", 3), i, i, i, i, name)
                    for i, name in enumerate(names))
    write("channels.dae", ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
                           '<library_geometries><geometry id="g"><mesh>%s<vertices id="v"><input semantic="POSITION" source="#p"/>'
                           '</vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>'
                           '</triangles></mesh></geometry></library_geometries><library_animations>%s</library_animations>'
                           '<library_visual_scenes><visual_scene id="s"><node id="m"><instance_geometry url="#g"/></node>%s'
                           '</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>'
                           % (source("p", "0 0 0 1 0 0 0 1 0", 3), moves, nodes)).encode())
    return "info channels.dae"


OPTIONAL = ["imported_channels"]  # builds without Assimp refuse it
OTHERS = [(make.__name__, make) for make in (
    project_tables, project_list, project_keys, image_colors, image_dithered, image_searched, folder_of_models, rom_files,
    models_that_differ, json_text, imported_channels)]
