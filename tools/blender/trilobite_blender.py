"""Trilobite for Blender: imports .t3dm, .nlm and .model, exports .t3dm, and shows in the sidebar what the console would get of
the scene: findings, cost and a picture. The work is done by the program trilobite, which must be installed."""
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor

import bpy
import bpy.utils.previews
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

bl_info = {
    "name": "Trilobite: models for the Nintendo 64",
    "author": "The Trilobite authors",
    "version": (0, 2, 0),
    "blender": (3, 3, 0),
    "location": "File > Import, File > Export, sidebar of the 3D view",
    "description": "Imports T3DM, NLM and Model, exports T3DM; findings, cost and a picture of what the console gets",
    "category": "Import-Export",
}

FIGURES = (("triangles", "Triangles"), ("vertices", "Vertices"), ("loads", "Vertex loads"), ("microseconds", "Microseconds"))
ICONS = {"crash": "CANCEL", "error": "CANCEL", "warning": "ERROR", "note": "INFO"}
LIVE_SECONDS = 1.0
pictures = None  # made by register
worker = ThreadPoolExecutor(max_workers=1)  # examines while Blender goes on
pending = None  # the examination that it is at: the scene, its temporary folder, the result


class ToolError(Exception):
    """The message for the user."""


# ---- the program ----

def program():
    preferences = bpy.context.preferences.addons.get(__name__)
    path = preferences.preferences.program if preferences else ""
    found = shutil.which(bpy.path.abspath(path) if path else os.environ.get("TRILOBITE", "trilobite"))
    if not found:
        raise ToolError("The program trilobite was not found: install it, or set its path in the preferences of this add-on")
    return found


