// The npm package: the module of core/trilobite.mjs with its WebAssembly file, found beside this one.
import { TrilobiteError, load } from './core/trilobite.mjs'

export { TrilobiteError, load }

const file = new URL('./trilobite.wasm', import.meta.url)
const inNode = typeof process === 'object' && process.versions?.node

// Node.js has no decoder for JPEG files; jpeg-js is used where it is installed.
async function jpegDecoder() {
  try {
    const { default: jpeg } = await import('jpeg-js')
    return (bytes) => {
      const { width, height, data } = jpeg.decode(bytes, { useTArray: true, formatAsRGBA: true })
      return { width, height, pixels: data }
    }
  } catch {
    return undefined
  }
}

async function start() {
  if (!inNode) return load(await fetch(file))
  const { readFile } = await import('node:fs/promises')
  return load(await readFile(file), { decodeJpeg: await jpegDecoder() })
}

let started
// The module, which is compiled once.
export function trilobite() {
  started ??= start()
  return started
}

export async function open(bytes, companions, options) {
  return (await trilobite()).open(bytes, companions, options)
}

export async function run(args, files) {
  return (await trilobite()).run(args, files)
}

export async function mascot(name) {
  return (await trilobite()).mascot(name)
}
