// Trilobite in JavaScript: the library and the program as WebAssembly, on files in memory. The results are those of the
// command line, byte for byte. Runs in browsers, their workers, and Node.js.
//
//   const trilobite = await load(await readFile('trilobite.wasm'))
//   const model = await trilobite.open(bytes, { 'hero.0.sdata': stream }, { name: 'hero.t3dm' })
//   model.check().findings; model.cost(); (await model.convert('hero.glb')).files; model.render({ look: 'tv' })

import { decodePng } from './png.mjs'
import { Exit, Wasi, normalize } from './wasi.mjs'

const PNG = 1
const MOST_ROUNDS = 64 // of decoding images and starting over
const EXTENSIONS = { nlm: 'nlm', t3dm: 't3dm', model: 'model', gltf: 'gltf', glb: 'glb' }

// A failure, with the message of the program.
export class TrilobiteError extends Error {
  constructor(message, code, findings = []) {
    super(message)
    this.name = 'TrilobiteError'
    this.code = code // exit code of the program; 70: a bug
    this.findings = findings
  }
}

// `wasm`: the bytes of trilobite.wasm, a WebAssembly.Module, or a Response. options.decodeJpeg(bytes) resolves to
// { width, height, pixels }, RGBA; browsers have one built in.
export async function load(wasm, options = {}) {
  const module = wasm instanceof WebAssembly.Module ? wasm
    : typeof Response !== 'undefined' && wasm instanceof Response ? await WebAssembly.compileStreaming(wasm)
    : await WebAssembly.compile(wasm)
  return new Trilobite(module, options)
}

// ---- images ----

function hash(bytes) {
  let a = 2166136261, b = 5381
  for (let i = 0; i < bytes.length; i++) {
    a = Math.imul(a ^ bytes[i], 16777619)
    b = (Math.imul(b, 33) + bytes[i]) | 0
  }
  return `${bytes.length}.${a >>> 0}.${b >>> 0}`
}

// JPEG files have no alpha, so a canvas gives back what was decoded.
async function decodeJpegInBrowser(bytes) {
  const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' })
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.drawImage(bitmap, 0, 0)
  return { width: bitmap.width, height: bitmap.height, pixels: context.getImageData(0, 0, bitmap.width, bitmap.height).data }
}

// Images that the module requested, decoded or being decoded, by content.
class Images {
  constructor(decodeJpeg) {
    this.decodeJpeg = decodeJpeg ?? (typeof createImageBitmap === 'function' && typeof OffscreenCanvas === 'function' ? decodeJpegInBrowser : null)
    this.known = new Map()
  }

  async decode(kind, bytes) {
    try {
      if (kind === PNG) return await decodePng(bytes)
      if (!this.decodeJpeg) return { noDecoder: true }
      const image = await this.decodeJpeg(bytes)
      return { kind: 1, bits: 8, colorCount: 0, ...image }
    } catch (error) {
      return { error: error.message || String(error) }
    }
  }

  imports(instance) {
    let found = null
    return {
      find: (kind, at, size, out, text, room) => {
        const bytes = new Uint8Array(instance.memory.buffer, at, size)
        const key = hash(bytes)
        found = this.known.get(key)
        if (!found) {
          instance.wanted.set(key, { kind, bytes: bytes.slice() })
          return -1
        }
        if (found.noDecoder) return -2
        if (found.error) return new TextEncoder().encodeInto(found.error || '?', new Uint8Array(instance.memory.buffer, text, room)).written
        const view = new DataView(instance.memory.buffer, out, 20)
        const values = [found.width, found.height, found.kind, found.bits, found.colorCount]
        values.forEach((value, i) => view.setUint32(4 * i, value, true))
        return 0
      },
      fetch: (pixels, indices, colors) => {
        const memory = new Uint8Array(instance.memory.buffer)
        memory.set(found.pixels, pixels)
        if (indices) memory.set(found.indices, indices)
        if (colors) memory.set(found.colors, colors)
      },
    }
  }

