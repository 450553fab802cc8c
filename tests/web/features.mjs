// features.mjs PROGRAM MASCOT WASM CORPUS chrome|firefox: what people do with the page less often: other ways to open files,
// touch, overlays, ways to play, and everything that can be saved, with the bytes of the program.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import zlib from 'node:zlib'
import { address, corpus, decodePng, finish, kind, page, person, run, select, sleep, test, words, work } from './person.mjs'

const WALK = ['walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite']
const SIZE = [1100, 560]
const read = (name) => fs.readFileSync(path.join(work, name))
const state = (fn) => person.tab.evaluate(fn)
const opened = (name) => person.tab.waitForFunction((wanted) => window.trilobite.current()?.name === wanted && window.trilobite.current().studied, { timeout: 30000 }, name)
const options = () => state(() => JSON.parse(document.querySelector('[data-test=viewport]').dataset.command))

// Entries of a .zip whose files are stored: a Map from name to bytes.
function zipEntries(bytes) {
  const files = new Map()
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const size = bytes.readUInt32LE(at + 18), name = bytes.readUInt16LE(at + 26)
    files.set(bytes.toString('utf8', at + 30, at + 30 + name), bytes.subarray(at + 30 + name, at + 30 + name + size))
    at += 30 + name + size
  }
  return files
}

// What a program of others makes of a folder.
function makeZip(name, files) {
  const made = spawnSync('python3', ['-c', 'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:\n    for f in sys.argv[2:]: z.write(f, "model/" + f)', name, ...files], { cwd: work })
  return made.status === 0
}

async function opens() {
  await test('paste', async () => {
    await person.visit(address, SIZE)
    await person.tab.evaluate((base64) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], 'mascot.nlm'))
      const event = new ClipboardEvent('paste', { bubbles: true })
      Object.defineProperty(event, 'clipboardData', { value: clipboardData }) // Firefox makes one of its own
      document.body.dispatchEvent(event)
    }, read('mascot.nlm').toString('base64'))
    await opened('mascot.nlm')
  })

  await test('compressed files: an asset of libdragon, .gz, .zip', async () => {
    run(['convert', '-q', '--compress', '1', 'walk.t3dm', 'packed.t3dm'])
    await person.drop('packed.t3dm', ...WALK.slice(1))
    await person.samePicture('packed.t3dm')
    fs.writeFileSync(path.join(work, 'squeezed.nlm.gz'), zlib.gzipSync(read('mascot.nlm')))
    await person.transfer('squeezed.nlm.gz')
    await opened('squeezed.nlm')
    if (!makeZip('all.zip', WALK)) return console.log('skip .zip: there is no python3')
    await person.transfer('all.zip')
    await opened('model/walk.t3dm')
    await person.samePicture('walk.t3dm')
    fs.writeFileSync(path.join(work, 'cut.zip'), read('all.zip').subarray(0, 400))
    await person.transfer('cut.zip')
    await person.tab.waitForFunction(() => /cut\.zip: .*not complete/.test(document.querySelector('[data-test=toast]')?.textContent))
    assert.equal(await person.text('name'), 'walk.t3dm', 'what was open stays open')
  })

  await test('a ROM is opened like the folder it was made from', async () => {
    const rom = path.join(corpus, 'rom/preview.z64')
    if (!fs.existsSync(rom)) return console.log('skip ROM: there is none in the corpus')
    fs.copyFileSync(rom, path.join(work, 'game.z64'))
    await person.transfer('game.z64')
    await opened('filesystem/models/cath.t3dm')
    await person.samePicture('game.z64:/models/cath.t3dm')
  })

  if (kind !== 'chrome') return
  const folder = path.join(work, 'project')
  fs.mkdirSync(path.join(folder, 'filesystem/models'), { recursive: true })
  fs.mkdirSync(path.join(folder, 'node_modules'))
  for (const name of WALK) fs.copyFileSync(path.join(work, name), path.join(folder, 'filesystem/models', name))
  for (const name of ['filesystem/mascot.nlm', 'node_modules/mascot.nlm']) fs.copyFileSync(path.join(work, 'mascot.nlm'), path.join(folder, name))
  const cards = (count) => person.tab.waitForFunction((n) => document.querySelectorAll('.card').length === n && [...document.querySelectorAll('.card')].every((card) => !/…/.test(card.textContent)), { timeout: 30000 }, count)

  await test('a folder that is dropped', async () => {
    const session = await person.tab.createCDPSession()
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data })
    await cards(2)
    assert.match(await person.text('verdict'), /Ready/)
    await (await person.tab.$$('.card'))[1].click()
    await opened('project/filesystem/models/walk.t3dm')
    await person.samePicture('walk.t3dm')
  })

  await test('a folder that is picked', async () => {
    await person.visit(address, SIZE)
    await (await person.tab.$('input[webkitdirectory]')).uploadFile(folder)
    await cards(2)
  })
}

