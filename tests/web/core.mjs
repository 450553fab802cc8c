// core.mjs PROGRAM MASCOT WASM [CORPUS]: the module and its wrapper give what the program gives, byte for byte.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const [program, mascotProgram, wasm, corpus] = process.argv.slice(2)
const { load, INPUTS, TEXELS, SELECT } = await import('../../web/core/trilobite.mjs')
const { decodePng } = await import('../../web/core/png.mjs')
const trilobite = await load(fs.readFileSync(wasm))

const work = fs.mkdtempSync('core-')
let passed = 0
async function test(name, fn) {
  try {
    await fn()
    passed++
  } catch (error) {
    console.log(`FAIL ${name}: ${error.stack}`)
    process.exitCode = 1
  }
}

function run(args, folder = work) {
  return spawnSync(path.resolve(program), args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
}

// A folder with its files, as the page has them after a drop.
function readFolder(folder) {
  const files = {}
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    const full = path.join(folder, name)
    if (fs.statSync(full).isFile()) files[name] = new Uint8Array(fs.readFileSync(full))
  }
  return files
}

async function openIn(folder, name) {
  const files = readFolder(folder)
  const bytes = files[name]
  delete files[name]
  return trilobite.open(bytes, files, { name })
}

async function sameConversion(model, folder, from, to, options, words) {
  const out = fs.mkdtempSync(path.join(work, 'out-'))
  const native = run(['convert', from, path.resolve(out, to), ...words], folder)
  assert.equal(native.status, 0, native.stderr)
  const { files } = await model.convert(to, options)
  const expected = readFolder(out)
  assert.deepEqual([...files.keys()].sort(), Object.keys(expected).sort())
  for (const [name, bytes] of files) assert.ok(Buffer.from(bytes).equals(Buffer.from(expected[name])), `${name} differs`)
}

async function samePicture(model, folder, name, options, words) {
  const file = path.resolve(work, 'picture.png')
  const native = run(['render', name, '-o', file, '-q', ...words], folder)
  assert.equal(native.status, 0, native.stderr)
  const expected = await decodePng(new Uint8Array(fs.readFileSync(file)))
  const drawn = await model.render(options)
  assert.equal(`${drawn.width}x${drawn.height}`, `${expected.width}x${expected.height}`)
  let different = 0
  for (let i = 0; i < expected.pixels.length; i++) different += expected.pixels[i] !== drawn.pixels[i]
  assert.equal(different, 0, `${different} values of ${words.join(' ')} differ`)
  assert.ok(new Set(new Uint32Array(expected.pixels.buffer)).size > 8, 'the picture shows something')
}

execFileSync(path.resolve(mascotProgram), ['mascot.glb'], { cwd: work })
execFileSync(path.resolve(mascotProgram), ['mascot.nlm'], { cwd: work })
const mascot = await openIn(work, 'mascot.glb')

await test('a file name stays a word in a command that is copied', async () => {
  const words = ['a.t3dm', "it's.glb", "'; touch broken; '", '$(touch broken)', '`touch broken`', 'a b\n#c', '"\\', '', '\u{1F995}']
  const { shellCommand } = await import('../../web/page/files.mjs')
  const said = spawnSync('sh', ['-c', `printf '%s\\0' ${shellCommand(words)}`], { cwd: work, encoding: 'utf8' }).stdout
  assert.deepEqual(said.split('\0').slice(0, -1), words)
  assert.ok(!fs.existsSync(path.join(work, 'broken')))
})

// The constants of the first enum with that prefix, without it, in order.
function enumOf(file, prefix) {
  const text = fs.readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '')
  const list = new RegExp(`enum \\w*\\s*\\{(\\s*${prefix}[^}]*)\\}`).exec(text)[1]
  return list.split(',').map((name) => name.trim().replace(prefix, ''))
}

await test('enumerations are those of the library', async () => {
  const numbers = (names) => Object.fromEntries(names.map((name, i) => [name, i]))
  const { UNKNOWN, YUV16, ...texels } = numbers(enumOf('include/trilobite/n64.h', 'TRILO_TEXELS_')) // no sprites of these
  assert.deepEqual(TEXELS, texels)
  assert.deepEqual([...INPUTS, 'COUNT'], enumOf('include/trilobite/render.h', 'TRILO_COMBINER_INPUT_'))
  assert.deepEqual(SELECT, numbers(enumOf('web/core/session.c', 'SELECT_').map((name) => name.toLowerCase())))
})

await test('the sample model', async () => {
  assert.ok(Buffer.from(await trilobite.mascot('mascot.glb')).equals(fs.readFileSync(path.join(work, 'mascot.glb'))))
})

await test('a command line', async () => {
  const result = await trilobite.run(['--version'])
  assert.equal(result.stdout, run(['--version']).stdout)
  assert.equal((await trilobite.run(['nonsense'])).code, 2)
})