  async provide(wanted) {
    await Promise.all([...wanted].map(async ([key, { kind, bytes }]) => this.known.set(key, await this.decode(kind, bytes))))
    wanted.clear()
  }
}

// ---- an instance of the module ----

class Instance {
  static async start(trilobite, files, roots) {
    const self = new Instance()
    self.wasi = new Wasi(files, roots)
    self.wanted = new Map()
    const { exports } = await WebAssembly.instantiate(trilobite.module, {
      wasi_snapshot_preview1: self.wasi.imports(),
      images: trilobite.images.imports(self),
    })
    self.exports = exports
    self.memory = self.wasi.memory = exports.memory
    exports._initialize()
    return self
  }

  // Calls an export that takes argc and argv. The strings stay valid until the call after the next.
  call(name, args) {
    const encoded = args.map((arg) => new TextEncoder().encode(`${arg}\0`))
    const size = encoded.reduce((sum, bytes) => sum + bytes.length, 4 * (args.length + 1))
    const block = this.exports.memory_allocate(size)
    if (!block) throw new TrilobiteError('out of memory', 5)
    let at = block + 4 * (args.length + 1)
    const view = new DataView(this.memory.buffer)
    encoded.forEach((bytes, i) => {
      view.setUint32(block + 4 * i, at, true)
      new Uint8Array(this.memory.buffer).set(bytes, at)
      at += bytes.length
    })
    view.setUint32(block + 4 * args.length, 0, true)
    if (this.older) this.exports.memory_release(this.older)
    this.older = this.old
    this.old = block
    this.wasi.stdout.length = this.wasi.stderr.length = 0
    return this.guard(() => this.exports[name](args.length, block))
  }

  // The progress display of a terminal is for `onProgress`, and no message.
  watch(onProgress) {
    this.exports.watch_progress(1)
    this.wasi.isDisplay = (bytes) => {
      if (bytes[0] !== 0x0d) return false
      const found = /(\d+) of (\d+)$/.exec(new TextDecoder().decode(bytes))
      if (found) onProgress(Number(found[1]), Number(found[2]))
      return true
    }
  }

  guard(fn) {
    try {
      return fn()
    } catch (error) {
      if (error instanceof Exit) return error.code
      throw new TrilobiteError(`this is a bug of Trilobite: ${error.message}`, 70)
    }
  }

  doubles(at, count) {
    return at ? Array.from(new Float64Array(this.memory.buffer.slice(at, at + 8 * count))) : null
  }

  get stdout() {
    return this.wasi.text(this.wasi.stdout)
  }

  get stderr() {
    return this.wasi.text(this.wasi.stderr)
  }
}

// ---- the public part ----

// Files as Map, plain object or array of { name, bytes }.
function fileMap(files) {
  const entries = files instanceof Map ? [...files] : Array.isArray(files) ? files.map((f) => [f.name, f.bytes]) : Object.entries(files ?? {})
  return new Map(entries.map(([name, bytes]) => [normalize(name), bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)]))
}