// What a Pyrite64 material means is in a table of its project.
async function opensProjects() {
  const model = path.resolve(corpus, 'pyrite64/v08_material_test/filesystem/box.t3dm')
  if (!fs.existsSync(model)) return console.log('skip Pyrite64: there is none in the corpus')
  await test('a model of Pyrite64 in a page of its own has its textures', async () => {
    const made = run(['page', '-q', model, '--template', path.resolve(page), '-o', 'box.html'])
    assert.equal(made.status, 0, made.stderr)
    await person.visit(pathToFileURL(path.join(work, 'box.html')).href, SIZE)
    await opened('box.t3dm')
    await state(() => { window.trilobite.state.turning = window.trilobite.state.playing = false })
    await person.samePicture(model)
    assert.equal(await state(() => window.trilobite.current().messages), '')
  })
}

// Fast64 materials name images of the project, which become sprites only when the game is built.
async function comparesProjects() {
  const folder = path.resolve(corpus, 't3dm/09_anim_viewer/assets')
  if (!fs.existsSync(folder)) return console.log('skip images beside a source: there is none in the corpus')
  await test('the console side has the images beside the source', async () => {
    const images = fs.readdirSync(folder).filter((name) => /^(Boot|Chest|Face).*\.png$/.test(name))
    for (const name of images) fs.copyFileSync(path.join(folder, name), path.join(work, name))
    fs.copyFileSync(path.join(folder, 'cath.glb'), path.join(work, 'lady.glb'))
    await person.visit(address, SIZE)
    await person.drop('lady.glb', ...images)
    run(['convert', '-q', '--sprites', 'lady.glb', 'lady.t3dm'])
    await person.samePicture('lady.t3dm', 'console', 'consoleCommand')
    assert.ok(!/not found|missing/.test(run(['render', 'lady.t3dm', '-o', 'lady.png']).stderr))
    for (const name of images) fs.rmSync(path.join(work, name))
  })
}