await test('info, check, cost and dump print the same', async () => {
  for (const command of ['info', 'check', 'cost', 'dump']) {
    const native = run([command, '--json', 'mascot.nlm'])
    const result = await trilobite.run([command, '--json', 'mascot.nlm'], readFolder(work))
    assert.equal(result.stdout, native.stdout, command)
    assert.equal(result.code, native.status)
  }
  assert.equal((await mascot.info()).counts.clips, 1)
  assert.equal((await mascot.check()).errors, 0)
})

await test('conversions write the same bytes', async () => {
  await sameConversion(mascot, work, 'mascot.glb', 'hero.t3dm', { sprites: true }, ['--sprites'])
  await sameConversion(mascot, work, 'mascot.glb', 'hero.nlm', {}, [])
  await sameConversion(mascot, work, 'mascot.glb', 'hero.model', { maxFrameVertices: 'any' }, ['--max-frame-vertices', 'any'])
  const nlm = await openIn(work, 'mascot.nlm')
  await sameConversion(nlm, work, 'mascot.nlm', 'hero.gltf', { externalImages: true }, ['--external-images'])
})

await test('pictures have the same pixels', async () => {
  for (const look of ['n64', 'tv', 'clean']) await samePicture(mascot, work, 'mascot.glb', { look, size: '160x120' }, ['--look', look, '--size', '160x120'])
  await samePicture(mascot, work, 'mascot.glb', { clip: 0, time: 0.3, bones: true }, ['--clip', '0', '--time', '0.3', '--bones'])
  await samePicture(mascot, work, 'mascot.glb', { camera: '1,1,1,0,0.1,0', light: ['10,20,#f80', 'ambient,#333'] }, ['--camera', '1,1,1,0,0.1,0', '--light', '10,20,#f80', '--light', 'ambient,#333'])
})

await test('a stage is drawn again with other options', async () => {
  const stage = await mascot.stage()
  const copy = (picture) => Buffer.from(picture.pixels).toString('base64')
  const rest = copy(stage.draw({}))
  const walking = copy(stage.draw({ clip: 0, time: 0.3 }))
  const clean = copy(stage.draw({ look: 'clean', size: '320x240' }))
  assert.notEqual(rest, walking)
  assert.notEqual(rest, clean)
  assert.equal(copy(stage.draw({})), rest, 'the same options give the same picture')
  assert.throws(() => stage.draw({ clip: 'nonsense' }), /nonsense/)
  assert.equal(copy(stage.draw({})), rest, 'a mistake changes nothing')
})

await test('a ray finds a triangle, and the mask shows its mesh', async () => {
  const stage = await mascot.stage()
  const { width, height } = stage.draw({})
  const view = stage.view()
  const hit = stage.ray(view.eye, view.target.map((v, i) => v - view.eye[i]))
  assert.ok(hit.mesh >= 0 && hit.distance > 0)
  assert.equal(stage.ray(view.eye, view.eye.map((v, i) => v - view.target[i])), null)
  const mask = stage.mask('mesh', hit.mesh, 0, width, height)
  assert.ok(mask[4 * ((height / 2) * width + width / 2)] > 128, 'the middle of the picture is the mesh that was hit')
  const bounds = stage.bounds('mesh', hit.mesh)
  hit.position.forEach((v, i) => assert.ok(v >= bounds.min[i] - 1e-4 && v <= bounds.max[i] + 1e-4))
  assert.equal(stage.keyTimes(0)[0], 0)
  assert.ok(stage.texture(0).width > 0)
  assert.ok(hit.uv.every((v) => v >= 0 && v <= 1))
  const nodes = stage.nodes()
  assert.equal(nodes.length, (await mascot.info()).counts.nodes)
  assert.ok(nodes.some((node) => node.name === 'antenna.left') && nodes.every((node, i) => node.parent === null || node.parent < i))
})

await test('the bytes of a compressed file are those that its records are about', async () => {
  run(['convert', '-q', 'mascot.nlm', 'plain.t3dm'])
  run(['convert', '-q', '--compress', '1', 'plain.t3dm', 'packed.t3dm'])
  const plain = fs.readFileSync(path.join(work, 'plain.t3dm'))
  assert.ok(fs.statSync(path.join(work, 'packed.t3dm')).size < plain.length)
  for (const name of ['plain.t3dm', 'packed.t3dm']) assert.ok(Buffer.from((await (await openIn(work, name)).stage()).bytes()).equals(plain), name)
})

await test('a probe tells what the combiner makes of its inputs', async () => {
  const stage = await mascot.stage()
  const options = { look: 'n64', colorDepth: 32, dither: 'off', antialias: 'off' }
  const { width, pixels } = stage.draw(options)
  const [x, y] = [160, 120]
  const seen = [...pixels.slice(4 * (y * width + x), 4 * (y * width + x) + 3)]
  const { inputs, output } = stage.probe(x, y)
  assert.deepEqual(output.slice(0, 3), seen)
  assert.ok(inputs.has('TEX0') && inputs.has('SHADE'))
  assert.equal(stage.probe(0, 0), null)
})

