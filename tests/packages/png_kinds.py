"""png_kinds.py FOLDER: PNG files of every kind: colour types, depths, interlaced or not, with a clear colour or palette
alphas, with palettes that are too short; and damaged ones."""
import random
import struct
import sys
import zlib

PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows(width, height, bits, source):
    """Filtered rows: the filters undo nothing that matters here, as the bytes are random anyway."""
    size = (width * bits + 7) // 8
    return b"".join(bytes([source.randrange(5)]) + source.randbytes(size) for _ in range(height))


def png(kind, depth, interlace, clear, width=37, height=19, palette=None):
    source = random.Random(f"{kind} {depth} {interlace} {clear} {palette}")
    bits = CHANNELS[kind] * depth
    data = b""
    for x, y, dx, dy in PASSES if interlace else ((0, 0, 1, 1),):
        w, h = (width - x + dx - 1) // dx, (height - y + dy - 1) // dy
        if w > 0 and h > 0:
            data += rows(w, h, bits, source)
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace))
    out += chunk(b"gAMA", struct.pack(">I", 30000)) + chunk(b"sBIT", bytes([min(depth, 3)] * (3 if kind in (2, 3) else CHANNELS[kind])))
    if kind == 3:
        count = palette or 1 << depth
        out += chunk(b"PLTE", source.randbytes(3 * count))
        if clear:
            out += chunk(b"tRNS", source.randbytes(max(1, count // 2)))
    elif clear:
        low = (1 << depth) - 1
        out += chunk(b"tRNS", b"".join(struct.pack(">H", source.randrange(low + 1)) for _ in range(CHANNELS[kind])))
    half = len(data) // 2
    packed = zlib.compress(data[:half] + data[half:])
    return out + chunk(b"IDAT", packed[:50]) + chunk(b"IDAT", packed[50:]) + chunk(b"tEXt", b"Title\0x") + chunk(b"IEND", b"")


def main():
    folder = sys.argv[1]
    files = {}
    for kind, depths in DEPTHS.items():
        for depth in depths:
            for interlace in (0, 1):
                for clear in (0, 1) if kind in (0, 2, 3) else (0,):
                    files[f"kind{kind}-{depth}-{interlace}-{clear}"] = png(kind, depth, interlace, clear)
    for interlace in (0, 1):
        files[f"short-{interlace}"] = png(3, 4, interlace, 1, palette=5)
        files[f"one-{interlace}"] = png(6, 8, interlace, 0, 1, 1)
        files[f"thin-{interlace}"] = png(2, 8, interlace, 0, 1, 60)
    whole = png(6, 8, 0, 0)
    for size in range(0, len(whole), 97):
        files[f"cut-{size}"] = whole[:size]
    for at in range(9, len(whole), 89):
        files[f"flipped-{at}"] = whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:]
    for name, data in files.items():
        with open(f"{folder}/{name}.png", "wb") as file:
            file.write(data)


main()
