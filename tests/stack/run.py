#!/usr/bin/env python3
"""run.py PROGRAM BUILD_DIR: how much stack does the program need for what is nested as deep as a file can?

Each command runs with less and less stack until it fails. The least that is enough is printed, and must not be more than
STACK_MOST. Frames must have a size that is known when they are compiled, and FRAME_MOST at most: that is looked up in
what -fstack-usage wrote in BUILD_DIR."""
import glob, os, resource, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "work"))
sys.dont_write_bytecode = True  # nothing is left in the source tree
import inputs

PROGRAM, BUILD = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
DEEP = 100000
STACK_MOST, FRAME_MOST = 192 << 10, 40 << 10
PLENTY = 8 << 20


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path


def gltf_text(extras):
    return '{"asset":{"version":"2.0"},"extras":%s}' % extras


def node_chain(n):
    """As inputs.node_chain, but without its limit; the text alone, as that is quick to make."""
    nodes = ",".join('{"children":[%d]}' % (i + 1) for i in range(n - 1))
    return '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[%s,{}]}' % nodes


def cases():
    """What is nested, and the command that reads it."""
    write("page.html", "<!--trilobite:data-->")
    one = write("one.glb", inputs.nodes_and_meshes(1).bytes())
    yield "nothing", "formats"
    for depth, name in ((60, "some"), (DEEP, "many")):
        yield "%s arrays in JSON" % name, "check " + write("arrays%d.gltf" % depth, gltf_text("[" * depth + "]" * depth))
        yield "%s objects in JSON" % name, "check " + write(
            "objects%d.gltf" % depth, gltf_text('{"a":' * depth + "1" + "}" * depth))
        yield "%s arrays in TOML" % name, "cost --project %s %s" % (
            write("arrays%d.toml" % depth, "exclude = " + "[" * depth + "]" * depth), one)
        yield "%s tables in TOML" % name, "cost --project %s %s" % (
            write("tables%d.toml" % depth, "a = " + "{b = " * depth + "1" + "}" * depth), one)
        yield "%s keys in TOML" % name, "cost --project %s %s" % (
            write("keys%d.toml" % depth, ".".join(["a"] * depth) + " = 1"), one)
        chain = write("nodes%d.gltf" % depth, node_chain(depth))
        for command in ("check %s", "info %s", "convert --no-sync --allow MODEL-EMPTY %s o.nlm", "dump --pose 0@0 %s",
                        "render --size 16x16 -o a.png %s"):
            yield "%s nodes" % name, command % chain
    inputs.rom_folders(4000)
    yield "folders in a ROM", "extract --no-sync -q -f -o folders folders.dfs"
    for name, ending in (("fan", "t3dm"), ("grid", "nlm"), ("equal_triangles", "glb"), ("node_chain", "t3dm")):
        model = write(name + ".glb", getattr(inputs, name)(1500).bytes())
        other = "%s-other.%s" % (name, ending)
        for command in ("convert --no-sync --bvh %s %s" if ending == "t3dm" else "convert --no-sync %s %s",
                        "optimize --no-sync %s o.glb"):
            yield name, command % ((model, other) if command.count("%s") == 2 else model)
        yield name, "render --size 16x16 -o a.png " + model
        yield name, "page --template page.html -o a.html " + model
        yield name, "diff %s %s" % (model, model)
    inputs.folder_of_models(64)
    yield "threads", "convert --no-sync -q -f -j 8 --to t3dm -o out models64"
    inputs.image_colors(4096)
    yield "an image", "sprite -f auto colors.png -o colors.sprite"


def exit_code(command, stack):
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (stack, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    return subprocess.run([PROGRAM, *command.split()], preexec_fn=limit, stdin=subprocess.DEVNULL, capture_output=True,
                          env={"PATH": os.environ["PATH"], "TERM": "dumb"}).returncode


def least_stack(command):
    """The smallest stack, by 8 KiB, with which the command answers what it answers with plenty."""
    want = exit_code(command, PLENTY)
    if want < 0 or want == 70:
        return want, PLENTY
    low, high = 0, STACK_MOST * 2
    if exit_code(command, high) != want:
        return want, PLENTY
    while high - low > 8 << 10:
        middle = (low + high) // 2
        low, high = (low, middle) if exit_code(command, middle) == want else (middle, high)
    return want, high


def largest_frames():
    """(bytes, function) of all frames, the largest first, and those whose size is not known."""
    frames, unknown = [], []
    for path in glob.glob(os.path.join(BUILD, "**", "*.su"), recursive=True):
        with open(path) as file:
            for line in file:
                function, size, kind = line.rstrip("\n").split("\t")
                frames.append((int(size), function.split(":")[-1]))
                if "dynamic" in kind and "bounded" not in kind:
                    unknown.append(function)
    return sorted(frames, reverse=True), unknown


def main():
    failed, most = False, (0, "")
    for name, command in cases():
        code, stack = least_stack(command)
        most = max(most, (stack, "%s: %s" % (name, command)))
        if code < 0 or code == 70 or stack > STACK_MOST:
            print("FAIL %s: %s: exit code %d, %d KiB of stack" % (name, command, code, stack >> 10))
            failed = True
    print("the most stack is %d KiB, for %s" % (most[0] >> 10, most[1]))
    frames, unknown = largest_frames()
    for size, function in frames[:3]:
        print("a frame of %d bytes: %s" % (size, function))
    if not frames or frames[0][0] > FRAME_MOST or unknown:
        print("FAIL frames: %d known, the size is not known of: %s" % (len(frames), unknown))
        failed = True
    return failed


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    result = main()
    os.chdir("/")
sys.exit(result)