async function hands() {
  await test('one finger turns, two move and zoom', async () => {
    await person.visit(address, SIZE)
    await person.drop(...WALK)
    await person.settle()
    const camera = () => state(() => { const { azimuth, elevation, distance, target } = window.trilobite.viewport.camera; return { azimuth, elevation, distance, target: target.join() } })
    const box = await (await person.tab.$(select('viewport'))).boundingBox()
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const before = await camera()
    const first = await person.tab.touchscreen.touchStart(x, y)
    for (let i = 1; i < 5; i++) await first.move(x + 12 * i, y + 4 * i)
    await first.end()
    const turned = await camera()
    assert.ok(turned.azimuth < before.azimuth && turned.elevation > before.elevation)
    assert.equal(turned.target, before.target)
    assert.equal(turned.distance, before.distance)
    const a = await person.tab.touchscreen.touchStart(x - 30, y), b = await person.tab.touchscreen.touchStart(x + 30, y)
    for (let i = 1; i < 5; i++) {
      await a.move(x - 30 - 10 * i, y)
      await b.move(x + 30 + 10 * i, y)
    }
    await a.end()
    await b.end()
    const zoomed = await camera()
    assert.ok(Math.abs(zoomed.distance / turned.distance - 60 / 140) < 0.02, 'as far apart as the fingers')
    assert.equal(zoomed.azimuth, turned.azimuth)
    await person.samePicture('walk.t3dm')
  })

  await test('keys fly, and Alt moves the light', async () => {
    await person.tab.keyboard.press('a')
    await person.settle()
    const eye = async () => (await options()).camera.split(',').map(Number)
    await person.tab.focus(select('viewport'))
    const before = await eye()
    for (const key of ['i', 'i', 'm']) await person.tab.keyboard.press(key)
    await person.settle()
    const after = await eye()
    const moved = [0, 1, 2].map((k) => after[k] - before[k]), target = [3, 4, 5].map((k) => after[k] - before[k])
    moved.forEach((v, k) => assert.ok(Math.abs(v - target[k]) < 1e-6, 'eye and target go together'))
    assert.ok(Math.hypot(...moved) > 0)
    await person.samePicture('walk.t3dm')
    const box = await (await person.tab.$(select('viewport'))).boundingBox()
    await person.tab.keyboard.down('Alt')
    await person.tab.mouse.move(box.x + 200, box.y + 100)
    await person.tab.mouse.down()
    await person.tab.mouse.move(box.x + 260, box.y + 120, { steps: 4 })
    await person.tab.mouse.up()
    await person.tab.keyboard.up('Alt')
    const { light } = await person.samePicture('walk.t3dm')
    assert.equal(light.length, 2)
    await state(() => { window.trilobite.state.light.on = false })
  })

  await test('overlays: normals, BVH, heat map with a legend, triangles on the texture', async () => {
    run(['convert', '-q', '--bvh', 'mascot.glb', 'tree.t3dm'])
    await person.drop('tree.t3dm', ...WALK.slice(1))
    await person.tab.keyboard.press('n')
    assert.equal((await person.samePicture('tree.t3dm')).normals, true)
    await person.tab.keyboard.press('n')
    await person.tab.click('[data-tool=bvh]')
    assert.equal((await person.samePicture('tree.t3dm')).bvh, true)
    await person.tab.click('[data-tool=bvh]')
    const colors = () => state(() => {
      const canvas = document.querySelector('canvas.source')
      return new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size
    })
    await person.tab.keyboard.press('p')
    const batches = await person.samePicture('tree.t3dm')
    const plain = await state(() => document.querySelector('canvas.source').toDataURL())
    await person.tab.keyboard.press('h')
    await person.settle()
    assert.notEqual(await state(() => document.querySelector('canvas.source').toDataURL()), plain)
    assert.ok(batches.parts && (await colors()) > 4)
    assert.match(await person.text('legend'), /Vertices loaded/)
    assert.ok(await person.tab.$eval(select('legend'), (e) => e.offsetWidth > 0))
    await person.tab.keyboard.press('h')
    assert.ok(await person.tab.$eval(select('legend'), (e) => e.offsetWidth === 0))
    await person.tab.keyboard.press('u')
    await person.tab.waitForSelector('#uvs canvas')
    assert.equal(await person.tab.$eval('#uvs canvas', (canvas) => canvas.width), 256)
  })

  await test('a finding leads to its triangle and to its key', async () => {
    await person.drop(...WALK)
    await person.settle()
    const shown = await state(async () => {
      const app = window.trilobite
      const model = app.current()
      const { findings } = model.check
      model.check.findings = ['objects[0].indices[7]', 'animations[0].channels[0].keys[1]'].map((path) => ({ severity: 'note', text: 'made up', path, code: '', offset: null }))
      app.showTab('findings')
      const far = app.viewport.camera.distance
      const until = async (holds) => { for (let i = 0; i < 300 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 50)) }
      document.querySelectorAll('.finding button')[0].click()
      await until(() => app.viewport.camera.distance < far / 2)
      const triangle = app.state.selection, near = app.viewport.camera.distance
      document.querySelectorAll('.finding button')[1].click()
      await until(() => app.state.time > 0 && app.timeline.keyTimes.length > 0)
      model.check.findings = findings
      return { triangle, far, near, clip: app.state.clip, time: app.state.time, keys: app.timeline.keyTimes }
    })
    assert.deepEqual(shown.triangle, { kind: 'triangle', index: 0, second: 2 })
    assert.ok(shown.near < shown.far / 2, 'the camera is at the triangle')
    assert.equal(shown.clip, 0)
    assert.ok(shown.time > 0 && shown.keys.some((time) => Math.abs(time - shown.time) < 1e-6), 'the time is that of a key')
    for (const key of ['Escape', 'a']) await person.tab.keyboard.press(key)
    await person.tab.click('[data-tab=inspect]')
  })

  await test('measure between two points', async () => {
    await person.tab.keyboard.press('Escape')
    await person.tab.click('[data-tool=measure]')
    const box = await (await person.tab.$(select('viewport'))).boundingBox()
    for (const dx of [-20, 20]) await person.tab.mouse.click(box.x + box.width / 2 + dx, box.y + box.height / 2)
    await person.tab.waitForFunction(() => /units/.test(document.querySelector('[data-test=status]').textContent))
    const [shown, exact] = await state(() => [parseFloat(document.querySelector('[data-test=status]').textContent), Math.hypot(...window.trilobite.state.measure[0].map((v, i) => v - window.trilobite.state.measure[1][i]))])
    assert.ok(shown > 0 && Math.abs(shown - exact) < exact / 1000)
    await person.tab.click('[data-tool=measure]')
  })

  await test('the pixel probe tells what the combiner got', async () => {
    await person.drop(...WALK)
    await person.settle()
    const box = await (await person.tab.$(select('viewport'))).boundingBox()
    await person.tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await person.tab.waitForSelector(select('inputs'))
    assert.match(await person.text('inputs'), /TEX0.*SHADE.*result/s)
    const { probe } = await state(() => ({ probe: { color: window.trilobite.state.probe.color, output: window.trilobite.state.probe.combiner.output } }))
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(probe.color[k] - probe.output[k]) < 16, 'dithered to 5 bits')
    await person.tab.keyboard.press('Escape')
  })

  await test('CI4 against CI8', async () => {
    await person.tab.click('[data-tab=textures]')
    await person.tab.click(select('palettes'))
    await person.tab.waitForSelector(select('palette-pairs'))
    assert.match(await person.text('palette-pairs'), /CI4.*TMEM.*CI8.*TMEM/s)
    assert.equal(await person.tab.$$eval('.pair canvas', (all) => all.every((canvas) => canvas.width > 1)), true)
    await person.tab.click(select('compare-formats'))
    await person.tab.waitForSelector('#formats img')
    await person.tab.click('[data-tab=inspect]')
  })
}