await test('a cross-fade is between its clips', async () => {
  const stage = await mascot.stage()
  const at = (time, weight) => {
    stage.fade(0, 0.5, weight)
    return Buffer.from(stage.draw({ clip: 0, time }).pixels).toString('base64')
  }
  const from = at(0.5, 0), to = at(0, 0)
  assert.notEqual(from, to)
  assert.equal(at(0, 1), from, 'all of the clip that fades out')
  const half = at(0, 0.5)
  assert.ok(half !== from && half !== to)
  assert.equal(at(0, 0), to, 'nothing of it is left')
})

await test('a broken file gets the findings of the program', async () => {
  const half = fs.readFileSync(path.join(work, 'mascot.nlm')).subarray(0, 5000)
  fs.writeFileSync(path.join(work, 'half.nlm'), half)
  const model = await trilobite.open(half, {}, { name: 'half.nlm' })
  const native = JSON.parse(run(['check', '--json', 'half.nlm']).stdout)
  assert.deepEqual(await model.check(), native.files[0])
  await assert.rejects(model.stage(), (error) => error.code === 3 && /NLM-TRUNCATED/.test(error.message))
})

// A PNG file of random bytes: whatever the filters make of them, all readers must agree.
function randomPng(color, bits, interlaced, transparent, seed) {
  const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24)
  const width = 13, height = 11, channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color]
  const passes = interlaced ? [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] : [[0, 0, 1, 1]]
  const raw = []
  for (const [x, y, dx, dy] of passes)
    for (let row = y; row < height; row += dy) {
      raw.push(random() % 5)
      for (let i = 0; i < Math.ceil((Math.ceil((width - x) / dx) * channels * bits) / 8); i++) raw.push(random())
    }
  const chunk = (type, body) => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), Buffer.from(body), Buffer.alloc(4)])
    bytes.writeUInt32BE(body.length)
    let crc = -1
    for (const byte of bytes.subarray(4, -4)) {
      crc ^= byte
      for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    }
    bytes.writeInt32BE(~crc, bytes.length - 4)
    return bytes
  }
  const parts = [Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', [0, 0, 0, width, 0, 0, 0, height, bits, color, 0, 0, interlaced])]
  if (color === 3) parts.push(chunk('PLTE', Array.from({ length: 3 << bits }, random)))
  if (transparent) parts.push(chunk('tRNS', color === 3 ? [random(), random()] : Array.from({ length: 2 * channels }, (_, i) => (i % 2 ? random() & ((1 << Math.min(bits, 8)) - 1) : 0))))
  return Buffer.concat([...parts, chunk('IDAT', zlib.deflateSync(Buffer.from(raw))), chunk('IEND', [])])
}

await test('PNG files: every kind, interlaced or not, as the program reads them', async () => {
  const files = {}
  for (const [color, depths] of [[0, [1, 2, 4, 8, 16]], [2, [8, 16]], [3, [1, 2, 4, 8]], [4, [8, 16]], [6, [8, 16]]])
    for (const bits of depths)
      for (const interlaced of [0, 1])
        for (const transparent of color < 4 ? [false, true] : [false]) {
          const name = `${color}-${bits}-${interlaced}-${transparent}.png`
          files[name] = randomPng(color, bits, interlaced, transparent, 1 + Object.keys(files).length)
          fs.writeFileSync(path.join(work, name), files[name])
        }
  const names = Object.keys(files)
  const words = ['sprite', ...names, '-o', 'sprites', '--format', 'rgba32', '-q']
  const native = run(words)
  assert.equal(native.status, 0, native.stderr)
  const result = await trilobite.run(words, files)
  assert.equal(result.code, 0, result.stderr)
  for (const name of names) {
    const sprite = `sprites/${name.replace('.png', '.sprite')}`
    assert.ok(fs.readFileSync(path.join(work, sprite)).equals(Buffer.from(result.files.get(sprite))), `${name} differs`)
  }
})

await test('broken PNG files are refused', async () => {
  const whole = new Uint8Array(randomPng(6, 8, 0, false, 7))
  for (let size = 0; size < whole.length - 12; size += 7) await assert.rejects(decodePng(whole.slice(0, size)))
  whole[60] ^= 1
  await assert.rejects(decodePng(whole), /checksum/)
})

if (corpus && fs.existsSync(corpus)) {
  const t3dm = path.join(corpus, 't3dm')
  await test('real models with sprites, streams and images', async () => {
    for (const [folder, name] of [['01_model', 'model.t3dm'], ['08_animation', 'snake.t3dm'], ['09_anim_viewer', 'enemyPlant00.t3dm']]) {
      const where = path.join(t3dm, folder, 'filesystem')
      const model = await openIn(where, name)
      await samePicture(model, where, name, { look: 'tv' }, ['--look', 'tv'])
      assert.equal(JSON.stringify(await model.check()), JSON.stringify(JSON.parse(run(['check', '--json', name], where).stdout).files[0]))
      await sameConversion(model, where, name, 'hero.glb', {}, [])
    }
  })
} else {
  console.log('skip real models: there is no corpus')
}

fs.rmSync(work, { recursive: true })
console.log(`${passed} passed, ${process.exitCode ? 'some' : 0} failed`)
