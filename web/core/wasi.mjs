// The few system calls of WASI that trilobite.wasm makes, on files in memory, or on an object with
// the methods of a Map.

const OK = 0, EXISTS = 20, BAD_DESCRIPTOR = 8, IS_FOLDER = 31, NO_ENTRY = 44, NOT_SUPPORTED = 52, NOT_EMPTY = 55
const FOLDER = 3, REGULAR = 4, STREAM = 2
const CREATE = 1, MUST_BE_FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8 // oflags of path_open

export class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`)
    this.code = code
  }
}

// 'a/./b/../c' -> 'a/c'. Nothing leads out of the root.
export function normalize(path) {
  const parts = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

// files: Map from a path without a leading slash to a Uint8Array. Folders exist where a file is in them. Other objects
// with get, has, set and delete need isFolder and list as well. roots: the folders that the module
// starts from, [name, path].
export class Wasi {
  constructor(files, roots = [['/', '']]) {
    this.files = files
    this.roots = roots
    this.stdin = new Uint8Array(0)
    this.stdout = []
    this.stderr = []
    this.isDisplay = () => false // for a terminal: not kept
    this.open = [null, null, null, ...roots.map(([, folder]) => ({ folder }))]
    this.memory = null // set when the module is instantiated
  }

  text(chunks) {
    let size = 0
    for (const chunk of chunks) size += chunk.length
    const all = new Uint8Array(size)
    size = 0
    for (const chunk of chunks) {
      all.set(chunk, size)
      size += chunk.length
    }
    return new TextDecoder().decode(all)
  }

  view() {
    return new DataView(this.memory.buffer)
  }

  path(folder, at, size) {
    const text = new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, size))
    return normalize(`${folder}/${text}`)
  }

  isFolder(path) {
    if (this.files.isFolder) return this.files.isFolder(path)
    if (path === '') return true
    for (const name of this.files.keys()) if (name.startsWith(`${path}/`)) return true
    return false
  }

  // Names in a folder, in order.
  list(path) {
    if (this.files.list) return this.files.list(path)
    const before = path === '' ? '' : `${path}/`
    const names = new Map()
    for (const name of this.files.keys())
      if (name.startsWith(before)) {
        const rest = name.slice(before.length)
        const end = rest.indexOf('/')
        names.set(end < 0 ? rest : rest.slice(0, end), end < 0 ? REGULAR : FOLDER)
      }
    return [...names].sort((a, b) => (a[0] < b[0] ? -1 : 1))
  }

  buffers(at, count) {
    const view = this.view()
    const all = []
    for (let i = 0; i < count; i++) all.push([view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true)])
    return all
  }

  status(at, type, size) {
    const view = this.view()
    for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true)
    view.setUint8(at + 16, type)
    view.setBigUint64(at + 24, 1n, true)
    view.setBigUint64(at + 32, BigInt(size), true)
    return OK
  }

  imports() {
    const calls = {
      args_sizes_get: (count, size) => this.pair(count, size),
      args_get: () => OK,
      environ_sizes_get: (count, size) => this.pair(count, size),
      environ_get: () => OK,
      clock_time_get: (id, precision, at) => {
        this.view().setBigUint64(at, 0n, true)
        return OK
      },
      fd_prestat_get: (fd, at) => {
        const root = this.roots[fd - 3]
        if (!root) return BAD_DESCRIPTOR
        this.view().setUint32(at, 0, true)
        this.view().setUint32(at + 4, root[0].length, true)
        return OK
      },
      fd_prestat_dir_name: (fd, at) => {
        new TextEncoder().encodeInto(this.roots[fd - 3][0], new Uint8Array(this.memory.buffer, at))
        return OK
      },
      fd_close: (fd) => {
        if (!this.open[fd]) return BAD_DESCRIPTOR
        const file = this.open[fd]
        if (file.changed) this.files.set(file.path, file.bytes.slice(0, file.size))
        this.open[fd] = null
        return OK
      },
      fd_fdstat_get: (fd, at) => {
        const view = this.view()
        const file = this.open[fd]
        if (fd > 2 && !file) return BAD_DESCRIPTOR
        view.setBigUint64(at, 0n, true)
        view.setUint8(at, fd <= 2 ? STREAM : file.folder !== undefined ? FOLDER : REGULAR)
        view.setBigUint64(at + 8, 0xffffffffn, true)
        view.setBigUint64(at + 16, 0xffffffffn, true)
        return OK
      },
      fd_fdstat_set_flags: () => OK,
      fd_filestat_get: (fd, at) => {
        const file = this.open[fd]
        if (fd <= 2) return this.status(at, STREAM, 0)
        if (!file) return BAD_DESCRIPTOR
        return file.folder !== undefined ? this.status(at, FOLDER, 0) : this.status(at, REGULAR, file.size)
      },
      fd_seek: (fd, offset, whence, at) => {
        const file = this.open[fd]
        if (!file || file.folder !== undefined) return BAD_DESCRIPTOR
        file.position = Number(offset) + (whence === 1 ? file.position : whence === 2 ? file.size : 0)
        this.view().setBigUint64(at, BigInt(file.position), true)
        return OK
      },
      fd_read: (fd, buffers, count, at) => {
        const file = this.open[fd]
        if (fd === 0) return this.readInput(buffers, count, at)
        if (!file || file.folder !== undefined) return BAD_DESCRIPTOR
        let done = 0
        for (const [to, size] of this.buffers(buffers, count)) {
          const part = file.bytes.subarray(file.position, Math.min(file.position + size, file.size))
          new Uint8Array(this.memory.buffer, to, part.length).set(part)
          file.position += part.length
          done += part.length
        }
        return this.number(at, done)
      },
      fd_write: (fd, buffers, count, at) => {
        let done = 0
        for (const [from, size] of this.buffers(buffers, count)) {
          const bytes = new Uint8Array(this.memory.buffer, from, size)
          if (fd === 1) this.stdout.push(bytes.slice())
          else if (fd === 2) this.isDisplay(bytes) || this.stderr.push(bytes.slice())
          else if (this.open[fd]?.bytes) this.append(this.open[fd], bytes)
          else return BAD_DESCRIPTOR
          done += size
        }
        return this.number(at, done)
      },
      fd_readdir: (fd, buffer, room, cookie, at) => {
        const names = this.list(this.open[fd].folder)
        const view = this.view()
        let used = 0
        for (let i = Number(cookie); i < names.length && used < room; i++) {
          const name = new TextEncoder().encode(names[i][0])
          const entry = new Uint8Array(24 + name.length)
          const head = new DataView(entry.buffer)
          head.setBigUint64(0, BigInt(i + 1), true)
          head.setBigUint64(8, BigInt(i + 2), true)
          head.setUint32(16, name.length, true)
          head.setUint8(20, names[i][1])
          entry.set(name, 24)
          const part = entry.subarray(0, room - used)
          new Uint8Array(this.memory.buffer, buffer + used, part.length).set(part)
          used += part.length
        }
        view.setUint32(at, used, true)
        return OK
      },
      path_open: (fd, flags, at, size, how, rights, inherited, fdFlags, out) => {
        const path = this.path(this.open[fd].folder, at, size)
        const bytes = this.files.get(path)
        const folder = !bytes && this.isFolder(path)
        if (!bytes && !folder && !(how & CREATE)) return NO_ENTRY
        if (bytes && how & MUST_BE_FOLDER) return NO_ENTRY
        if (bytes && how & CREATE && how & EXCLUSIVE) return EXISTS
        if (folder && how & CREATE) return IS_FOLDER
        const fresh = !bytes || how & TRUNCATE
        let number = 3 + this.roots.length
        while (this.open[number]) number++
        this.open[number] = folder
          ? { folder: path }
          : { path, bytes: fresh ? new Uint8Array(0) : bytes, size: fresh ? 0 : bytes.length, position: 0, changed: Boolean(fresh) }
        this.view().setUint32(out, number, true)
        return OK
      },
      path_filestat_get: (fd, flags, at, size, out) => {
        const path = this.path(this.open[fd].folder, at, size)
        const bytes = this.files.get(path)
        if (bytes) return this.status(out, REGULAR, bytes.length)
        return this.isFolder(path) ? this.status(out, FOLDER, 0) : NO_ENTRY
      },
      path_create_directory: () => OK,
      path_rename: (fd, at, size, toFd, toAt, toSize) => {
        const from = this.path(this.open[fd].folder, at, size)
        if (!this.files.has(from)) return NO_ENTRY
        this.files.set(this.path(this.open[toFd].folder, toAt, toSize), this.files.get(from))
        this.files.delete(from)
        return OK
      },
      path_unlink_file: (fd, at, size) => (this.files.delete(this.path(this.open[fd].folder, at, size)) ? OK : NO_ENTRY),
      path_remove_directory: () => NOT_EMPTY,
      proc_exit: (code) => {
        throw new Exit(code)
      },
    }
    return new Proxy(calls, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) })
  }

  readInput(buffers, count, at) {
    let done = 0
    for (const [to, size] of this.buffers(buffers, count)) {
      const part = this.stdin.subarray(0, size)
      new Uint8Array(this.memory.buffer, to, part.length).set(part)
      this.stdin = this.stdin.subarray(part.length)
      done += part.length
    }
    return this.number(at, done)
  }

  number(at, value) {
    this.view().setUint32(at, value, true)
    return OK
  }

  pair(a, b) {
    this.number(a, 0)
    return this.number(b, 0)
  }

  append(file, bytes) {
    const end = file.position + bytes.length
    if (end > file.bytes.length || !file.changed) {
      const larger = new Uint8Array(Math.max(end, 2 * file.bytes.length, 4096))
      larger.set(file.bytes.subarray(0, file.size))
      file.bytes = larger
    }
    file.bytes.set(bytes, file.position)
    file.position = end
    file.size = Math.max(file.size, end)
    file.changed = true
  }
}
