// files.mjs: where models come from: a drop, a picker, a paste, an address, the page itself, or `trilobite view`.

export const CONSOLE = new Set(['t3dm', 'model64']) // formats that a console loads
const MODELS = /\.(t3dm|nlm|model|glb|gltf)$/i

export function isModel(name) {
  return MODELS.test(name)
}

async function readFile(file, name, onFile) {
  onFile?.()
  return [name, new Uint8Array(await file.arrayBuffer())]
}

// Folders of tools, which a project may have but no model needs.
const OTHERS = /^(\..*|node_modules)$/

async function readEntry(entry, before, out, onFile) {
  if (entry.isDirectory && OTHERS.test(entry.name)) return
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject))
    out.push(await readFile(file, before + entry.name, onFile))
    return
  }
  const reader = entry.createReader()
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return
    for (const one of some) await readEntry(one, `${before}${entry.name}/`, out, onFile)
  }
}

// The same with a handle of Chromium, whose entries cannot be read by a page from a file.
async function readHandle(handle, before, out, onFile) {
  if (handle.kind === 'file') return void out.push(await readFile(await handle.getFile(), before + handle.name, onFile))
  if (OTHERS.test(handle.name)) return
  for await (const one of handle.values()) await readHandle(one, `${before}${handle.name}/`, out, onFile)
}

// Files and folders that were dropped or pasted: a Map from path to bytes. What the transfer has must be asked for before
// anything is waited for.
export async function readTransfer(transfer, onFile) {
  const items = [...transfer.items].filter((item) => item.kind === 'file').map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry?.(), handle: item.getAsFileSystemHandle?.().catch(() => null) }))
  const out = []
  for (const { file, entry, handle } of items) {
    const folder = entry?.isDirectory ? await handle : null
    if (folder) await readHandle(folder, '', out, onFile)
    else if (entry?.isDirectory) await readEntry(entry, '', out, onFile)
    else if (file) out.push(await readFile(file, file.name, onFile))
  }
  if (items.length === 0) for (const file of transfer.files) out.push(await readFile(file, file.name, onFile))
  return new Map(out)
}

export async function readList(list, onFile) {
  const wanted = [...list].filter((file) => !file.webkitRelativePath.split('/').slice(0, -1).some((folder) => OTHERS.test(folder)))
  return new Map(await Promise.all(wanted.map((file) => readFile(file, file.webkitRelativePath || file.name, onFile))))
}

function decodeBase64(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
}

// What `trilobite page` put into this page: { open, files }, or null.
export function embedded() {
  const data = document.getElementById('trilobite-files')
  if (!data) return null
  const { open, files } = JSON.parse(data.textContent)
  return { open, files: new Map(files.map(({ name, base64 }) => [name, decodeBase64(base64)])) }
}

async function fetchBytes(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status} ${response.statusText}`)
  return new Uint8Array(await response.arrayBuffer())
}

// Names of files that a hosted model may need, read from the model.
function companionNames(name, info, bytes) {
  const stem = name.replace(/\.[^.]*$/, '')
  const names = (info.clips ?? []).flatMap((clip) => (clip.stream ? [clip.stream.path.replace(/^rom:\//, '')] : []))
  for (const texture of info.textures ?? []) if (texture.path) names.push(texture.path.replace(/^rom:\//, ''))
  if (/\.gltf$/i.test(name)) {
    const json = JSON.parse(new TextDecoder().decode(bytes))
    for (const { uri } of [...(json.buffers ?? []), ...(json.images ?? [])]) if (uri && !uri.startsWith('data:')) names.push(decodeURIComponent(uri))
  }
  return [...new Set([...names, `${stem}.hash`])].filter((n) => n && !n.endsWith('.hash') && !n.includes('..'))
}

export async function readUrl(url, getInfo) {
  const address = new URL(url, location.href)
  const name = decodeURIComponent(address.pathname.split('/').pop()) || 'model'
  const files = new Map([[name, await fetchBytes(address)]])
  const info = await getInfo(name, files).catch(() => ({}))
  for (const companion of companionNames(name, info, files.get(name))) {
    const bytes = await fetchBytes(new URL(companion, address)).catch(() => null)
    if (bytes) files.set(companion, bytes)
  }
  return { open: name, files }
}

// `trilobite view`: { files, events } are addresses below the page's own.
export function viewAddresses() {
  const data = document.getElementById('trilobite-view')
  return data ? JSON.parse(data.textContent) : null
}

export async function readView(address) {
  const list = await (await fetch(address)).json()
  const models = []
  for (const model of list.models) {
    const files = new Map(await Promise.all(model.files.map(async ({ name, url }) => [name, await fetchBytes(url)])))
    models.push({ open: model.name, files })
  }
  return models
}

// ---- saving ----

export function download(name, bytes, type = 'application/octet-stream') {
  const url = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), 60000)
}

function crc32(bytes) {
  let crc = -1
  for (let i = 0; i < bytes.length; i++) {
    crc ^= bytes[i]
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

// A .zip without compression: models and sprites are small.
export function zip(files) {
  const parts = []
  const directory = []
  let at = 0
  const head = (signature, size, fields) => {
    const view = new DataView(new ArrayBuffer(size))
    view.setUint32(0, signature, true)
    for (const [offset, value, bytes] of fields) bytes === 2 ? view.setUint16(offset, value, true) : view.setUint32(offset, value, true)
    return new Uint8Array(view.buffer)
  }
  for (const [name, bytes] of files) {
    const text = new TextEncoder().encode(name)
    const crc = crc32(bytes)
    const common = [[4, crc, 4], [8, bytes.length, 4], [12, bytes.length, 4], [16, text.length, 2]]
    const shift = (by) => common.map(([o, v, b]) => [o + by, v, b])
    const local = head(0x04034b50, 30, [[4, 20, 2], [6, 0x800, 2], [12, 0x21, 2], ...shift(10)])
    directory.push(head(0x02014b50, 46, [[4, 20, 2], [6, 20, 2], [8, 0x800, 2], [14, 0x21, 2], ...shift(12), [42, at, 4]]), text)
    parts.push(local, text, bytes)
    at += local.length + text.length + bytes.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = head(0x06054b50, 22, [[8, files.size, 2], [10, files.size, 2], [12, size, 4], [16, at, 4]])
  return new Blob([...parts, ...directory, end])
}

// A line for a shell. Names of files are not trusted: they are quoted.
export function shellCommand(words) {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}

// This page as it was before anything was opened, for `trilobite page` to put a model into.
export function template() {
  const copy = document.documentElement.cloneNode(true)
  const app = copy.querySelector('#app')
  app.replaceChildren()
  app.removeAttribute('class')
  copy.querySelector('title').textContent = 'Trilobite'
  for (const name of ['data-theme', 'style']) copy.removeAttribute(name)
  for (const added of copy.querySelectorAll('#trilobite-files, #trilobite-view, meta[http-equiv], .popover, body > a')) added.remove()
  const marker = [...copy.querySelector('head').childNodes].find((node) => node.nodeType === Node.COMMENT_NODE && node.data === 'trilobite:data')
  if (!marker) copy.querySelector('head script').after(document.createComment('trilobite:data'))
  return new TextEncoder().encode(`<!doctype html>\n${copy.outerHTML}\n`)
}
