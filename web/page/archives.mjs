// archives.mjs: files that hold files: .zip, .gz, ROMs of libdragon and DragonFS images.

const ZIP_END = 0x06054b50, ZIP_ENTRY = 0x02014b50
const STORED = 0, DEFLATED = 8

async function inflate(bytes, format) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).arrayBuffer())
}

// [name, bytes] of all files, from the directory at the end.
async function readZip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== ZIP_END) end--
  if (end < 0) throw new Error('the .zip file has no directory: it is not complete')
  const files = []
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ZIP_ENTRY) throw new Error('the directory of the .zip file is broken')
    const method = view.getUint16(at + 10, true), size = view.getUint32(at + 20, true), start = view.getUint32(at + 42, true)
    const nameSize = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize))
    at += 46 + nameSize + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (name.endsWith('/')) continue
    const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true)
    const data = bytes.subarray(from, from + size)
    if (method !== STORED && method !== DEFLATED) throw new Error(`${name} in the .zip file is compressed in a way that is not known here`)
    files.push([name, method === STORED ? data.slice() : await inflate(data, 'deflate-raw')])
  }
  return files
}

// The contents lie in a folder that stands for rom:/, so that models find their sprites.
async function readRom(name, bytes, run) {
  const { files, stderr } = await run(['extract', '-q', '--no-sync', '-o', 'out', name], [[name, bytes]])
  if (files.size === 0) throw new Error(stderr.trim() || 'there are no files in it')
  return [...files].map(([path, data]) => [path.replace(/^out\//, 'filesystem/'), data])
}

const starts = (bytes, ...values) => values.every((value, i) => bytes[i] === value)
const isRom = (name, bytes) => /\.(z64|n64|v64|dfs)$/i.test(name) || [[0x80, 0x37, 0x12, 0x40], [0x37, 0x80, 0x40, 0x12], [0x40, 0x12, 0x37, 0x80]].some((magic) => starts(bytes, ...magic))

// The same files with the contents of archives instead of the archives, in folders named after them. `run` is a command
// line on files.
export async function unpack(files, run) {
  const all = new Map()
  for (const [name, bytes] of files) {
    const put = (list) => list.forEach(([inside, data]) => all.set(files.size === 1 ? inside : `${name.replace(/\.[^.]*$/, '')}/${inside}`, data))
    try {
      if (starts(bytes, 0x50, 0x4b, 3, 4)) put(await readZip(bytes))
      else if (starts(bytes, 0x1f, 0x8b)) all.set(name.replace(/\.gz$/i, ''), await inflate(bytes, 'gzip'))
      else if (isRom(name, bytes)) put(await readRom(name, bytes, run))
      else all.set(name, bytes)
    } catch (error) {
      throw new Error(`${name}: ${error.message.replace(/^.*?error [A-Z-]*: /, '')}`)
    }
  }
  return all
}
