// kaitai.mjs PROGRAM WORK MODULES FILE...: compiles the Kaitai description of each format, reads the files with it, and
// compares every field with what `trilobite dump --json` says. Prints how many fields were the same.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [program, work, modules, ...files] = process.argv.slice(2)
const require = createRequire(`${modules}/x.js`)
const KaitaiStream = require('kaitai-struct/KaitaiStream')
const compiler = require('kaitai-struct-compiler')
const yaml = require('js-yaml')
const run = (...args) => execFileSync(program, args, { maxBuffer: 1 << 30, encoding: 'utf8' })

const parsers = {}
for (const format of ['t3dm', 'nlm', 'model64', 'gltf']) {
  const text = run('formats', '--reference', format, '--language', 'ksy')
  const sources = await compiler.compile('javascript', yaml.load(text), null, false)
  const name = Object.keys(sources)[0]
  writeFileSync(`${work}/${name.replace('.js', '.cjs')}`, sources[name].replace(/require\('kaitai-struct/g, `require('${modules}/kaitai-struct`))
  parsers[format] = Object.values(createRequire(`${work}/x.js`)(`./${name.replace('.js', '.cjs')}`))[0]
}

let same = 0
let file
const camel = (name) => name.toLowerCase().replace(/[^a-z0-9]+([a-z0-9])/g, (_, letter) => letter.toUpperCase())
const number = (value, path) => {
  const close = (a, b) => typeof b !== 'number' ? !Number.isFinite(a) : // JSON has no infinity
    Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) || a == b
  return (want) => {
    if (!close(value, want)) throw new Error(`${file}: ${path} is ${value}, should be ${want}`)
    same++
  }
}

// The fields of a record of the dump that a parsed record has under the same name, which must be as many as it has.
function compare(parsed, record, path) {
  let fields = 0
  for (const [name, want] of Object.entries(record)) {
    const got = parsed[camel(name)]
    if (got === undefined || (typeof want === 'string' && Number.isFinite(got)) || (want && typeof want === 'object' && !Array.isArray(want))) continue
    const values = Array.isArray(want) ? want : [want]
    const all = got.length === undefined ? [got] : [...got]
    if (all.length !== values.length) throw new Error(`${file}: ${path}.${name} has ${all.length} values, should have ${values.length}`)
    values.forEach((value, i) => number(all[i], `${path}.${name}`)(value))
    fields++
  }
  const own = Object.keys(parsed).filter((key) => !key.startsWith('_') && parsed[key] !== undefined).length
  if (fields !== own) throw new Error(`${file}: ${path} has ${own} fields, ${fields} are in the dump`)
}

const list = (parsed, records, path, each = compare) => {
  const items = records?.items ?? []
  if (parsed.length !== items.length) throw new Error(`${file}: ${path} has ${parsed.length} items, should have ${items.length}`)
  items.forEach((item, i) => each(parsed[i], item, `${path}[${i}]`))
}

const lists = { // of each letter: the list of the chunk, and that of the dump
  O: [['parts', 'parts']], M: [['textures', 'textures']], S: [['bones', 'bones']], A: [['channels', 'channels']], B: [['nodes', 'nodes']],
}
const compareFile = {
  t3dm(parsed, records) {
    compare(parsed.header, records.header, 'header')
    list(parsed.chunks, records.chunks, 'chunks', (chunk, record, path) => {
      const letter = String.fromCharCode(chunk.letter)
      if (letter !== record.type || chunk.offset !== record.at) throw new Error(`${file}: ${path} is ${letter} at ${chunk.offset}, should be ${record.type} at ${record.at}`)
      same += 2
      if (letter === 'V') list(chunk.body.pairs, record.vertices ?? record.pairs, `${path} pairs`)
      if (!lists[letter]) return
      compare(chunk.body.head, record, path)
      for (const [ours, theirs] of lists[letter]) list(chunk.body[ours], record[theirs], `${path} ${ours}`)
    })
  },
  nlm(parsed, records) {
    compare(parsed.header, records.header, 'header')
    compare(parsed.bounds, records.bounds, 'bounds')
    list(parsed.meshes, records.meshes, 'meshes', (mesh, record, path) => {
      compare(mesh.head, record, path)
      list(mesh.vertices, record.vertices, `${path} vertices`)
    })
    if (!parsed.animation) return
    compare(parsed.animation.clip, records.clip, 'clip')
    list(parsed.animation.bones, records.bones, 'bones')
    list(parsed.animation.tracks, records.tracks, 'tracks', (track, record, path) => {
      compare(track.head, record, path)
      for (const kind of ['positions', 'rotations', 'scales']) list(track[kind], record[kind] ?? record[`${kind.slice(0, -1)}_keys`], `${path} ${kind}`)
    })
    list(parsed.animation.nodes, records.nodes, 'nodes', (node, record, path) => compare(node.head, record, path))
  },
  model64(parsed, records) {
    compare(parsed.header, records.header, 'header')
    compare(parsed.main.head, records.main, 'main')
    list(parsed.main.vertices, records.vertices, 'vertices')
    list(parsed.main.animations, records.animations, 'animations', (animation, record, path) => {
      compare(animation.head, record, path)
      list(animation.frames, record.frames, `${path} frames`, (frame, from, at) => compare(frame.head, from, at))
    })
    records.lists.items.forEach((record, i) => {
      const commands = record.commands?.items ?? []
      const got = parsed.main[`list${i}`]?.commands ?? []
      if (got.length !== commands.length) throw new Error(`${file}: list ${i} has ${got.length} commands, should have ${commands.length}`)
      commands.forEach((command, n) => [got[n].w0, got[n].w1].forEach((word, w) => number(word, `list ${i} command ${n}`)(command.words[w])))
    })
  },
  gltf(parsed, records, bytes) { // the dump has the JSON text
    const end = parsed.chunks.reduce((at, chunk) => at + 8 + chunk.content.length, 12)
    number(parsed.header.length, 'header.length')(bytes.length)
    number(end, 'the last chunk ends')(bytes.length)
    const json = JSON.parse(Buffer.from(parsed.chunks[0].content).toString('utf8'))
    number(json.asset.version === records.asset.version ? 1 : 0, 'asset.version')(1)
    number(json.nodes?.length ?? 0, 'nodes')(records.nodes?.count ?? 0)
  },
}

const counts = {}
for (file of files) {
  const dump = JSON.parse(run('dump', '--json', file))
  const bytes = readFileSync(file)
  compareFile[dump.format](new parsers[dump.format](new KaitaiStream(bytes)), dump.records, bytes)
  counts[dump.format] = (counts[dump.format] ?? 0) + 1
}
console.log(`${same} fields are the same in ${files.length} files:`, JSON.stringify(counts))
if (Object.keys(counts).length !== 4) throw new Error('a format was not tried')
