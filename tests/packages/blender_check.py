"""blender_check.py, run by Blender in the background: -- ADD-ON FOLDER. Installs the add-on as a user does, and uses it."""
import os
import sys
import time
import traceback

import bpy

addon, folder = sys.argv[sys.argv.index("--") + 1:]


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def clear():
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    for image in list(bpy.data.images):
        bpy.data.images.remove(image)


def main():
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.ops.preferences.addon_install(filepath=addon, overwrite=True)
    bpy.ops.preferences.addon_enable(module="trilobite_blender")
    module = sys.modules["trilobite_blender"]
    state, program = bpy.context.scene.trilobite, os.environ["TRILOBITE"]
    # 20 of the 886 triangles have no area on the console
    for name, least, most, textures in (("hero.t3dm", 866, 866, 1), ("hero.nlm", 886, 886, 2), ("hero.model", 866, 886, 0)):
        clear()
        check(bpy.ops.import_scene.trilobite(filepath=os.path.join(folder, name)) == {"FINISHED"}, name)
        meshes = [each for each in bpy.context.scene.objects if each.type == "MESH"]
        triangles = sum(len(each.data.loop_triangles) for each in meshes if not each.data.calc_loop_triangles())
        print(name, "objects", len(bpy.context.scene.objects), "triangles", triangles)
        images = [each for each in bpy.data.images if each.size[0] == 64]
        check(len(images) == textures, f"{name} has {len(images)} textures")
        check(least <= triangles <= most, f"{name} has {triangles} triangles")

    clear()
    check(bpy.ops.import_scene.trilobite(filepath=os.path.join(folder, "hero.nlm")) == {"FINISHED"}, "hero.nlm")
    state.scale = 64
    check(bpy.ops.scene.trilobite_examine() == {"FINISHED"}, "examine")
    figures = {each.title: each.value for each in state.figures}
    print("figures", figures, "findings", [each.code for each in state.findings])
    check(800 <= figures["Triangles"] <= 870 and figures["Microseconds"] > 0, "figures")
    check(any(each.code.startswith("T3DM-") for each in state.findings), "findings")
    check(state.has_picture and tuple(module.pictures["scene"].image_size) == (256, 256), "picture")
    check(len(set(module.pictures["scene"].image_pixels[:])) > 50, "the picture is empty")

    out = os.path.join(folder, "out.t3dm")
    check(bpy.ops.export_scene.trilobite(filepath=out) == {"FINISHED"}, "export")
    check(os.path.exists(out) and any(name.endswith(".sprite") for name in os.listdir(folder)), "exported files")

    # A change is examined a second later, in another thread; in the background the timers are called by hand.
    state.live = True
    check(bpy.app.timers.is_registered(module.examine_later), "live")
    state.figures.clear()
    check(module.examine_later() is None and bpy.app.timers.is_registered(module.collect), "begun")
    while module.collect() is not None:
        time.sleep(0.05)
    module.watch_again()
    check(len(state.figures) == 4 and module.plan_examination in bpy.app.handlers.depsgraph_update_post, "live figures")
    clear()
    module.examine_later()
    while module.collect() is not None:
        time.sleep(0.05)
    print("empty", [(each.code, each.text) for each in state.findings], [each.value for each in state.figures], state.has_picture)
    check(state.findings and not state.has_picture, "an empty scene")
    os.environ["TRILOBITE"] = "/none"
    module.examine_later()
    check(module.pending is None and [each.code for each in state.findings] == ["Trilobite"], "no program")
    os.environ["TRILOBITE"] = program
    state.live = False

    with open(os.path.join(folder, "broken.t3dm"), "wb") as file:
        file.write(b"T3M\x04 and nothing")
    try:
        result = bpy.ops.import_scene.trilobite(filepath=os.path.join(folder, "broken.t3dm"))
        check(result == {"CANCELLED"}, "broken")
    except RuntimeError as error:  # a script gets the report as an exception
        print("broken:", error)
        check("T3DM-" in str(error), "the reason")
    bpy.ops.preferences.addon_disable(module="trilobite_blender")
    print("BLENDER-FINE")


try:
    main()
except BaseException:
    traceback.print_exc()
    sys.exit(1)
