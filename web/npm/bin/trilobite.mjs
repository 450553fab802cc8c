#!/usr/bin/env node
// The command line on files of the disk. They are read when they are asked for; what is written stays in memory until the
// command has ended, because a command starts over after images were decoded for it.
import fs from 'node:fs'
import path from 'node:path'
import { trilobite } from '../index.mjs'

const FOLDER = 3, REGULAR = 4 // as in WASI

class DiskFiles {
  // `named`: the files of the command line. Names that come from a model are not trusted, so only these may be links.
  constructor(named) {
    this.named = named
    this.written = new Map() // null: removed
  }

  fork() {
    return new DiskFiles(this.named)
  }

  get(name) {
    if (this.written.has(name)) return this.written.get(name) ?? undefined
    try {
      if (!this.named.has(`/${name}`) && fs.lstatSync(`/${name}`).isSymbolicLink()) return undefined
      const file = fs.openSync(`/${name}`, 'r')
      try {
        return fs.fstatSync(file).isDirectory() ? undefined : new Uint8Array(fs.readFileSync(file))
      } finally {
        fs.closeSync(file)
      }
    } catch {
      return undefined
    }
  }

  has(name) {
    return this.get(name) !== undefined
  }

  set(name, bytes) {
    this.written.set(name, bytes)
  }

  delete(name) {
    const had = this.has(name)
    this.written.set(name, null)
    return had
  }

  isFolder(name) {
    try {
      return fs.statSync(`/${name}`).isDirectory()
    } catch { // there is nothing, or a part of the path is a file
      return false
    }
  }

  list(name) {
    try {
      const entries = fs.readdirSync(`/${name}`, { withFileTypes: true }).filter((entry) => entry.isFile() || entry.isDirectory())
      return entries.map((entry) => [entry.name, entry.isFile() ? REGULAR : FOLDER]).sort((a, b) => (a[0] < b[0] ? -1 : 1))
    } catch {
      return []
    }
  }

  // Each file is complete before it gets its name.
  save() {
    for (const [name, bytes] of this.written) {
      const target = `/${name}`
      if (bytes === null) {
        fs.rmSync(target, { force: true })
        continue
      }
      fs.mkdirSync(path.dirname(target), { recursive: true })
      if (fs.statSync(target, { throwIfNoEntry: false })?.isFile() === false) {
        fs.writeFileSync(target, bytes) // a device, such as /dev/null
        continue
      }
      const fresh = `${target}.${process.pid}.tmp`
      fs.writeFileSync(fresh, bytes)
      fs.renameSync(fresh, target)
    }
  }
}

function writeAll(descriptor, chunks) {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; )
      try {
        at += fs.writeSync(descriptor, chunk, at)
      } catch (error) {
        if (error.code === 'EPIPE') return
        if (error.code !== 'EAGAIN') throw error
      }
}

// The module does not distinguish /a from a: all paths are relative to the working directory.
const fromHere = (file) => (path.isAbsolute(file) ? path.relative(process.cwd(), file) || '.' : file)
const args = process.argv.slice(2).map((arg) => arg.replace(/^(--[a-z-]+=)?(\/.*)$/, (all, option = '', file) => option + fromHere(file)))

const program = await trilobite()
const result = await program.run(args, new DiskFiles(new Set(args.map((arg) => path.resolve(arg)))), {
  roots: [['/', process.cwd().slice(1)]],
  stdin: args.includes('-') ? new Uint8Array(fs.readFileSync(0)) : undefined,
})
let code = result.code
try {
  result.files.save()
  writeAll(1, result.output.stdout)
} catch (error) {
  console.error(`trilobite: ${error.message}`)
  code = 4
}
writeAll(2, result.output.stderr)
process.exitCode = code