def run(*args, tool=None):
    """`tool`: what program() found, for callers that may not ask Blender."""
    done = subprocess.run([tool or program(), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def must_run(*args, tool=None):
    code, out, messages = run(*args, tool=tool)
    if code != 0:
        raise ToolError(messages.strip() or f"trilobite ended with {code}")
    return out, messages


def export_glb(path, selection):
    """With extras: Fast64's materials are there."""
    bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", export_extras=True, use_selection=selection)
    if not os.path.exists(path):
        raise ToolError("Blender exported nothing")


def decode_sprites(model, folder):
    """Blender shows no sprites: those of the model, found beside it or in a folder above, become PNG files in `folder`."""
    names = set(re.findall(r'"rom:/([^"]+)\.sprite"', must_run("info", "--json", model)[0]))
    for name in names:
        above = os.path.dirname(os.path.abspath(model))
        while not os.path.exists(os.path.join(above, name + ".sprite")) and above != os.path.dirname(above):
            above = os.path.dirname(above)
        png = os.path.join(folder, name + ".png")
        os.makedirs(os.path.dirname(png), exist_ok=True)
        run("sprite", "--quiet", os.path.join(above, name + ".sprite"), "-o", png)  # what is missing is a finding


def import_glb(path):
    """Blender's importer of glTF up to 3.4 uses a name that numpy 1.24, which Debian 12 has beside it, does not have."""
    import numpy
    if "bool" not in vars(numpy):
        numpy.bool = bool
    bpy.ops.import_scene.gltf(filepath=path)


def conversion_options(scale):
    return ["--scale", f"{scale:g}"] if scale > 0 else []


def examine_file(tool, source, options):
    """The findings and figures of an exported scene as the console would get it, and the file of its picture, or None. Asks
    Blender nothing, so that it may run in another thread."""
    model, picture = (os.path.join(os.path.dirname(source), name) for name in ("scene.t3dm", "scene.png"))
    convert = ("convert", "--json", *options, source, model)
    code, out, messages = run(*convert, "--sprites", tool=tool)
    if not out:
        raise ToolError(messages.strip() or f"trilobite ended with {code}")
    findings = json.loads(out)["findings"]
    if code != 0 and run(*convert, tool=tool)[0] != 0:  # without the textures there is still something to see
        return findings, {}, None
    figures = json.loads(must_run("cost", "--json", model, tool=tool)[0])["files"][0]["figures"]
    drawn = run("render", "--quiet", "--look", "n64", "--size", "256x256", "-o", picture, model, tool=tool)[0] == 0
    return findings, figures, picture if drawn else None  # an empty scene has none


def export_scene(state, folder):
    """What examine_file needs."""
    source = os.path.join(folder, "scene.glb")
    export_glb(source, state.selection)
    return program(), source, conversion_options(state.scale)


def show(state, findings, figures, picture):
    """Into the properties of the scene, which the sidebar draws."""
    state.findings.clear()
    for finding in findings:
        row = state.findings.add()
        row.severity, row.code = finding["severity"], finding["code"]
        row.text = f'{finding["path"]}: {finding["text"]}' if finding.get("path") else finding["text"]
    state.figures.clear()
    for key, title in FIGURES if figures else ():
        row = state.figures.add()
        row.title, row.value = title, float(figures[key])
    state.has_picture = picture is not None
    if picture:  # a preview stays in memory, so that the file may go
        pictures.clear()
        _ = pictures.load("scene", picture, "IMAGE", True).image_size[0]  # it is read when it is first looked at
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def show_error(state, error):
    show(state, [{"severity": "error", "code": "Trilobite", "text": str(error)}], {}, None)


def examine(context):
    state = context.scene.trilobite
    with tempfile.TemporaryDirectory() as folder:
        show(state, *examine_file(*export_scene(state, folder)))


# ---- operators ----

class TRILOBITE_OT_import(bpy.types.Operator, ImportHelper):
    """Imports a model of Tiny3D, NiteLite or Thornmarked"""
    bl_idname = "import_scene.trilobite"
    bl_label = "Import model"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".t3dm"
    filter_glob: StringProperty(default="*.t3dm;*.nlm;*.model", options={"HIDDEN"})

    def execute(self, context):
        name = os.path.splitext(os.path.basename(self.filepath))[0]
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name + ".glb")
                options = []
                if self.filepath.lower().endswith(".t3dm"):
                    options = ["--asset-path", os.path.join(folder, "assets")]
                    decode_sprites(self.filepath, options[1])
                _, messages = must_run("convert", *options, self.filepath, path)
                import_glb(path)
        except ToolError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for line in messages.splitlines():
            self.report({"WARNING"} if " warning " in line else {"INFO"}, line)
        return {"FINISHED"}


class TRILOBITE_OT_export(bpy.types.Operator, ExportHelper):
    """Exports a model of Tiny3D, with its sprites and key streams"""
    bl_idname = "export_scene.trilobite"
    bl_label = "Export T3DM"
    filename_ext = ".t3dm"
    filter_glob: StringProperty(default="*.t3dm", options={"HIDDEN"})
    sprites: BoolProperty(name="Sprites", description="Write the textures as sprites beside the model", default=True)

    def execute(self, context):
        state = context.scene.trilobite
        try:
            with tempfile.TemporaryDirectory() as folder:
                source = os.path.join(folder, os.path.splitext(os.path.basename(self.filepath))[0] + ".glb")
                export_glb(source, state.selection)
                options = conversion_options(state.scale) + (["--sprites"] if self.sprites else [])
                _, messages = must_run("convert", *options, source, self.filepath)
            examine(context)
        except ToolError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for line in messages.splitlines():
            self.report({"WARNING"} if " warning " in line else {"INFO"}, line)
        return {"FINISHED"}


class TRILOBITE_OT_examine(bpy.types.Operator):
    """Shows what the console would get of the scene"""
    bl_idname = "scene.trilobite_examine"
    bl_label = "Check now"

    def execute(self, context):
        try:
            examine(context)
        except ToolError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


# ---- the sidebar ----

class TRILOBITE_PG_finding(bpy.types.PropertyGroup):
    severity: StringProperty()
    code: StringProperty()
    text: StringProperty()


class TRILOBITE_PG_figure(bpy.types.PropertyGroup):
    title: StringProperty()
    value: FloatProperty()


class TRILOBITE_PG_state(bpy.types.PropertyGroup):
    scale: FloatProperty(name="Scale", description="Units of the console for a metre; 0: as Tiny3D's converter", default=0, min=0)
    selection: BoolProperty(name="Selection only", default=False)
    live: BoolProperty(name="Live", description="Check again a second after each change", default=False,
                       update=lambda self, context: plan_examination())
    has_picture: BoolProperty()
    findings: CollectionProperty(type=TRILOBITE_PG_finding)
    figures: CollectionProperty(type=TRILOBITE_PG_figure)


class TRILOBITE_PT_sidebar(bpy.types.Panel):
    bl_label = "Nintendo 64"
    bl_idname = "TRILOBITE_PT_sidebar"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Trilobite"

    def draw(self, context):
        state, layout = context.scene.trilobite, self.layout
        layout.prop(state, "scale")
        layout.prop(state, "selection")
        layout.prop(state, "live")
        layout.operator("scene.trilobite_examine", icon="FILE_REFRESH")
        if state.has_picture and "scene" in pictures:
            layout.template_icon(pictures["scene"].icon_id, scale=10)
        for figure in state.figures:
            row = layout.row()
            row.label(text=figure.title)
            row.label(text=f"{figure.value:,.0f}")
        for finding in state.findings:
            box = layout.box().column(align=True)
            box.label(text=finding.code, icon=ICONS.get(finding.severity, "INFO"))
            box.scale_y = 0.7
            for line in textwrap.wrap(finding.text, max(20, context.region.width // 8)):
                box.label(text=line)
        layout.operator("export_scene.trilobite", icon="EXPORT")


class TRILOBITE_preferences(bpy.types.AddonPreferences):
    bl_idname = __name__
    program: StringProperty(name="Program", description="The program trilobite; empty: the one on the search path", subtype="FILE_PATH")

    def draw(self, context):
        self.layout.prop(self, "program")


# ---- live ----

def examine_later():
    """A timer: exports, and lets the program work in another thread; collect shows what it found."""
    global pending
    scene = bpy.context.scene
    if bpy.context.mode != "OBJECT" or pending:  # the exporter would leave another mode
        return LIVE_SECONDS
    folder = tempfile.TemporaryDirectory()
    with unwatched():
        try:
            pending = scene.name, folder, worker.submit(examine_file, *export_scene(scene.trilobite, folder.name))
            bpy.app.timers.register(collect, first_interval=0.1)
        except ToolError as error:
            show_error(scene.trilobite, error)
            folder.cleanup()
    return None


def collect():
    """A timer: shows what the other thread has found."""
    global pending
    name, folder, future = pending
    if not future.done():
        return 0.1
    pending = None
    with unwatched(), folder:
        if name in bpy.data.scenes:
            state = bpy.data.scenes[name].trilobite
            try:
                show(state, *future.result())
            except ToolError as error:
                show_error(state, error)
    return None


@contextlib.contextmanager
def unwatched():
    """Exporting and showing change the scene, which is no reason to examine it again. Blender tells about these changes
    later, before the next timer."""
    remove_handler()
    try:
        yield
    finally:
        if not bpy.app.timers.is_registered(watch_again):
            bpy.app.timers.register(watch_again, first_interval=0.1)


def watch_again():
    """A timer."""
    if bpy.context.scene.trilobite.live:
        add_handler()


def plan_examination(*_):
    if bpy.app.timers.is_registered(examine_later):
        bpy.app.timers.unregister(examine_later)
    if bpy.context.scene.trilobite.live:
        bpy.app.timers.register(examine_later, first_interval=LIVE_SECONDS)


def add_handler():
    if plan_examination not in bpy.app.handlers.depsgraph_update_post:
        bpy.app.handlers.depsgraph_update_post.append(plan_examination)


def remove_handler():
    if plan_examination in bpy.app.handlers.depsgraph_update_post:
        bpy.app.handlers.depsgraph_update_post.remove(plan_examination)


# ---- registration ----

def import_entry(menu, _context):
    menu.layout.operator(TRILOBITE_OT_import.bl_idname, text="Nintendo 64 model (.t3dm, .nlm, .model)")


def export_entry(menu, _context):
    menu.layout.operator(TRILOBITE_OT_export.bl_idname, text="Tiny3D model (.t3dm)")


classes = (TRILOBITE_PG_finding, TRILOBITE_PG_figure, TRILOBITE_PG_state, TRILOBITE_OT_import, TRILOBITE_OT_export,
           TRILOBITE_OT_examine, TRILOBITE_PT_sidebar, TRILOBITE_preferences)


def register():
    global pictures
    pictures = bpy.utils.previews.new()
    for each in classes:
        bpy.utils.register_class(each)
    bpy.types.Scene.trilobite = bpy.props.PointerProperty(type=TRILOBITE_PG_state)
    bpy.types.TOPBAR_MT_file_import.append(import_entry)
    bpy.types.TOPBAR_MT_file_export.append(export_entry)


def unregister():
    remove_handler()
    for timer in (examine_later, collect, watch_again):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    bpy.types.TOPBAR_MT_file_import.remove(import_entry)
    bpy.types.TOPBAR_MT_file_export.remove(export_entry)
    del bpy.types.Scene.trilobite
    for each in reversed(classes):
        bpy.utils.unregister_class(each)
    bpy.utils.previews.remove(pictures)