async function plays() {
  await test('back and forth, faster, smooth', async () => {
    await person.tab.keyboard.press('1')
    await person.tab.click(select('loop'))
    assert.match(await person.tab.$eval(select('loop'), (e) => e.ariaLabel), /Back and forth/)
    const turned = await state(() => {
      const { state: s, timeline } = window.trilobite
      const { duration } = timeline
      s.time = duration - 0.01
      timeline.pass(0.03)
      const back = [s.time, s.direction]
      s.time = 0.01
      timeline.pass(0.03)
      return { duration, back, forth: [s.time, s.direction] }
    })
    assert.ok(Math.abs(turned.back[0] - (turned.duration - 0.02)) < 1e-6 && turned.back[1] === -1)
    assert.ok(Math.abs(turned.forth[0] - 0.02) < 1e-6 && turned.forth[1] === 1)
    await person.tab.select(select('speed'), '4')
    const moved = await state(async () => {
      const { state: s, timeline } = window.trilobite
      timeline.nextLoop()
      timeline.nextLoop()
      s.time = 0
      const real = timeline.pass
      let passed = 0, first = null, last = null
      timeline.pass = function (seconds) { passed += seconds; return real.call(this, seconds) }
      const watch = (now) => { first ??= now; last = now; if (s.playing) requestAnimationFrame(watch) }
      timeline.toggle()
      requestAnimationFrame(watch)
      await new Promise((resolve) => setTimeout(resolve, 400))
      timeline.toggle()
      delete timeline.pass
      return { passed, seconds: (last - first) / 1000 }
    })
    assert.ok(moved.passed > 3 * moved.seconds && moved.passed < 6 * (moved.seconds + 0.3), JSON.stringify(moved))
    await person.tab.select(select('speed'), '1')
    await person.tab.$eval(select('scrubber'), (range) => { range.value = '0.31'; range.dispatchEvent(new Event('input')) })
    await person.samePicture('walk.t3dm')
    await person.tab.click(select('smooth'))
    assert.equal((await person.samePicture('walk.t3dm')).smooth, true)
    await person.tab.click(select('smooth'))
  })

  await test('a cross-fade goes from one clip to the other', async () => {
    const folder = path.join(corpus, 't3dm/09_anim_viewer/filesystem')
    if (!fs.existsSync(folder)) return console.log('skip cross-fade: there is no model with two clips in the corpus')
    const names = fs.readdirSync(folder).filter((name) => /^cath\..*(t3dm|sdata)$/.test(name))
    for (const name of names) fs.copyFileSync(path.join(folder, name), path.join(work, name))
    await person.drop('cath.t3dm', ...names.filter((name) => name !== 'cath.t3dm'))
    await person.tab.keyboard.press('1')
    await person.tab.select(select('fade'), '1')
    const drawn = async (left) => {
      await person.tab.evaluate((weight) => {
        const { state: s, viewport } = window.trilobite
        Object.assign(s, { clip: 1, time: 0.2, fading: weight > 0 ? { clip: 0, time: 0.2, left: weight } : null })
        viewport.redraw()
      }, left)
      await person.settle()
      return state(() => document.querySelector('canvas.source').toDataURL())
    }
    const from = await drawn(1), middle = await drawn(0.5), to = await drawn(0)
    assert.notEqual(middle, from)
    assert.notEqual(middle, to)
    await person.samePicture('cath.t3dm')
    await person.tab.click(select('play'))
    await person.tab.keyboard.press('1')
    assert.ok(await state(() => window.trilobite.state.fading !== null), 'a change of clips while playing fades')
    await person.tab.waitForFunction(() => window.trilobite.state.fading === null, { timeout: 15000 })
    await person.tab.click(select('play'))
  })
}

