// Reads PNG files as they are: no colour conversion, no premultiplication, and with the palette, which browsers do
// not expose. The host inflates (DecompressionStream).

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10]
const MOST_PIXELS = 1 << 24
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
// trilo_pixel_kind
const KINDS = { 0: 2, 2: 1, 3: 4, 4: 3, 6: 0 }
const DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }
// Adam7: first column and row, and the steps.
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]]

const crcTable = new Int32Array(256).map((_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1
  return n
})

function crc(bytes) {
  let c = -1
  for (let i = 0; i < bytes.length; i++) c = crcTable[(c ^ bytes[i]) & 255] ^ (c >>> 8)
  return (c ^ -1) >>> 0
}

function readChunks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (SIGNATURE.some((b, i) => bytes[i] !== b)) throw new Error('it has no PNG signature')
  const chunks = { data: [] }
  for (let at = 8; ; ) {
    if (at + 12 > bytes.length) throw new Error('it ends before its pixels do')
    const size = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (at + 12 + size > bytes.length) throw new Error('it ends before its pixels do')
    const body = bytes.subarray(at + 8, at + 8 + size)
    if (crc(bytes.subarray(at + 4, at + 8 + size)) !== view.getUint32(at + 8 + size) && type !== 'IEND')
      throw new Error(`the checksum of the chunk ${type} is wrong`)
    if (type === 'IHDR') chunks.head = new DataView(body.buffer, body.byteOffset, 13)
    else if (type === 'PLTE') chunks.palette = body
    else if (type === 'tRNS') chunks.transparent = body
    else if (type === 'IDAT') chunks.data.push(body)
    else if (type === 'IEND') return chunks
    at += 12 + size
  }
}

async function inflate(parts, size) {
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream('deflate'))
  const out = new Uint8Array(size)
  const reader = stream.getReader()
  let used = 0
  while (used < size) {
    const { done, value } = await reader.read()
    if (done) throw new Error('it ends before its pixels do')
    const part = value.subarray(0, size - used)
    out.set(part, used)
    used += part.length
  }
  reader.cancel().catch(() => {})
  return out
}

// Undoes the filter of each row in place; `step` is the distance of the pixel to the left.
function unfilter(raw, at, rows, rowBytes, step) {
  for (let y = 0; y < rows; y++, at += rowBytes + 1) {
    const row = at + 1
    const above = y > 0 ? row - rowBytes - 1 : -1
    const filter = raw[at]
    if (filter > 4) throw new Error(`a row has the filter ${filter}, which does not exist`)
    if (filter === 0) continue
    for (let i = 0; i < rowBytes; i++) {
      const a = i >= step ? raw[row + i - step] : 0
      const b = above >= 0 ? raw[above + i] : 0
      let add = filter === 1 ? a : filter === 2 ? b : (a + b) >> 1
      if (filter === 4) {
        const c = above >= 0 && i >= step ? raw[above + i - step] : 0
        const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c)
        add = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
      }
      raw[row + i] += add
    }
  }
}

export async function decodePng(bytes) {
  const chunks = readChunks(bytes)
  const { head, palette, transparent } = chunks
  if (!head) throw new Error('it has no header')
  const width = head.getUint32(0), height = head.getUint32(4)
  const bits = head.getUint8(8), color = head.getUint8(9), interlaced = head.getUint8(12)
  if (!width || !height || width * height > MOST_PIXELS) throw new Error(`it is ${width} by ${height} pixels`)
  if (!DEPTHS[color]?.includes(bits) || interlaced > 1) throw new Error('its header has values that do not exist')
  if (color === 3 && !palette) throw new Error('it has no palette')
  const channels = CHANNELS[color]
  const passes = (interlaced ? PASSES : [[0, 0, 1, 1]])
    .map(([x, y, dx, dy]) => ({ x, y, dx, dy, wide: Math.ceil((width - x) / dx), high: Math.ceil((height - y) / dy) }))
    .filter((p) => p.wide > 0 && p.high > 0)
  const rowBytes = (wide) => (wide * channels * bits + 7) >> 3
  const raw = await inflate(chunks.data, passes.reduce((sum, p) => sum + p.high * (rowBytes(p.wide) + 1), 0))

  const pixels = new Uint8Array(4 * width * height)
  const indices = color === 3 ? new Uint8Array(width * height) : null
  const colors = color === 3 ? new Uint8Array(1024) : null
  let colorCount = color === 3 ? palette.length / 3 : 0
  for (let i = 0; colors && i < 256; i++) {
    const known = i < colorCount
    for (let k = 0; k < 3; k++) colors[4 * i + k] = known ? palette[3 * i + k] : 0
    colors[4 * i + 3] = known && transparent && i < transparent.length ? transparent[i] : 255
  }
  const key = transparent && color !== 3 ? Array.from({ length: channels }, (_, i) => (transparent[2 * i] << 8) | transparent[2 * i + 1]) : null
  const most = (1 << bits) - 1
  const sample = new Array(4)
  let at = 0
  for (const pass of passes) {
    const row = rowBytes(pass.wide)
    unfilter(raw, at, pass.high, row, Math.max(1, (channels * bits) >> 3))
    for (let y = 0; y < pass.high; y++) {
      const from = at + y * (row + 1) + 1
      for (let x = 0; x < pass.wide; x++) {
        for (let k = 0; k < channels; k++) {
          const n = x * channels + k
          sample[k] = bits === 8 ? raw[from + n] : bits === 16 ? (raw[from + 2 * n] << 8) | raw[from + 2 * n + 1] : (raw[from + ((n * bits) >> 3)] >> (8 - bits - ((n * bits) & 7))) & most
        }
        const pixel = (pass.y + y * pass.dy) * width + pass.x + x * pass.dx
        const to = 4 * pixel
        if (indices) {
          indices[pixel] = sample[0]
          colorCount = Math.max(colorCount, sample[0] + 1)
          pixels.set(colors.subarray(4 * sample[0], 4 * sample[0] + 4), to)
          continue
        }
        const hidden = key && key.every((v, k) => v === sample[k])
        for (let k = 0; k < channels; k++) sample[k] = bits === 16 ? sample[k] >> 8 : bits === 8 ? sample[k] : Math.round((sample[k] * 255) / most)
        const grey = channels < 3
        pixels[to] = sample[0]
        pixels[to + 1] = grey ? sample[0] : sample[1]
        pixels[to + 2] = grey ? sample[0] : sample[2]
        pixels[to + 3] = hidden ? 0 : channels === 2 ? sample[1] : channels === 4 ? sample[3] : 255
      }
    }
    at += pass.high * (row + 1)
  }
  return { width, height, kind: KINDS[color], bits, pixels, indices, colors, colorCount }
}