// Options of the command line: { maxMemory: '64M', strict: true, allow: ['A', 'B'] } -> ['--max-memory', '64M', ...]
export function commandLine(options = {}) {
  return Object.entries(options).flatMap(([name, value]) => {
    const option = `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
    if (value === true) return [option]
    if (value === false || value === null || value === undefined) return []
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [option, String(one)])
  })
}

class Trilobite {
  constructor(module, options) {
    this.module = module
    this.images = new Images(options.decodeJpeg)
  }

  // Runs a command line, such as ['convert', 'hero.glb', 'hero.t3dm'], on files in memory. Resolves to
  // { code, stdout, stderr, output, files }: output has both as bytes, in pieces; files is a Map with everything that is
  // there afterwards. `files` may also be an object as in wasi.mjs with a method fork, which gives an unchanged one.
  // onProgress(done, total) is called during long work.
  async run(args, files = {}, { roots, stdin, onProgress } = {}) {
    const before = files.fork ? files : fileMap(files)
    for (let round = 0; ; round++) {
      const after = before.fork ? before.fork() : new Map(before)
      const instance = await Instance.start(this, after, roots)
      if (stdin) instance.wasi.stdin = stdin
      if (onProgress) instance.watch(onProgress)
      const code = instance.call('run', ['trilobite', ...args])
      const output = { stdout: instance.wasi.stdout, stderr: instance.wasi.stderr }
      if (instance.wanted.size === 0 || round >= MOST_ROUNDS)
        return { code, stdout: instance.stdout, stderr: instance.stderr, output, files: after }
      await this.images.provide(instance.wanted)
    }
  }

  // Opens a model. `companions` are the files beside it: streams, buffers, sprites, images, by their paths from its
  // folder. options.name is its file name, with folders if companions are outside its own.
  async open(bytes, companions = {}, options = {}) {
    const data = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
    const name = normalize(options.name ?? `model.${guessExtension(data)}`)
    const files = fileMap(companions)
    files.set(name, data)
    return Model.open(this, name, files)
  }

  // The sample model, a small trilobite that walks.
  async mascot(name = 'trilobite.glb') {
    const files = new Map()
    const instance = await Instance.start(this, files)
    instance.call('make_mascot', ['trilobite-mascot', name])
    return files.get(name)
  }
}

function guessExtension(bytes) {
  const magic = String.fromCharCode(...bytes.subarray(0, 4))
  return magic === 'glTF' ? EXTENSIONS.glb : magic.startsWith('T3M') ? EXTENSIONS.t3dm : magic.trimStart().startsWith('{') ? EXTENSIONS.gltf : 'model'
}

// trilo_combiner_input of render.h, trilo_texels of n64.h and SELECT_... of session.c; tests/web/core.mjs compares them.
export const INPUTS = ['TEX0', 'TEX1', 'SHADE', 'PRIM', 'ENV', 'NOISE', 'LOD', 'PRIM_LOD', 'COMBINED']
export const TEXELS = { RGBA16: 1, RGBA32: 2, CI4: 4, CI8: 5, IA4: 6, IA8: 7, IA16: 8, I4: 9, I8: 10 }
export const SELECT = { mesh: 0, material: 1, node: 2, triangle: 3 }

class Model {
  static async open(trilobite, name, files) {
    const self = new Model()
    self.trilobite = trilobite
    self.name = name
    self.files = files
    return self
  }

  async json(command, options = {}) {
    const result = await this.trilobite.run([command, '--json', ...commandLine(options), this.name], this.files)
    try {
      return JSON.parse(result.stdout)
    } catch {
      throw new TrilobiteError(result.stderr.trim() || `${command} failed`, result.code)
    }
  }

  // What `trilobite info --json`, `check --json`, `cost --json` and `dump --json` print about the file.
  async info(options) {
    return (await this.json('info', options)).files[0]
  }

  async check(options) {
    return (await this.json('check', options)).files[0]
  }

  async cost(options) {
    return (await this.json('cost', options)).files[0]
  }

  async dump(options) {
    const all = await this.json('dump', options)
    return all.files ? all.files[0] : all
  }

  // Converts to a file name such as 'hero.t3dm', with options of `trilobite convert`. Resolves to { files, messages }:
  // files is a Map of what was written, the main file first.
  async convert(to, options = {}) {
    return this.write('convert', to, options)
  }

  // The same for `trilobite optimize`.
  async optimize(to, options = {}) {
    return this.write('optimize', to, options)
  }

  async write(command, to, options) {
    const path = normalize(`out/${to}`)
    const result = await this.trilobite.run([command, ...commandLine(options), this.name, path], this.files)
    const written = [...result.files].filter(([name]) => name.startsWith('out/') && !this.files.has(name))
    if (!result.files.has(path)) throw new TrilobiteError(result.stderr.trim() || 'nothing was written', result.code)
    written.sort(([a], [b]) => (a === path ? -1 : b === path ? 1 : a < b ? -1 : 1))
    return { files: new Map(written.map(([name, bytes]) => [name.slice(4), bytes])), messages: result.stderr }
  }

  // An image file: 'hero.png', 'walk.gif', 'turn.apng', with options of `trilobite render`.
  async picture(to, options = {}) {
    const path = normalize(`out/${to}`)
    const result = await this.trilobite.run(['render', ...commandLine(options), this.name, '-o', path], this.files)
    if (!result.files.has(path)) throw new TrilobiteError(result.stderr.trim() || 'nothing was drawn', result.code)
    return result.files.get(path)
  }

  // Pixels, with options of `trilobite render`: { width, height, pixels }, RGBA, not premultiplied.
  async render(options = {}) {
    const stage = await this.stage(options)
    try {
      return stage.draw(options)
    } finally {
      stage.close()
    }
  }

  // A stage keeps the model open for drawing it again and again.
  async stage(options = {}) {
    for (let round = 0; ; round++) {
      const instance = await Instance.start(this.trilobite, new Map(this.files))
      const stage = new Stage(this, instance)
      const code = instance.call('session_open', stage.commandLine(options))
      if (instance.wanted.size > 0 && round < MOST_ROUNDS) {
        await this.trilobite.images.provide(instance.wanted)
        continue
      }
      if (code !== 0) throw new TrilobiteError(instance.stderr.trim() || 'it cannot be drawn', code)
      stage.messages = instance.stderr
      return stage
    }
  }

  // Clips in time: { seek, advance, draw }.
  async player(options = {}) {
    return new Player(await this.stage(options), await this.info({ clips: true }))
  }
}

class Stage {
  constructor(model, instance) {
    this.model = model
    this.instance = instance
  }

  commandLine(options) {
    return ['trilobite', 'render', '-o', '-', ...commandLine(options), this.model.name]
  }

  // { width, height, pixels }; the pixels are a view into the module's memory, valid until the next call.
  draw(options = {}) {
    const at = this.instance.call('session_draw', this.commandLine(options))
    if (!at) throw new TrilobiteError(this.instance.stderr.trim() || 'it cannot be drawn', 5)
    const [width, height] = (options.size ?? (options.look === 'tv' || options.look === 'clean' ? '640x480' : '320x240')).split('x').map(Number)
    return { width, height, pixels: new Uint8ClampedArray(this.instance.memory.buffer, at, 4 * width * height) }
  }

  // The view of the last picture.
  view() {
    const v = this.instance.doubles(this.instance.exports.session_view(), 13)
    return { eye: v.slice(0, 3), target: v.slice(3, 6), fov: v[6], min: v.slice(7, 10), max: v.slice(10, 13) }
  }

  // The first triangle on a ray in the pose of the last picture; null if there is none.
  ray(origin, direction) {
    const h = this.instance.doubles(this.instance.exports.session_ray(...origin, ...direction), 13)
    if (!h) return null
    const none = (value) => (value < 0 ? null : value)
    return { mesh: h[0], triangle: h[1], material: none(h[2]), distance: h[3], position: h.slice(4, 7), normal: h.slice(7, 10), batch: none(h[10]), uv: h.slice(11) }
  }

  // What the colour combiner of the console gets at a pixel of the last picture: { mesh, triangle, inputs, output };
  // inputs is a Map from libdragon's names to red, green, blue, alpha. Null where nothing is drawn.
  probe(x, y) {
    const p = this.instance.doubles(this.instance.exports.session_probe(x, y), 7 + 4 * INPUTS.length)
    if (!p) return null
    const inputs = new Map(INPUTS.flatMap((name, i) => ((p[2] >> i) & 1 ? [[name, p.slice(7 + 4 * i, 11 + 4 * i)]] : [])))
    return { mesh: p[0], triangle: p[1], inputs, output: p.slice(3, 7) }
  }

  // Blends a clip over the one that is drawn from now on, until its weight is 0.
  fade(clip, seconds, weight) {
    this.instance.exports.session_fade(clip, seconds, weight)
  }

  // The file as its records are counted: a compressed asset is decompressed.
  bytes() {
    const [at, size] = this.instance.doubles(this.instance.exports.session_bytes(), 2)
    return new Uint8Array(this.instance.memory.buffer.slice(at, at + size))
  }

  // [{ name, parent }]; parent is null for a root.
  nodes() {
    const { exports, memory } = this.instance
    const block = exports.memory_allocate(4)
    const nodes = []
    for (let at; (at = exports.session_node(nodes.length, block)); ) {
      const bytes = new Uint8Array(memory.buffer)
      const parent = new DataView(memory.buffer).getInt32(block, true)
      nodes.push({ name: new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at))), parent: parent < 0 ? null : parent })
    }
    exports.memory_release(block)
    return nodes
  }

  // What is selected white, all else black: as draw.
  mask(kind, index, second, width, height) {
    const at = this.instance.exports.session_mask(SELECT[kind], index, second ?? 0)
    return at ? new Uint8ClampedArray(this.instance.memory.buffer, at, 4 * width * height) : null
  }

  bounds(kind, index, second) {
    const b = this.instance.doubles(this.instance.exports.session_bounds(SELECT[kind], index, second ?? 0), 6)
    return b && { min: b.slice(0, 3), max: b.slice(3) }
  }

  // Colours for { parts: true }: each batch its own, or by cost.
  colorBatches(heat) {
    return Boolean(this.instance.exports.session_color_batches(heat ? 1 : 0))
  }

  keyTimes(clip, most = 4096) {
    const block = this.instance.exports.memory_allocate(8 * most)
    const count = block ? this.instance.exports.session_key_times(clip, block, most) : 0
    const times = count ? this.instance.doubles(block, count) : []
    this.instance.exports.memory_release(block)
    return times
  }

  // Seconds; null if there is no such key.
  keyTime(clip, channel, key) {
    const time = this.instance.exports.session_key_time(clip, channel, key)
    return time < 0 ? null : time
  }

  texture(index) {
    const t = this.instance.doubles(this.instance.exports.session_texture(index), 3)
    return t && { width: t[0], height: t[1], pixels: new Uint8ClampedArray(this.instance.memory.buffer.slice(t[2], t[2] + 4 * t[0] * t[1])) }
  }

  // A texture as a sprite in a format of TEXELS would show it: also { tmem, fits, deltaE }.
  textureAs(index, format) {
    const t = this.instance.doubles(this.instance.exports.session_texture_as(index, TEXELS[format]), 6)
    return t && { width: t[0], height: t[1], pixels: new Uint8ClampedArray(this.instance.memory.buffer.slice(t[2], t[2] + 4 * t[0] * t[1])), tmem: t[3], fits: t[4] !== 0, deltaE: t[5] }
  }

  // The triangles of a material on its texture.
  uvs(material, width, height) {
    const block = this.instance.exports.memory_allocate(4 * width * height)
    const drawn = block && this.instance.exports.session_uvs(material, width, height, block)
    const pixels = drawn ? new Uint8ClampedArray(this.instance.memory.buffer.slice(block, block + 4 * width * height)) : null
    this.instance.exports.memory_release(block)
    return pixels && { width, height, pixels }
  }

  close() {
    this.instance = null
  }
}

class Player {
  constructor(stage, info) {
    this.stage = stage
    this.clips = info.clips ?? []
    this.clip = this.clips.length > 0 ? 0 : null
    this.time = 0
  }

  play(clip, time = 0) {
    this.clip = clip
    this.time = time
  }

  seek(seconds) {
    this.time = seconds
  }

  // Clips loop.
  advance(seconds) {
    const length = this.clip === null ? 0 : this.clips[this.clip].seconds
    this.time = length > 0 ? (((this.time + seconds) % length) + length) % length : 0
  }

  draw(options = {}) {
    return this.stage.draw(this.clip === null ? options : { ...options, clip: this.clip, time: this.time })
  }

  close() {
    this.stage.close()
  }
}
