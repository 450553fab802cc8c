// Types of the package. Options of a command are those of the command line, in camel case: `trilobite render --help`.

/** Files by their paths, seen from the folder of the model. */
export type Files = Map<string, Bytes> | Record<string, Bytes> | { name: string; bytes: Bytes }[]
export type Bytes = Uint8Array | ArrayBuffer | ArrayLike<number>

/** `{ scale: 100, bvh: true, clip: ['Walk', 'Run'] }` is `--scale 100 --bvh --clip Walk --clip Run`. */
export type Options = Record<string, string | number | boolean | null | undefined | (string | number)[]>

export type Format = 'nlm' | 't3dm' | 'model64' | 'gltf'
export type Severity = 'note' | 'warning' | 'error' | 'console-crash'

/** A problem of a file: what is wrong, where, and what would be right. */
export interface Finding {
  severity: Severity
  kind: 'structure' | 'loss' | 'unsupported' | 'advice' | 'conformance'
  /** Stable: `trilobite check --explain CODE` prints cause and cure. */
  code: string
  /** Byte of the file; null if the finding is about no single one. */
  offset: number | null
  path: string
  text: string
}

export interface Check {
  file: string
  readable: boolean
  format?: Format
  version?: number
  findings: Finding[]
  crashes: number
  errors: number
  warnings: number
  notes: number
}

export interface Bounds {
  min: [number, number, number]
  max: [number, number, number]
}

export interface Clip {
  name: string
  seconds: number
  [key: string]: unknown
}

/** What `trilobite info --json` prints. */
export interface Info {
  file: string
  readable: boolean
  format: Format
  version: number
  size: number
  counts: {
    meshes: number
    vertices: number
    triangles: number
    lines: number
    materials: number
    textures: number
    nodes: number
    joints: number
    clips: number
  }
  bounds: Bounds
  meshes: { name: string; vertices: number; material: number | null; [key: string]: unknown }[]
  materials: { name: string; [key: string]: unknown }[]
  textures: { name: string; path: string; kind: string; width: number; height: number; size: number }[]
  clips: Clip[]
  [key: string]: unknown
}

/** What `trilobite cost --json` prints. docs/cost.md explains the figures. */
export interface Cost {
  file: string
  readable: boolean
  format: Format
  figures: { microseconds: number; triangles: number; vertices: number; [figure: string]: number }
  [key: string]: unknown
}

/** RGBA, not premultiplied, rows from the top. */
export interface Picture {
  width: number
  height: number
  pixels: Uint8ClampedArray
}

/** Files that were written, the main one first, and what was said about them. */
export interface Written {
  files: Map<string, Uint8Array>
  messages: string
}

export interface Model {
  readonly name: string
  info(options?: Options): Promise<Info>
  check(options?: Options): Promise<Check>
  cost(options?: Options): Promise<Cost>
  dump(options?: Options): Promise<Record<string, unknown>>
  /** `to` is a file name: its extension chooses the format. */
  convert(to: string, options?: Options): Promise<Written>
  optimize(to: string, options?: Options): Promise<Written>
  /** Pixels. */
  render(options?: Options): Promise<Picture>
  /** An image file: 'hero.png', 'walk.gif', 'turn.apng'. */
  picture(to: string, options?: Options): Promise<Uint8Array>
  /** Keeps the model open, to draw it again and again. */
  stage(options?: Options): Promise<Stage>
  player(options?: Options): Promise<Player>
}

export interface Stage {
  /** The pixels are valid until the next call. */
  draw(options?: Options): Picture
  close(): void
}

export interface Player {
  readonly clips: Clip[]
  /** Number of the clip that plays; null if there is none. */
  clip: number | null
  /** In seconds. */
  time: number
  play(clip: number, time?: number): void
  seek(seconds: number): void
  /** Clips loop. */
  advance(seconds: number): void
  draw(options?: Options): Picture
  close(): void
}

export interface Run {
  /** Exit code of the program. */
  code: number
  stdout: string
  stderr: string
  /** Everything that is there afterwards. */
  files: Map<string, Uint8Array>
}

export interface Trilobite {
  open(bytes: Bytes, companions?: Files, options?: { name?: string }): Promise<Model>
  run(args: string[], files?: Files): Promise<Run>
  mascot(name?: string): Promise<Uint8Array>
}

export interface LoadOptions {
  /** Browsers have one; for Node.js, install jpeg-js. */
  decodeJpeg?: (bytes: Uint8Array) => Picture | Promise<Picture> | { width: number; height: number; pixels: Uint8Array }
}

/** A failure, with the exit code that the program would have. */
export class TrilobiteError extends Error {
  code: number
  findings: Finding[]
}

/** Opens a model. `companions` are the files that belong to it: streams, buffers, sprites, images. */
export function open(bytes: Bytes, companions?: Files, options?: { name?: string }): Promise<Model>
/** Runs a command line of the program on files in memory. */
export function run(args: string[], files?: Files): Promise<Run>
/** The sample model, in the format of its name. */
export function mascot(name?: string): Promise<Uint8Array>
/** What the functions above use: compiled once. */
export function trilobite(): Promise<Trilobite>
/** For other places of trilobite.wasm: its bytes, a compiled module, or a response. */
export function load(wasm: BufferSource | WebAssembly.Module | Response, options?: LoadOptions): Promise<Trilobite>
