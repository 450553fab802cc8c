"""Trilobite: read, check, convert, play and draw small binary 3D models (T3DM, NLM, Model, glTF).

    document = trilobite.open("hero.t3dm")
    for finding in document.check():
        print(finding)
    document.convert("gltf").save("hero.glb")
    document.render(320, 240).save("hero.png")

Arrays are numpy arrays that share the memory of the library, or memoryviews where numpy is not installed; both are
read-only and keep what they belong to alive.
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Sequence, Union

from ._library import ffi, lib

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray
    Array = NDArray[Any]
else:
    Array = Any  # numpy.ndarray, or memoryview without numpy
Path = Union[str, "os.PathLike[str]"]

__all__ = ["Clip", "Conversion", "Document", "Finding", "Mesh", "Model", "Picture", "Player", "TrilobiteError", "open", "version"]

NONE = 0xFFFFFFFF
_LOOKS = {"n64": "TRILO_LOOK_N64", "clean": "TRILO_LOOK_CLEAN", "tv": "TRILO_LOOK_TV"}
_PICTURES = {".png": "TRILO_PICTURE_KIND_PNG", ".gif": "TRILO_PICTURE_KIND_GIF", ".apng": "TRILO_PICTURE_KIND_APNG"}

version: str = ffi.string(lib.trilo_version()).decode()


class TrilobiteError(Exception):
    """What is wrong with a file or a call, and what would be right."""

    def __init__(self, error: Any) -> None:
        self.code: int = error.code
        self.rule: str = _text(error.rule)
        self.offset: Optional[int] = None if error.offset == 2**64 - 1 else error.offset
        self.path: str = _text(error.path)
        self.text: str = _text(error.text)
        super().__init__(": ".join(part for part in (self.rule, self.path, self.text) if part))


@dataclass(frozen=True)
class Finding:
    severity: str
    kind: str
    code: str
    offset: Optional[int]
    path: str
    text: str

    def __str__(self) -> str:
        where = "" if self.offset is None else f"0x{self.offset:X}: "
        return f"{where}{self.severity} {self.code}: {self.path}{': ' if self.path else ''}{self.text}"


@dataclass(frozen=True)
class Clip:
    name: str
    seconds: float


def _text(chars: Any) -> str:
    return ffi.string(chars).decode("utf-8", "replace") if chars else ""


def _str(text: Any) -> str:
    return bytes(ffi.buffer(text.data, text.len)).decode("utf-8", "replace") if text.len else ""


def _bytes(view: Any) -> bytes:
    return bytes(ffi.buffer(view.data, view.size)) if view.size else b""


def _made(pointer: Any, error: Any, free: Any) -> Any:
    """The object, which is freed with its last reference."""
    if pointer == ffi.NULL:
        raise TrilobiteError(error)
    return ffi.gc(pointer, free)


def _array(owner: Any, pointer: Any, count: int, width: int, kind: str) -> Any:
    """`count` rows of `width` numbers at the pointer, without a copy; None if there are none."""
    if pointer == ffi.NULL:
        return None
    size = {"f": 4, "H": 2, "I": 4, "B": 1}[kind]
    # The buffer keeps the pointer, and the pointer keeps the owner.
    held = ffi.gc(ffi.cast("const uint8_t *", pointer), lambda _, owner=owner: None)
    view = memoryview(ffi.buffer(held, count * width * size)).toreadonly()
    if numpy is None:
        return view.cast(kind, (count, width)) if width > 1 and count > 0 else view.cast(kind)
    array = numpy.frombuffer(view, dtype=kind)
    return array.reshape(count, width) if width > 1 else array


def _format(number: int) -> str:
    return _text(lib.trilo_format_get(number).name)


def _formats() -> list[str]:
    names: list[str] = []
    while (info := lib.trilo_format_at(len(names))) != ffi.NULL:
        names.append(_text(info.name))
    return names


def _path(path: Path) -> bytes:
    return os.fsencode(path)


class _Findings:
    """Collects what a call reports."""

    def __init__(self) -> None:
        self.all: list[Finding] = []
        self.callback = ffi.callback("trilo_finding_fn", self.add)

    def add(self, _: Any, f: Any) -> None:
        kind = _text(lib.trilo_finding_kind_name(f.kind))
        offset = None if f.offset == 2**64 - 1 else f.offset
        self.all.append(Finding(_text(lib.trilo_severity_name(f.severity)), kind, _text(f.rule), offset, _text(f.path), _text(f.text)))


class Mesh:
    """A mesh of a model. Arrays that it does not have are None."""

    def __init__(self, model: Model, index: int) -> None:
        self._model, self._mesh = model, model._model.meshes[index]
        self.name: str = _str(self._mesh.name)
        self.material: Optional[int] = None if self._mesh.material == NONE else self._mesh.material
        self.vertex_count: int = self._mesh.vertex_count
        self.triangle_count: int = self._mesh.index_count // 3 if self._mesh.topology == 0 else 0

    def _vertices(self, field: str, width: int, kind: str) -> Any:
        return _array(self._model._model, getattr(self._mesh, field), self.vertex_count, width, kind)

    @property
    def positions(self) -> Array:
        return self._vertices("positions", 3, "f")

    @property
    def normals(self) -> Optional[Array]:
        return self._vertices("normals", 3, "f")

    @property
    def colors(self) -> Optional[Array]:
        return self._vertices("colors", 4, "f")

    @property
    def uvs(self) -> Optional[Array]:
        return self._vertices("uvs", 2, "f")

    @property
    def joints(self) -> Optional[Array]:
        return self._vertices("joints", 4, "H")

    @property
    def weights(self) -> Optional[Array]:
        return self._vertices("weights", 4, "f")

    @property
    def indices(self) -> Array:
        return _array(self._model._model, self._mesh.indices, self._mesh.index_count, 1, "I")


class Model:
    """The content of a file, the same for all formats."""

    def __init__(self, document: Document) -> None:
        error = ffi.new("trilo_error *")
        self._document = document
        self._model: Any = _made(lib.trilo_document_model(document._document, error), error, lib.trilo_model_free)
        self.meshes: list[Mesh] = [Mesh(self, i) for i in range(self._model.mesh_count)]
        clips = [self._model.clips[i] for i in range(self._model.clip_count)]
        self.clips: list[Clip] = [Clip(_str(clip.name), clip.duration) for clip in clips]

    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        b = lib.trilo_model_bounds(self._model)
        return (b.min.x, b.min.y, b.min.z), (b.max.x, b.max.y, b.max.z)

    def clip(self, name: Union[str, int]) -> int:
        """The number of a clip."""
        number = lib.trilo_clip_find(self._model, str(name).encode())
        if number == NONE:
            raise KeyError(name)
        return number

    def player(self) -> Player:
        return Player(self)


class Player:
    """Plays a clip: `play`, `advance`, then `positions` or a picture."""

    def __init__(self, model: Model) -> None:
        error = ffi.new("trilo_error *")
        self.model = model
        self._player = _made(lib.trilo_player_new(model._model, ffi.NULL, error), error, lib.trilo_player_free)
        self.advance(0)

    def play(self, clip: Union[str, int], *, start: float = 0, speed: float = 1, once: bool = False, fade: float = 0) -> None:
        how = ffi.new("trilo_play_opts *", {"start": start, "speed": speed, "once": once, "fade": fade})
        lib.trilo_player_play(self._player, 0, self.model.clip(clip), how)
        self.advance(0)

    def seek(self, seconds: float) -> None:
        lib.trilo_player_seek(self._player, 0, seconds)
        self.advance(0)

    def advance(self, seconds: float) -> None:
        lib.trilo_player_advance(self._player, seconds)

    @property
    def time(self) -> float:
        return lib.trilo_player_time(self._player, 0)

    def positions(self, mesh: int) -> Array:
        """The vertices of a mesh in the current pose."""
        count = self.model.meshes[mesh].vertex_count
        values = ffi.new("float[][3]", max(count, 1))
        lib.trilo_player_mesh(self._player, mesh, values, ffi.NULL)
        return _array(values, values, count, 3, "f")


class Picture:
    """RGBA pixels, rows from the top, alpha not premultiplied."""

    def __init__(self, width: int, height: int, pixels: Any) -> None:
        self.width, self.height, self._pixels = width, height, pixels

    @property
    def pixels(self) -> Array:
        """An array of height * width rows of four bytes; with numpy of shape (height, width, 4)."""
        array = _array(self._pixels, self._pixels, self.width * self.height, 4, "B")
        return array if numpy is None else array.reshape(self.height, self.width, 4)

    def encode(self, ending: str = ".png") -> bytes:
        parts: list[bytes] = []
        error = ffi.new("trilo_error *")
        image = ffi.new("trilo_image *", {"width": self.width, "height": self.height, "pixels": self._pixels})

        @ffi.callback("trilo_write_fn")
        def sink(_: Any, data: Any, size: int) -> bool:
            parts.append(bytes(ffi.buffer(data, size)))
            return True

        if not lib.trilo_image_write(image, getattr(lib, _PICTURES[ending]), sink, ffi.NULL, error):
            raise TrilobiteError(error)
        return b"".join(parts)

    def save(self, path: Path) -> None:
        data = self.encode(os.path.splitext(os.fspath(path))[1] or ".png")
        with _open(path, "wb") as file:
            file.write(data)


class Conversion:
    """The files of a conversion, in memory until they are saved."""

    def __init__(self, conversion: Any, findings: list[Finding]) -> None:
        self._conversion = conversion
        self.findings = findings
        self.format: str = _format(conversion.format)

    @property
    def data(self) -> bytes:
        """The main file."""
        return _bytes(self._conversion.bytes)

    @property
    def companions(self) -> dict[str, bytes]:
        rows = (self._conversion.companions[i] for i in range(self._conversion.companion_count))
        return {_text(row.name): _bytes(row.bytes) for row in rows}

    def save(self, path: Path) -> None:
        """Writes the file and its companions: all or none."""
        error = ffi.new("trilo_error *")
        if not lib.trilo_conversion_commit(self._conversion, _path(path), ffi.NULL, error):
            raise TrilobiteError(error)


class Document:
    """A file that is open."""

    def __init__(self, source: Union[Path, bytes, bytearray, memoryview], name: Optional[str], companions: Mapping[str, bytes]) -> None:
        error = ffi.new("trilo_error *")
        opts = ffi.new("trilo_load_opts *")
        # bytes, whoever changes or frees the rest; the garbage collector must not find a memoryview in a cycle
        content = bytes(source) if isinstance(source, (bytes, bytearray, memoryview)) else None
        path = None if isinstance(source, (bytes, bytearray, memoryview)) else _path(source)
        assets = ffi.new("trilo_assets_opts *")
        self._kept: list[Any] = []  # what the library borrows
        if path is not None:
            assets.model = self._keep(ffi.new("char[]", path))
        self._assets = _made(lib.trilo_assets_new(assets, error), error, lib.trilo_assets_free)
        opts.find_image = ffi.addressof(lib, "trilo_assets_find")
        opts.find_asset = ffi.addressof(lib, "trilo_assets_find_asset")
        opts.find_image_user = opts.find_asset_user = ffi.cast("void *", self._assets)
        if name is not None:
            opts.name = self._keep(ffi.new("char[]", name.encode()))
        if path is not None:
            document = lib.trilo_document_open_file(path, opts, error)
        else:
            opts.find_image = ffi.NULL
            opts.companion = self._companions(companions)
            data = self._keep(ffi.from_buffer(content))
            document = lib.trilo_document_open(data, len(data), opts, error)
        self._document = _made(document, error, lib.trilo_document_free)
        self._model: Optional[Model] = None

    def _keep(self, item: Any) -> Any:
        self._kept.append(item)
        return item

    def _companions(self, companions: Mapping[str, bytes]) -> Any:
        @ffi.callback("trilo_companion_fn")
        def find(_: Any, name: Any, found: Any) -> bool:
            content = companions.get(_text(name))
            if content is None:
                return False
            found.data, found.size = self._keep(ffi.from_buffer("uint8_t[]", content)), len(content)
            return True

        return self._keep(find)

    @property
    def format(self) -> str:
        return _format(lib.trilo_document_format(self._document))

    @property
    def version(self) -> int:
        return lib.trilo_document_version(self._document)

    def check(self) -> list[Finding]:
        findings = _Findings()
        lib.trilo_document_check(self._document, findings.callback, ffi.NULL)
        return findings.all

    @property
    def model(self) -> Model:
        if self._model is None:
            self._model = Model(self)
        return self._model

    def convert(self, format: str, *, name: Optional[str] = None, **options: Any) -> Conversion:
        """Converts to "nlm", "t3dm", "model64" or "gltf". `name` is the name of the file, after which companions are
        called. Options are those of the format in the C headers, such as scale=64, bvh=True for T3DM."""
        info = lib.trilo_format_find(format.encode())
        if info == ffi.NULL:
            raise ValueError(f"there is no format {format!r}; there are {', '.join(_formats())}")
        findings = _Findings()
        error = ffi.new("trilo_error *")
        write = ffi.new("trilo_write_opts *", {"format": info.format})
        text = ffi.new("char[]", (name or f"model.{_text(lib.trilo_format_extension(info.format))}").encode())
        own = ffi.new(f"trilo_{format}_write_opts *", options)
        write.name = text
        setattr(write, format, own)
        opts = ffi.new("trilo_convert_opts *", {"write": write, "on_finding": findings.callback, "reencode": bool(options)})
        conversion = lib.trilo_convert(self._document, opts, error)
        return Conversion(_made(conversion, error, lib.trilo_conversion_free), findings.all)

    def _textures(self) -> Iterator[Any]:
        """The image of each texture, decoded; None: it is missing."""
        model = self.model._model
        for i in range(model.texture_count):
            found = ffi.new("trilo_texture_file *")
            data = model.textures[i].bytes
            if data.size == 0 and lib.trilo_assets_texture(self._assets, model, i, found):
                data = found.bytes
            image = lib.trilo_image_decode(data, ffi.NULL, ffi.NULL) if data.size else ffi.NULL
            yield ffi.gc(image, lib.trilo_image_free) if image != ffi.NULL else None

    def render(self, width: int = 320, height: int = 240, *, look: str = "n64", clip: Union[str, int, None] = None,
               time: float = 0, player: Optional[Player] = None, azimuth: float = 30, elevation: float = 20,
               background: Sequence[int] = (0, 0, 0, 0)) -> Picture:
        """Draws the model, as the console does or with look="clean" anti-aliased."""
        error = ffi.new("trilo_error *")
        model = self.model
        images = list(self._textures())
        textures = ffi.new("const trilo_image *[]", [image or ffi.NULL for image in images])
        renderer = _made(lib.trilo_renderer_new(model._model, textures, ffi.NULL, error), error, lib.trilo_renderer_free)
        if clip is not None:
            player = model.player()
            player.play(clip, start=time)
        if player is not None:
            lib.trilo_renderer_pose(renderer, player._player)
        framing = ffi.new("trilo_framing *", {"azimuth": azimuth, "elevation": elevation,
                                              "aspect": width / height if height else 0})
        lib.trilo_framing_add(framing, renderer)
        scene = ffi.new("trilo_scene *", {"look": getattr(lib, _LOOKS[look]), "background": list(background)})
        scene.view = lib.trilo_framing_view(framing)
        pixels = ffi.new("uint8_t[][4]", max(width * height, 1))
        if not lib.trilo_renderer_draw(renderer, scene, width, height, pixels, error):
            raise TrilobiteError(error)
        return Picture(width, height, pixels)


_open = open


def open(source: Union[Path, bytes, bytearray, memoryview], *, name: Optional[str] = None, companions: Mapping[str, bytes] = {}) -> Document:
    """Opens a file, whose companions are found beside it, or bytes with the companions given by name. Raises
    TrilobiteError if it cannot be read."""
    return Document(source, name, companions)