// Every thing that can be saved, against the same command line.
async function saves() {
  await test('models: .nlm, .model, .zip', async () => {
    await person.drop('mascot.glb')
    for (const [button, name] of [['save-nlm', 'mascot.nlm'], ['save-model', 'mascot.model']]) {
      const saved = await person.save(button)
      fs.mkdirSync(path.join(work, 'out'), { recursive: true })
      const native = run(['convert', '-q', 'mascot.glb', `out/${name}`])
      assert.equal(native.status, 0, native.stderr)
      assert.ok(saved.equals(fs.readFileSync(path.join(work, 'out', name))), name)
    }
    const zip = zipEntries(await person.save('save-t3dm'))
    fs.mkdirSync(path.join(work, 'sprites'), { recursive: true })
    run(['convert', '-q', '--sprites', 'mascot.glb', 'sprites/mascot.t3dm'])
    const native = fs.readdirSync(path.join(work, 'sprites')).sort()
    assert.deepEqual([...zip.keys()].sort(), native)
    for (const [name, bytes] of zip) assert.ok(bytes.equals(fs.readFileSync(path.join(work, 'sprites', name))), name)
    fs.writeFileSync(path.join(work, 'check.zip'), await person.save('save-t3dm'))
    const tested = spawnSync('python3', ['-c', 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())', 'check.zip'], { cwd: work, encoding: 'utf8' })
    if (!tested.error) assert.equal(tested.stdout.trim(), 'None', 'others read it too')
  })

  await test('pictures that move: GIF, APNG, turntable', async () => {
    await person.drop(...WALK)
    await state(() => {
      const { jobs } = window.trilobite
      const call = jobs.call.bind(jobs)
      window.steps = []
      jobs.call = (method, args, onProgress) => {
        if (method === 'run' && args.args[0] === 'render') window.command = args.args
        return call(method, args, onProgress && ((done, total) => { window.steps.push([done, total]); onProgress(done, total) }))
      }
    })
    const same = async (button, name, has) => {
      const saved = await person.save(button)
      const command = (await state(() => window.command)).map((word) => word.replace(/^out\//, ''))
      for (const word of has) assert.ok(command.includes(word), `${word} in ${command}`)
      const native = run(command)
      assert.equal(native.status, 0, native.stderr)
      assert.ok(saved.equals(read(name)), `${name}: ${saved.length} bytes, not ${read(name).length}`)
    }
    await person.tab.keyboard.press('1')
    await person.settle()
    await same('save-gif', 'walk.gif', ['--clip', '--camera'])
    const steps = await state(() => window.steps)
    assert.ok(steps.length > 5 && steps.at(-1)[0] === steps.at(-1)[1], 'the bar moved')
    await same('save-apng', 'walk.apng', ['--clip'])
    await same('save-turntable', 'walk.gif', ['--turntable'])
    await same('save-png', 'walk.png', ['--time'])
    const png = await decodePng(new Uint8Array(read('walk.png')))
    assert.ok(png.width > 100)
  })

  await test('long work can be cancelled, and the page goes on', async () => {
    await state(() => (window.saved = []))
    await person.tab.click(select('save'))
    await person.tab.click(select('save-apng'))
    await person.tab.waitForSelector(select('cancel'))
    await person.tab.click(select('cancel'))
    await person.tab.waitForFunction(() => /Cancelled/.test(document.querySelector('[data-test=toast]')?.textContent))
    assert.equal(await state(() => window.saved.length), 0)
    const glb = await person.save('save-glb')
    run(['convert', '-q', 'walk.t3dm', 'again.glb'])
    assert.ok(glb.equals(read('again.glb')))
  })

  const server = http.createServer((request, response) => {
    const file = path.join(work, path.basename(request.url))
    if (request.url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(fs.readFileSync(page))
    fs.existsSync(file) ? response.end(fs.readFileSync(file)) : response.writeHead(404).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  await test('a link to a hosted model, and the command that draws the picture', async () => {
    const link = `http://127.0.0.1:${server.address().port}/#url=walk.t3dm`
    await person.visit(link, SIZE)
    await opened('walk.t3dm')
    await state(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => (window.copied = text) } }))
    await person.settle()
    const copied = async (button) => {
      await person.tab.click(select('share'))
      await person.tab.click(select(button))
      await person.tab.waitForFunction(() => window.copied)
      return state(() => { const text = window.copied; window.copied = null; return text })
    }
    assert.equal(await copied('copy-link'), link)
    const command = await copied('copy-command')
    assert.match(command, /^trilobite render walk\.t3dm /)
    const native = spawnSync('sh', ['-c', command.replace(/^trilobite/, run.program)], { cwd: work, encoding: 'utf8' })
    assert.equal(native.status, 0, native.stderr)
    const expected = await decodePng(new Uint8Array(read('walk.png')))
    const size = await person.tab.$eval('canvas.source', (canvas) => `${canvas.width}x${canvas.height}`)
    assert.equal(`${expected.width}x${expected.height}`, size)
  })
  server.close()
}

// Printed, not asserted: another load on the machine would decide.
async function measures() {
  const folder = path.resolve(corpus, 't3dm/17_culling')
  if (!fs.existsSync(folder)) return console.log('skip times: there is no large model in the corpus')
  await test('time to the first picture, and of a frame', async () => {
    const images = fs.readdirSync(path.join(folder, 'assets')).filter((name) => name.endsWith('.png'))
    for (const name of images) fs.copyFileSync(path.join(folder, 'assets', name), path.join(work, name))
    fs.copyFileSync(path.join(folder, 'filesystem/platformer_bvh.t3dm'), path.join(work, 'platformer_bvh.t3dm'))
    await person.visit(address, SIZE)
    await state(() => {
      addEventListener('drop', () => (window.dropped = performance.now()), true)
      new MutationObserver(() => { if (document.querySelector('.view').dataset.milliseconds) window.pictured ??= performance.now() }).observe(document.querySelector('.view'), { attributes: true, attributeFilter: ['data-milliseconds'] })
    })
    await person.drop('platformer_bvh.t3dm', ...images)
    await person.settle()
    const first = await state(() => window.pictured - window.dropped)
    const frames = await state(async () => {
      const { viewer, state: s } = window.trilobite
      const medians = []
      for (const options of [{ look: 'n64', size: '320x240' }, { look: 'tv', size: '640x480' }, { look: 'clean', size: '640x480', samples: 1 }]) {
        const times = []
        for (let i = 0; i < 24; i++) times.push((await viewer.call('draw', { key: s.key, options: { ...options, azimuth: 15 * i } })).milliseconds)
        medians.push(`${options.look} ${options.size} ${times.sort((a, b) => a - b)[12].toFixed(1)} ms`)
      }
      return medians
    })
    console.log(`platformer_bvh.t3dm, ${kind}: first picture ${first.toFixed(0)} ms after the drop; a frame: ${frames.join(', ')}`)
    assert.ok(first > 0)
  })
}

await opens()
await opensProjects()
await comparesProjects()
await hands()
await plays()
await saves()
await measures()
await finish()
