"""Trilobite for Blender: imports .t3dm, .nlm and .model, exports .t3dm, and shows in the sidebar what the console would get of
the scene: findings, cost and a picture. The work is done by the program trilobite, which must be installed."""
import json
import os
import re
import shutil
import subprocess
import tempfile

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
ICONS = {"crash": "CANCEL", "error": "ERROR", "warning": "ERROR", "note": "INFO"}
LIVE_SECONDS = 1.0
pictures = None  # made by register


class ToolError(Exception):
    """What the user is told."""


# ---- the program ----

def program():
    preferences = bpy.context.preferences.addons.get(__name__)
    path = preferences.preferences.program if preferences else ""
    found = shutil.which(bpy.path.abspath(path) if path else os.environ.get("TRILOBITE", "trilobite"))
    if not found:
        raise ToolError("The program trilobite was not found: install it, or set its path in the preferences of this add-on")
    return found


def run(*args):
    done = subprocess.run([program(), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def must_run(*args):
    code, out, messages = run(*args)
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


def examine(context):
    """The findings, figures and picture of the scene as the console would get it, into the properties of the scene."""
    state = context.scene.trilobite
    with tempfile.TemporaryDirectory() as folder:
        source, model, picture = (os.path.join(folder, name) for name in ("scene.glb", "scene.t3dm", "scene.png"))
        export_glb(source, state.selection)
        options = conversion_options(state.scale)
        code, out, messages = run("check", "--json", "--for", "t3dm", *options, source)
        if code not in (0, 1, 3, 5) or not out:
            raise ToolError(messages.strip())
        state.findings.clear()
        for finding in json.loads(out)["files"][0].get("findings", []):
            row = state.findings.add()
            row.severity, row.code = finding["severity"], finding["code"]
            row.text = f'{finding["path"]}: {finding["text"]}' if finding.get("path") else finding["text"]
        state.figures.clear()
        state.has_picture = False
        if run("convert", "--quiet", "--sprites", *options, source, model)[0] != 0 and run("convert", "--quiet", *options, source, model)[0] != 0:
            return
        figures = json.loads(must_run("cost", "--json", model)[0])["files"][0]["figures"]
        for key, title in FIGURES:
            row = state.figures.add()
            row.title, row.value = title, float(figures[key])
        must_run("render", "--quiet", "--look", "n64", "--size", "256x256", "-o", picture, model)
        show_picture(picture)
        state.has_picture = True


def show_picture(path):
    """Previews stay in memory, so that the file may go."""
    pictures.clear()
    preview = pictures.load("scene", path, "IMAGE", True)
    _ = preview.image_size[0]  # it is read when it is first looked at


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
        row = layout.row()
        row.prop(state, "selection")
        row.prop(state, "live")
        layout.operator("scene.trilobite_examine", icon="FILE_REFRESH")
        if state.has_picture and "scene" in pictures:
            layout.template_icon(pictures["scene"].icon_id, scale=10)
        for figure in state.figures:
            row = layout.row()
            row.label(text=figure.title)
            row.label(text=f"{figure.value:,.0f}")
        for finding in state.findings:
            box = layout.box()
            box.label(text=f"{finding.severity}: {finding.code}", icon=ICONS.get(finding.severity, "INFO"))
            for start in range(0, len(finding.text), 44):
                box.label(text=finding.text[start:start + 44])
        layout.operator("export_scene.trilobite", icon="EXPORT")


class TRILOBITE_preferences(bpy.types.AddonPreferences):
    bl_idname = __name__
    program: StringProperty(name="Program", description="The program trilobite; empty: the one on the search path", subtype="FILE_PATH")

    def draw(self, context):
        self.layout.prop(self, "program")


# ---- live ----

def examine_later():
    try:
        if bpy.context.mode == "OBJECT":  # the exporter would leave another mode
            remove_handler()  # exporting changes the scene for a moment
            examine(bpy.context)
    except ToolError as error:
        print("Trilobite:", error)
    finally:
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
    if bpy.app.timers.is_registered(examine_later):
        bpy.app.timers.unregister(examine_later)
    bpy.types.TOPBAR_MT_file_import.remove(import_entry)
    bpy.types.TOPBAR_MT_file_export.remove(export_entry)
    del bpy.types.Scene.trilobite
    for each in reversed(classes):
        bpy.utils.unregister_class(each)
    bpy.utils.previews.remove(pictures)
