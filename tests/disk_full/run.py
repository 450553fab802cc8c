#!/usr/bin/env python3
"""run.py PROGRAM MASCOT: every command that writes, on a disk that is full or nearly so.

The disk is a small tmpfs. The files that a command writes are there already with other content. Whatever room is left,
the command answers 0 and all files are the new ones, or 4 and all are the old ones; nothing else is left on the disk."""
import errno, os, shutil, subprocess, sys, tempfile

PROGRAM, MASCOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FULL = os.environ.get("TRILOBITE_TESTS") == "full"
PAGE, DISK = 4096, 1 << 20
ROOMS = range(0, 40) if FULL else (0, 1, 2, 5, 12)  # pages that are left

# IN is the folder of the inputs; commands run in the disk.
COMMANDS = [
    "convert IN/mascot.nlm a.t3dm", "convert IN/mascot.nlm a.glb", "convert IN/mascot.nlm a.gltf",
    "convert IN/mascot.glb a.nlm", "convert --fps 6 IN/mascot.glb a.model", "convert IN/mascot.t3dm a.t3dm",
    "convert --sprites IN/mascot.glb a.t3dm", "convert --external-images IN/mascot.glb a.gltf",
    "convert --depfile a.d IN/mascot.glb a.t3dm", "gltf_to_t3d IN/mascot.glb a.t3dm --bvh",
    "optimize IN/mascot.glb a.glb", "optimize IN/mascot.nlm a.nlm", "optimize IN/mascot.t3dm a.t3dm",
    "render --size 64x64 IN/mascot.nlm -o a.png", "render --size 32x32 --frames 3 IN/mascot.nlm -o a.gif",
    "render --size 32x32 --frames 3 IN/mascot.nlm -o a.apng", "extract -f --textures -o textures IN/mascot.nlm",
    "extract -f --streams -o streams IN/mascot.t3dm", "sprite IN/image.png -o a.sprite", "sprite IN/image.sprite -o a.png",
    "page --template IN/page.html -o a.html IN/mascot.glb", "diff --image a.png IN/mascot.glb IN/mascot.nlm",
    "mksprite -o sprites IN/image.png",
]
# These write one file after the other: each is the new one, or not there. With room, the next run writes all.
SEVERAL = ["convert -q --to t3dm -o out IN/models", "convert -q --to nlm -j 2 -k -o out IN/models"]


def run(command, folder, inputs):
    words = command.replace("IN/", inputs + "/").split()
    result = subprocess.run([PROGRAM, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    return result.returncode, result.stderr.decode(errors="replace")


def files_in(folder):
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), folder)] = file.read()
    return found


def fill(path, pages):
    """A file that takes all but so many pages."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(PAGE))
        except OSError as error:
            assert error.errno == errno.ENOSPC, error
        file.truncate(max(file.tell() - pages * PAGE, 0))


def clear(folder):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def problem(command, pages, disk, inputs, new, several):
    """What is wrong with the command when so many pages are left; None: nothing."""
    clear(disk)
    old = {} if several else {name: b"old " + name.encode() for name in new}
    for name, data in old.items():
        os.makedirs(os.path.join(disk, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(disk, name), "wb") as file:
            file.write(data)
    fill(os.path.join(disk, "filler"), pages)
    code, text = run(command, disk, inputs)
    left = files_in(disk)
    del left["filler"]
    if code not in (0, 4):
        return "exit code %d: %s" % (code, text[:300])
    if code == 4 and "No space left" not in text:
        return "does not say why: %s" % text[:300]
    if several:
        del new["out.manifest"], left["out.manifest"]  # has times in it
        wrong = [name for name in left if left[name] != new.get(name)]
        os.unlink(os.path.join(disk, "filler"))
        again, text = run(command, disk, inputs)
        rest = files_in(disk)
        wrong += [name for name in new if rest.get(name) != new[name]]
        return "files that are not new: %s" % wrong if wrong or again else None
    if left == (new if code == 0 else old):
        return None
    return "exit code %d, but these are not %s: %s" % (code, "new" if code == 0 else "old", sorted(
        name for name in set(left) | set(new) if left.get(name) != (new if code == 0 else old).get(name)))


def make_inputs(folder):
    subprocess.run([MASCOT, "mascot.nlm"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for command in ("convert -q IN/mascot.nlm mascot.glb", "convert -q IN/mascot.nlm mascot.t3dm",
                    "extract -q --textures IN/mascot.nlm", "sprite -q IN/mascot-0.png -o image.sprite"):
        assert run(command, folder, folder)[0] == 0, command
    os.rename(os.path.join(folder, "mascot-0.png"), os.path.join(folder, "image.png"))
    os.mkdir(os.path.join(folder, "models"))
    for name in "abc":
        shutil.copy(os.path.join(folder, "mascot.glb"), os.path.join(folder, "models", name + ".glb"))
    with open(os.path.join(folder, "page.html"), "w") as page:
        page.write("<!doctype html>\n<!--trilobite:data-->\n")


def test(folder):
    inputs, room, disk = (os.path.join(folder, name) for name in ("inputs", "room", "disk"))
    for path in (inputs, room, disk):
        os.mkdir(path)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % DISK, "tmpfs", disk], stderr=subprocess.DEVNULL).returncode:
        print("SKIP disk_full: needs the right to mount a tmpfs")
        return 77
    try:
        make_inputs(inputs)
        failures = runs = 0
        for command in COMMANDS + SEVERAL:
            clear(room)
            code, text = run(command, room, inputs)
            assert code in (0, 1), (command, code, text)
            new = files_in(room)
            for pages in ROOMS:
                wrong = problem(command, pages, disk, inputs, dict(new), command in SEVERAL)
                runs += 1
                if wrong:
                    failures += 1
                    print("FAIL with %d pages left: %s: %s" % (pages, command, wrong))
        print("%d commands, %d runs, %d failures" % (len(COMMANDS + SEVERAL), runs, failures))
        return 1 if failures else 0
    finally:
        subprocess.run(["umount", disk])


if os.geteuid() != 0 and len(sys.argv) == 3 and shutil.which("unshare"):
    # In a name space of its own a user may mount.
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        sys.exit(subprocess.run(["unshare", "-rm", sys.executable, __file__, *sys.argv[1:], "inside"]).returncode)
with tempfile.TemporaryDirectory() as work:
    code = test(work)
sys.exit(code)
