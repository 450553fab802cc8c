// features.mjs: what people do with the page less often: other ways to open files, touch, overlays, ways to play, and
// everything that can be saved, with the bytes of the program. browser.mjs runs it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { address, corpus, decodePng, kind, page, person, run, select, test, work } from './person.mjs'

const WALK = ['walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite']
const read = (name) => fs.readFileSync(path.join(work, name))
const full = process.env.TRILOBITE_TESTS === 'full'
const state = (fn) => person.tab.evaluate(fn)
const opened = (name) => person.tab.waitForFunction((wanted) => window.trilobite.current()?.name === wanted && window.trilobite.current().studied, {}, name)
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
    await person.tab.evaluate((base64) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], 'mascot.nlm'))
      const event = new ClipboardEvent('paste', { bubbles: true })
      Object.defineProperty(event, 'clipboardData', { value: clipboardData }) // Firefox makes one of its own
      document.body.dispatchEvent(event)
    }, read('mascot.nlm').toString('base64'))
    await opened('mascot.nlm')
  })

  await test('files that a model misses can follow it', async () => {
    await person.drop(WALK[0])
    assert.match(await person.text('missing'), /Missing: .* and 1 more/)
    await person.tab.focus(select('viewport'))
    await person.tab.keyboard.press('ArrowLeft')
    await person.settle()
    const { camera } = await options()
    await person.transfer(...WALK.slice(1))
    await person.tab.waitForFunction(() => document.querySelector('[data-test=missing]').checkVisibility() === false && window.trilobite.current().studied)
    assert.equal((await person.samePicture('walk.t3dm')).camera, camera)
  })

  await test('compressed files: an asset of libdragon, .gz, .zip', async () => {
    run(['convert', '-q', '--compress', '1', 'walk.t3dm', 'packed.t3dm'])
    await person.drop('packed.t3dm', ...WALK.slice(1))
    await person.samePicture('packed.t3dm')
    await person.tab.click('[data-tab=bytes]')
    await person.tab.waitForSelector('.hex .on')
    assert.equal(await state(() => String.fromCharCode(...window.trilobite.current().raw.subarray(0, 3))), 'T3M', 'the bytes are those that the fields are about')
    await person.tab.click('[data-tab=inspect]')
    fs.writeFileSync(path.join(work, 'squeezed.nlm.gz'), zlib.gzipSync(read('mascot.nlm')))
    await person.transfer('squeezed.nlm.gz')
    await opened('squeezed.nlm')
    if (!makeZip('all.zip', WALK)) return console.log('skip .zip: there is no python3')
    await person.transfer('all.zip')
    await opened('model/walk.t3dm')
    await person.samePicture('walk.t3dm')
    fs.writeFileSync(path.join(work, 'cut.zip'), read('all.zip').subarray(0, 400))
    await person.transfer('cut.zip')
    await person.hears(/cut\.zip: .*not complete/)
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
  const cards = (count) => person.tab.waitForFunction((n) => document.querySelectorAll('.card').length === n && [...document.querySelectorAll('.card')].every((card) => !/…/.test(card.textContent)), {}, count)

  await test('a folder that is picked', async () => {
    await (await person.tab.$('input[webkitdirectory]')).uploadFile(folder)
    await cards(2)
    assert.match(await person.text('verdict'), /Ready/)
    await (await person.tab.$$('.card'))[1].click()
    await opened('project/filesystem/models/walk.t3dm')
  })

  await test('a folder that is dropped', async () => {
    const session = await person.tab.createCDPSession()
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data })
    await cards(2)
    await (await person.tab.$$('.card'))[1].click()
    await opened('project/filesystem/models/walk.t3dm')
    await person.samePicture('walk.t3dm')
  })
}

// What a Pyrite64 material means is in a table of its project; without one its numbers are ranks among the images of the
// project. A page that is made of it must take them along.
async function opensProjects() {
  const model = path.resolve(corpus, 'pyrite64/v08_material_test/filesystem/box.t3dm')
  if (!fs.existsSync(model)) return console.log('skip Pyrite64: there is none in the corpus')
  const openPage = async (name) => {
    const made = run(['page', '-q', name, '--template', path.resolve(page), '-o', 'box.html'])
    assert.equal(made.status, 0, made.stderr)
    const [, json] = /id="trilobite-files">(.*?)<\/script>/s.exec(read('box.html').toString())
    await person.tab.evaluate((text) => {
      const { open, files } = JSON.parse(text)
      return window.trilobite.library.take(new Map(files.map(({ name, base64 }) => [name, Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))])), open)
    }, json)
    await person.samePicture(name)
  }
  await test('a model of Pyrite64 in a page of its own has its textures', async () => {
    await openPage(model)
    assert.equal(await state(() => window.trilobite.current().messages), '')
  })

  await test('a model of Pyrite64 whose project has no table has its textures too', async () => {
    fs.cpSync(path.resolve(model, '../..'), path.join(work, 'ranked'), { recursive: true })
    fs.rmSync(path.join(work, 'ranked/filesystem/p64'), { recursive: true })
    await openPage('ranked/filesystem/box.t3dm')
    assert.deepEqual(await state(() => window.trilobite.current().info.textures.map((t) => t.width)), [32])
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
    await person.drop('lady.glb', ...images)
    run(['convert', '-q', '--sprites', 'lady.glb', 'lady.t3dm'])
    await person.samePicture('lady.t3dm', 'console', 'consoleCommand')
    assert.ok(!/not found|missing/.test(run(['render', 'lady.t3dm', '-o', 'lady.png']).stderr))
    for (const name of images) for (const ending of ['png', 'sprite']) fs.rmSync(path.join(work, name.replace(/png$/, ending)))
  })
}

// A busy machine answers late: the model is changed while the old one plays, and clicked while the new one loads.
async function changesModels() {
  await test('another model may come at any time', async () => {
    await person.drop(...WALK)
    await state(() => {
      const app = window.trilobite
      window.said = []
      app.say = (text, ...rest) => (window.said.push(text), Object.getPrototypeOf(app).say.call(app, text, ...rest))
      window.drawing = setInterval(() => app.viewport.redraw(), 5)
      for (const [client, milliseconds] of [[app.jobs, 40], [app.viewer, 10]]) {
        const call = client.call.bind(client)
        client.call = async (...all) => (await new Promise((resolve) => setTimeout(resolve, milliseconds)), call(...all))
      }
    })
    for (const names of [['mascot.glb'], WALK]) {
      await state(() => window.trilobite.state.playing || window.trilobite.timeline.toggle())
      await person.transfer(...names)
      await person.tab.mouse.click(...(await person.aim()))
      await person.tab.keyboard.press('a')
    }
    await opened('walk.t3dm')
    await state(() => clearInterval(window.drawing))
    await person.settle()
    assert.deepEqual(await state(() => window.said.filter((text) => !/^Reading|^$/.test(text))), [])
    assert.equal(await state(() => window.trilobite.state.playing), false)
    await state(() => { const app = window.trilobite; delete app.say; for (const client of [app.jobs, app.viewer]) delete client.call })
    await person.samePicture('walk.t3dm')
  })

  await test('a message is in nobody\'s way', async () => {
    await state(() => window.trilobite.say('A message that is as long as a message can be, so that it would lie over all of the tools, and a bit longer.'))
    const [toast, tools] = await state(() => ['[data-test=toast]', '.tools'].map((s) => document.querySelector(s).getBoundingClientRect().toJSON()))
    assert.ok(toast.bottom <= tools.top, JSON.stringify([toast, tools]))
    await person.tab.mouse.click(toast.x + toast.width / 2, toast.y + toast.height / 2)
    assert.equal(await state(() => document.activeElement.dataset.test), 'viewport')
    await person.tab.keyboard.press('Escape')
  })
}

async function hands() {
  await test('one finger turns, two move and zoom', async () => {
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

  await test('the mouse turns, moves, zooms and frames', async () => {
    const camera = () => state(() => { const { azimuth, distance, target } = window.trilobite.viewport.camera; return { azimuth, distance, target: target.join() } })
    const box = await (await person.tab.$(select('viewport'))).boundingBox()
    const [x, y] = [box.x + 60, box.y + 60] // beside the model
    const drag = async (button = 'left') => {
      const before = await camera()
      await person.tab.mouse.move(x, y)
      await person.tab.mouse.down({ button })
      await person.tab.mouse.move(x + 40, y, { steps: 4 })
      await person.tab.mouse.up({ button })
      const after = await camera()
      return Object.keys(after).filter((key) => after[key] !== before[key])
    }
    assert.deepEqual(await drag(), ['azimuth'])
    assert.deepEqual(await drag('right'), ['target'])
    await person.tab.keyboard.down('Shift')
    assert.deepEqual(await drag(), ['target'])
    await person.tab.keyboard.up('Shift')
    const near = await camera()
    await person.tab.mouse.wheel({ deltaY: 300 })
    await person.tab.waitForFunction((d) => window.trilobite.viewport.camera.distance > 1.2 * d, {}, near.distance)
    await person.doubleClick(x, y)
    await person.tab.waitForFunction(() => window.trilobite.viewport.framed)
    await person.settle()
    const all = await camera()
    await person.doubleClick(...(await person.aim()))
    await person.tab.waitForFunction((d) => window.trilobite.viewport.camera.distance !== d, {}, all.distance)
    assert.equal(await state(() => window.trilobite.state.selection.kind), 'mesh')
    await person.settle()
    for (const key of ['Escape', 'a']) await person.tab.keyboard.press(key)
    await person.settle()
  })

  await test('the other keys: look, play, turn, frame, panels, menus', async () => {
    const press = (...keys) => keys.reduce((last, key) => last.then(() => person.tab.keyboard.press(key)), Promise.resolve())
    const looks = []
    for (let i = 0; i < 3; i++) {
      await press('l')
      looks.push(await state(() => window.trilobite.state.look))
    }
    assert.deepEqual(looks, ['tv', 'clean', 'n64'])
    await press(' ')
    assert.ok(await state(() => window.trilobite.state.playing))
    await press(' ', 't')
    assert.deepEqual(await state(() => [window.trilobite.state.playing, window.trilobite.state.turning]), [false, true])
    await press('t')
    await person.settle()
    const far = await state(() => (window.trilobite.select({ kind: 'mesh', index: 1 }), window.trilobite.viewport.camera.distance))
    await press('f')
    await person.tab.waitForFunction((d) => window.trilobite.viewport.camera.distance < d, {}, far)
    await press('[', ']')
    assert.deepEqual(await person.tab.$$eval('.left, .right', (all) => all.map((panel) => getComputedStyle(panel).visibility)), ['hidden', 'hidden'])
    const remembered = () => state(() => JSON.parse(localStorage.getItem('trilobite.folded')))
    assert.deepEqual(await remembered(), { left: true, right: true })
    await press('[', ']')
    assert.deepEqual(await remembered(), { left: false, right: false })
    const theme = () => state(() => document.documentElement.dataset.theme), before = await theme()
    await person.tab.click(select('theme'))
    assert.notEqual(await theme(), before)
    await person.tab.click(select('theme'))
    for (const [key, name] of [['s', 'save'], ['?', 'help']]) {
      await press(key)
      assert.equal(await person.tab.$eval(select(name), (button) => button.ariaExpanded), 'true')
      await press('Escape')
    }
    await press('Escape', 'a')
    await state(() => window.trilobite.timeline.choose(null))
    await person.settle()
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

  await test('a finding leads to its triangle, its bone and its key', async () => {
    await person.drop(...WALK)
    await person.settle()
    const shown = await state(async () => {
      const app = window.trilobite
      const model = app.current()
      const { findings } = model.check
      model.check.findings = ['objects[0].indices[7]', 'bones[3].rotation', 'animations[0].channels[0].keys[1]'].map((path) => ({ severity: 'note', text: 'made up', path, code: '', offset: null }))
      app.showTab('findings')
      const far = app.viewport.camera.distance
      const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20)) }
      document.querySelectorAll('.finding button')[0].click()
      await until(() => app.viewport.camera.distance < far / 2)
      const triangle = app.state.selection, near = app.viewport.camera.distance
      document.querySelectorAll('.finding button')[1].click()
      await until(() => app.viewport.camera.distance !== near && !app.viewport.flight)
      const bone = app.state.selection
      document.querySelectorAll('.finding button')[2].click()
      await until(() => app.state.time > 0 && app.timeline.keyTimes.length > 0)
      const open = [...document.querySelectorAll('.finding .more')].map((more) => more.offsetHeight > 0)
      model.check.findings = findings
      return { open, triangle, bone, far, near, clip: app.state.clip, time: app.state.time, keys: app.timeline.keyTimes }
    })
    assert.deepEqual(shown.open, [true, true, true], 'what was opened stays open')
    assert.deepEqual(shown.bone, { kind: 'node', index: 3 })
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
    const [x, y] = await person.aim()
    for (const dx of [-20, 20]) await person.tab.mouse.click(x + dx, y)
    await person.tab.waitForFunction(() => /units/.test(document.querySelector('[data-test=status]').textContent))
    const [shown, exact] = await state(() => [parseFloat(document.querySelector('[data-test=status]').textContent), Math.hypot(...window.trilobite.state.measure[0].map((v, i) => v - window.trilobite.state.measure[1][i]))])
    assert.ok(shown > 0 && Math.abs(shown - exact) < exact / 1000)
    await person.tab.click('[data-tool=measure]')
  })

  await test('the pixel probe tells what the combiner got', async () => {
    await person.settle()
    await person.tab.mouse.click(...(await person.aim()))
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

// What the page tells about a model, against the program and the bytes of the file.
async function explains() {
  await test('fog, for materials that want it', async () => {
    fs.copyFileSync(path.join(work, 'mascot.glb'), path.join(work, 'misty.glb'))
    fs.writeFileSync(path.join(work, 'misty.materials.toml'), '[shell]\nfog = true\n')
    const made = run(['convert', '-q', '--sprites', 'misty.glb', 'misty.t3dm'])
    assert.equal(made.status, 0, made.stderr)
    await person.drop('misty.t3dm', ...WALK.slice(1))
    await person.settle()
    const picture = () => state(() => document.querySelector('canvas.source').toDataURL())
    const clear = await picture()
    await person.tab.click(select('scene'))
    await person.tab.waitForSelector(select('fog'))
    await person.tab.click(select('fog'))
    const { fog } = await person.samePicture('misty.t3dm')
    const [begin, end, color] = fog.split(',')
    const distance = await state(() => window.trilobite.viewport.camera.distance)
    assert.ok(Math.abs(begin / distance - 0.8) < 1e-6 && Math.abs(end / distance - 1.6) < 1e-6, 'from 0.8 to 1.6 of the distance')
    assert.equal(color, (await options()).background)
    assert.notEqual(await picture(), clear)
    await person.tab.click(select('fog'))
    await person.tab.keyboard.press('Escape')
    await person.settle()
    assert.equal(await picture(), clear)
  })

  await test('background, resolution, light and the filter of the television', async () => {
    const change = (name, value, type) => person.tab.$eval(select(name), (control, text, event) => {
      control.type === 'checkbox' ? (control.checked = text) : (control.value = text)
      control.dispatchEvent(new Event(event, { bubbles: true }))
    }, value, type)
    await person.drop(...WALK)
    await person.settle()
    const plain = await options()
    await person.tab.click(select('scene'))
    await person.tab.waitForSelector(select('lines'))
    await change('background', 'black', 'change')
    await change('lines', '480', 'change')
    await change('light-azimuth', '90', 'input')
    assert.equal(await person.tab.$eval(select('light'), (box) => box.checked), true, 'who moves the light turns it on')
    await change('fog-end', '2', 'input')
    const changed = await person.samePicture('walk.t3dm')
    assert.equal(changed.background, '#000000')
    assert.deepEqual(changed.size.split('x').map(Number), plain.size.split('x').map((n) => 2 * n))
    assert.match(changed.light[0], /^90,/)
    assert.match(changed.fog, /,#000000$/)
    await change('dedither', true, 'change')
    assert.equal((await options()).tvFilter, undefined, 'only a television has it')
    await person.tab.click('[data-look=tv]')
    await person.settle()
    assert.equal((await options()).tvFilter, 'dedither')
    await person.tab.click(select('scene'))
    await person.tab.waitForSelector(select('lines'))
    for (const [name, value] of [['background', 'theme'], ['lines', '240'], ['dedither', false], ['light', false], ['fog', false]]) await change(name, value, 'change')
    await person.tab.keyboard.press('Escape')
    await person.tab.click('[data-look=n64]')
    await person.settle()
    assert.deepEqual(await options(), plain)
  })

  await test('the tree leads to the picture, and the picture to the tree', async () => {
    const lit = () => state(() => { const { data } = ((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height))(document.querySelector('canvas.overlay')); let n = 0; for (let i = 3; i < data.length; i += 4) n += data[i] > 0; return n })
    const current = () => person.tab.$$eval('.tree [data-test][aria-current]', (all) => all.map((row) => [row.dataset.test, row.checkVisibility()]))
    await person.tab.keyboard.press('Escape')
    await person.settle()
    assert.equal(await lit(), 0)
    for (const kind of ['mesh', 'material', 'node']) {
      await person.tab.evaluate((name) => document.querySelector(`[data-test=${name}]`).click(), `${kind}-${kind === 'node' ? 3 : 0}`)
      await person.settle()
      assert.ok((await lit()) > 0, kind)
    }
    assert.deepEqual(await current(), [['node-3', true]], 'its branch is open')
    const parent = await state(() => window.trilobite.current().nodes[3].parent)
    await person.tab.click('[data-test=inspector] .link')
    assert.deepEqual(await current(), [[`node-${parent}`, true]])
    await state(() => document.querySelector('[data-test=texture-0]').click())
    await person.tab.waitForFunction(() => document.querySelector('[data-test=inspector] .texture canvas')?.width > 1)
    await state(() => document.querySelector('[data-test=clip-0]').click())
    assert.equal(await state(() => window.trilobite.state.clip), 0)
    await person.tab.keyboard.press('Escape')
    await person.tab.evaluate(() => window.trilobite.timeline.choose(null))
    await person.settle()
    await person.tab.mouse.click(...(await person.aim()))
    await person.tab.waitForSelector(select('probe'))
    const mesh = await state(() => window.trilobite.state.selection.index)
    assert.deepEqual(await current(), [[`mesh-${mesh}`, true]])
    await person.tab.keyboard.press('Escape')
  })

  await test('the cost is that of the program, against a budget', async () => {
    const { figures } = JSON.parse(run(['cost', '--json', 'walk.t3dm']).stdout).files[0]
    await person.tab.click('[data-tab=cost]')
    await person.tab.waitForSelector('.budget input')
    const number = (n) => Math.round(n).toLocaleString('en')
    const text = await person.text('cost')
    for (const part of [`${number(figures.microseconds)} µs`, `batches${number(figures.loads)}`, `vertices loaded${number(figures.vertices)}`, '2,048 of 2,048 bytes']) assert.ok(text.includes(part), `${part} in ${text}`)
    const shown = (budget) => person.tab.$eval('.budget input', (input, value) => {
      input.value = value
      input.dispatchEvent(new Event('change'))
      const bar = document.querySelector('.budget + .bar i')
      return [document.querySelector('.budget b').textContent, bar.className, localStorage.getItem('trilobite.budget')]
    }, String(budget))
    const twice = Math.round(figures.microseconds * 2), half = Math.round(figures.microseconds / 2)
    assert.deepEqual(await shown(twice), ['50 %', '', String(twice)])
    assert.deepEqual(await shown(half), ['200 %', 'over', String(half)])
    await shown(4000)
    await person.tab.click('[data-tab=inspect]')
  })

  // The texture of the sample has 64 x 64 texels of 4 bits, 2,048 bytes: the lower half. Palettes have the upper half.
  await test('the map of TMEM', async () => {
    await person.tab.click(select('material-0'))
    await person.tab.waitForSelector(select('tmem'))
    const cells = await person.tab.$$eval(`${select('tmem')} i`, (all) => all.map((cell) => cell.className))
    assert.deepEqual(cells, [...Array(64).fill('t0'), ...Array(64).fill('pal')])
    assert.match(await person.tab.$eval(select('tmem'), (map) => map.ariaLabel), /2048 of 2048 bytes/)
  })

  await test('the bytes of a record, with the names of its fields', async () => {
    const file = read('walk.t3dm')
    const dump = run(['dump', '--limit', '64', 'walk.t3dm']).stdout.split('\n')
    const record = dump.findIndex((line) => line.endsWith('type: "M"'))
    const offset = (name) => parseInt(dump.slice(record).find((line) => line.includes(` ${name}: `)).slice(2), 16)
    await person.tab.click('[data-tab=bytes]')
    await person.tab.waitForSelector('.records .on')
    const shown = () => state(() => ({ field: document.querySelector('.records .on').textContent.trim(), seen: (() => { const [a, b] = [document.querySelector('.records .on'), document.querySelector('.records')].map((e) => e.getBoundingClientRect()); return a.top >= b.top && a.bottom <= b.bottom })(), at: [...document.querySelectorAll('.hex .on[data-at]')].map((cell) => [Number(cell.dataset.at), parseInt(cell.textContent, 16)]) }))
    const selected = await shown()
    assert.equal(selected.field, 'type: "M"')
    assert.ok(selected.seen, 'it is in view')
    const isField = async (name, size) => {
      const { field, at } = await shown()
      assert.ok(field.startsWith(`${name}: `), field)
      assert.deepEqual(at, Array.from({ length: size }, (_, i) => [offset(name) + i, file[offset(name) + i]]))
    }
    await person.tab.$$eval('.records button', (all) => all.find((button) => /draw_flags: /.test(button.textContent)).click())
    await isField('draw_flags', 4)
    await person.tab.click(`[data-at="${offset('env') + 2}"]`)
    await isField('env', 4)
    await person.tab.click('[data-tab=inspect]')
    await person.tab.keyboard.press('Escape')
  })

  await test('the pixel probe is live', async () => {
    await person.tab.keyboard.press('a')
    await person.settle()
    await person.tab.mouse.click(...(await person.aim()))
    await person.tab.waitForSelector(select('inputs'))
    const before = await person.text('probe')
    await person.tab.focus(select('viewport'))
    for (let i = 0; i < 3; i++) await person.tab.keyboard.press('ArrowLeft')
    await person.tab.waitForFunction((text) => document.querySelector('[data-test=probe]')?.textContent !== text, {}, before)
    for (let i = 0; i < 12; i++) await person.tab.keyboard.press('-')
    for (let i = 0; i < 12; i++) { await person.tab.keyboard.down('Shift'); await person.tab.keyboard.press('ArrowLeft'); await person.tab.keyboard.up('Shift') }
    await person.tab.waitForFunction(() => /no longer covers/.test(document.getElementById('probe').textContent))
    for (const key of ['Escape', 'a']) await person.tab.keyboard.press(key)
  })

  await test('two models side by side, with one camera', async () => {
    await person.transfer(...WALK, 'mascot.nlm')
    await person.tab.waitForFunction(() => document.querySelectorAll('.card').length === 2 && [...document.querySelectorAll('.card')].every((card) => !/…/.test(card.textContent)))
    await (await person.tab.$$('.card'))[1].click()
    await opened('walk.t3dm')
    await person.tab.click(select('beside'))
    await person.tab.waitForSelector('canvas.console:not(.hidden)')
    await person.tab.keyboard.press('1')
    await person.samePicture('walk.t3dm')
    const { camera, clip } = await person.samePicture('mascot.nlm', 'console', 'consoleCommand')
    assert.equal(clip, 0, 'its clip plays along')
    const scale = (await options()).camera.split(',').map((v, i) => v / camera.split(',')[i])
    assert.ok(scale.every((v) => Math.abs(v / scale[0] - 1) < 1e-3), 'the same view in other units')
    assert.deepEqual(await person.tab.$$eval('.side', (all) => all.map((side) => side.textContent)), ['walk.t3dm', 'mascot.nlm'])
    const where = () => person.tab.$eval(select('splitter'), (e) => Number(e.ariaValueNow))
    await person.tab.focus(select('splitter'))
    await person.tab.keyboard.press('ArrowLeft')
    assert.equal(await where(), 45)
    const box = await (await person.tab.$(select('splitter'))).boundingBox()
    await person.tab.mouse.move(box.x + 12, box.y + box.height / 2)
    await person.tab.mouse.down()
    await person.tab.mouse.move(box.x + 72, box.y + box.height / 2, { steps: 3 })
    await person.tab.mouse.up()
    assert.ok((await where()) > 50)
    await person.tab.click(select('beside'))
    await person.tab.waitForSelector('canvas.console', { hidden: true })
  })
}

// Tools lie over the lower edge of the picture: a tall model must not stand behind them, nor move out of the picture.
async function frames() {
  const size = [390, 844]
  // The page has the size, and has seen that it has.
  const resize = async ([width, height]) => {
    await person.tab.setViewport({ width, height })
    await person.tab.waitForFunction((wide) => innerWidth === wide, {}, width)
    await state(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
  // Where the model is on the screen, and how far from the edges of the picture.
  const edges = () => state(() => {
    const canvas = document.querySelector('canvas.source')
    const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const words = new Uint32Array(data.buffer)
    let top = height, bottom = 0, left = width, right = 0
    words.forEach((v, i) => { if (v !== words[0]) { const x = i % width, y = (i / width) | 0; top = Math.min(top, y); bottom = Math.max(bottom, y); left = Math.min(left, x); right = Math.max(right, x) } })
    const box = canvas.getBoundingClientRect(), strip = document.querySelector('.tools').getBoundingClientRect()
    return { bottom: box.top + ((bottom + 1) / height) * box.height, strip: strip.top, top, left, right: width - 1 - right, high: bottom - top, height }
  })
  await test('the tools do not cover the model, nor does the frame cut its clip', async () => {
    await person.drop(...WALK)
    for (let i = 0; i < 12; i++) await person.tab.keyboard.press('ArrowUp') // from above it is as tall as wide
    await person.tab.keyboard.press('a')
    await person.settle()
    for (const shape of [[1100, 480], [600, 844], size]) {
      await resize(shape) // what was in the frame stays in it
      for (const key of shape[0] === 600 ? [null] : [null, '1']) {
        if (key) await person.tab.keyboard.press(key)
        await person.settle()
        const edge = await edges()
        assert.ok(edge.bottom <= edge.strip, `${JSON.stringify(edge)}`)
        assert.ok(edge.top > 0 && edge.left > 0 && edge.right > 0, JSON.stringify(edge))
      }
      await state(() => window.trilobite.timeline.choose(null))
    }
  })

  await test('double tap frames, two slow taps do not', async () => {
    const distance = () => state(() => window.trilobite.viewport.camera.distance)
    // With times of their own: a driver takes longer for two taps than people do.
    const taps = ([x, y], pause) => person.tab.evaluate((clientX, clientY, later) => {
      const { surface } = window.trilobite.viewport
      surface.setPointerCapture = () => {} // no finger is there
      for (const value of [0, later])
        for (const type of ['pointerdown', 'pointerup']) {
          const event = new PointerEvent(type, { pointerType: 'touch', pointerId: 7, clientX, clientY, bubbles: true })
          surface.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: 1000 + value }))
        }
      delete surface.setPointerCapture
    }, x, y, pause)
    await person.settle()
    const all = await distance()
    for (let i = 0; i < 4; i++) await person.tab.keyboard.press('-')
    const far = await distance(), [x, y] = await person.aim()
    await taps([x, y - 250], 400)
    await person.settle()
    assert.equal(await distance(), far)
    await taps([x, y - 250], 100)
    await person.tab.waitForFunction((old) => window.trilobite.viewport.camera.distance !== old, {}, far)
    await person.settle()
    assert.ok(Math.abs((await distance()) / all - 1) < 0.01)
  })

  await test('on a phone nothing lies over anything else', async () => {
    for (const tool of ['measure', 'heat']) {
      const over = await person.tab.evaluate((name) => {
        document.querySelector(`[data-tool=${name}]`).click()
        const { wallButton, compareButton, looks, status, legend, missing, tools } = window.trilobite
        for (const part of [wallButton, compareButton, missing]) part.classList.remove('hidden')
        const parts = Object.entries({ wallButton, compareButton, looks, status, legend, missing, tools }).filter(([, e]) => e.checkVisibility()).map(([part, e]) => [part, e.getBoundingClientRect()])
        return parts.flatMap(([a, p], i) => parts.slice(i + 1).filter(([, q]) => p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom).map(([b]) => `${a}, ${b}`))
      }, tool)
      assert.deepEqual(over, [])
    }
    for (const tool of ['measure', 'heat']) await person.tab.evaluate((name) => document.querySelector(`[data-tool=${name}]`).click(), tool)
    await person.settle()
  })

  await test('a phone has a sheet, which opens and closes', async () => {
    const box = (selector) => person.tab.$eval(selector, (e) => { const { top, height } = e.getBoundingClientRect(); return { top, height } })
    const before = await box('.view')
    await person.tab.click('[data-sheet=cost]')
    await person.tab.waitForSelector(select('cost'))
    assert.ok((await box('.right')).height > 200)
    assert.deepEqual(await box('.view'), before, 'the picture stays where it is')
    await person.settle()
    const room = await edges()
    assert.ok(room.top > 0 && room.bottom <= (await box('.right')).top, `the model is above the sheet: ${JSON.stringify(room)}`)
    await person.tab.click('.right .sheet-close')
    assert.equal((await box('.right')).height, 0)
    await person.settle()
    assert.ok((await edges()).high > room.high, 'and larger again without it')
    await person.tab.click('[data-sheet=tree]')
    await person.tab.click(select('material-0'))
    assert.equal(await state(() => window.trilobite.state.selection.kind), 'material')
    await person.tab.keyboard.press('Escape')
    assert.equal(await person.tab.$eval('.left', (e) => e.offsetHeight), 0)
    assert.equal(await state(() => document.documentElement.scrollWidth), 390)
    await person.tab.setViewport({ width: 1100, height: 480 })
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
      const forth = [s.time, s.direction]
      Object.assign(s, { loop: 'once', time: duration - 0.01, playing: true })
      timeline.pass(0.03)
      const once = [s.time, s.playing]
      Object.assign(s, { loop: 'pingpong' })
      return { duration, back, forth, once }
    })
    assert.deepEqual(turned.once, [turned.duration, false])
    assert.ok(Math.abs(turned.back[0] - (turned.duration - 0.02)) < 1e-6 && turned.back[1] === -1)
    assert.ok(Math.abs(turned.forth[0] - 0.02) < 1e-6 && turned.forth[1] === 1)
    await person.tab.select(select('speed'), '4')
    const moved = await state(async () => {
      const { state: s, timeline } = window.trilobite
      timeline.nextLoop()
      timeline.nextLoop()
      s.time = 0
      const passed = [], frames = []
      timeline.pass = (seconds) => passed.push(seconds)
      timeline.toggle()
      await new Promise((resolve) => {
        const watch = (now) => (frames.push(now), frames.length < 5 ? requestAnimationFrame(watch) : resolve())
        requestAnimationFrame(watch)
      })
      timeline.toggle()
      delete timeline.pass
      return { passed, frames }
    })
    for (let i = 1; i < 5; i++) assert.ok(Math.abs(moved.passed[i] - (4 * (moved.frames[i] - moved.frames[i - 1])) / 1000) < 1e-6, JSON.stringify(moved))
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
    await state(() => { window.trilobite.state.fade = 1e6 }) // seconds, which are not over before somebody looks
    await person.tab.click(select('play'))
    await person.tab.keyboard.press('1')
    assert.ok(await state(() => window.trilobite.state.fading !== null), 'a change of clips while playing fades')
    await state(() => { window.trilobite.state.fading.left = 0.05 })
    await person.tab.waitForFunction(() => window.trilobite.state.fading === null)
    await person.tab.click(select('play'))
    await person.tab.select(select('fade'), '0')
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
    const saved = await person.save('save-t3dm')
    const zip = zipEntries(saved)
    fs.mkdirSync(path.join(work, 'sprites'), { recursive: true })
    run(['convert', '-q', '--sprites', 'mascot.glb', 'sprites/mascot.t3dm'])
    const native = fs.readdirSync(path.join(work, 'sprites')).sort()
    assert.deepEqual([...zip.keys()].sort(), native)
    for (const [name, bytes] of zip) assert.ok(bytes.equals(fs.readFileSync(path.join(work, 'sprites', name))), name)
    fs.writeFileSync(path.join(work, 'check.zip'), saved)
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
    await person.tab.evaluate((cancel) => {
      window.saved = []
      // At the first step, however fast the machine is: what comes after it is still to be handled.
      const { jobs } = window.trilobite
      const { call } = jobs
      jobs.call = (method, args, onProgress) => call.call(jobs, method, args, onProgress && ((done, total) => {
        onProgress(done, total)
        jobs.call = call
        document.querySelector(cancel).click()
      }))
    }, select('cancel'))
    await person.tab.click(select('save'))
    await person.tab.click(select('save-apng'))
    await person.hears(/Cancelled/)
    assert.equal(await state(() => window.saved.length), 0)
    const glb = await person.save('save-glb')
    run(['convert', '-q', 'walk.t3dm', 'again.glb'])
    assert.ok(glb.equals(read('again.glb')))
  })
}

// Printed, not asserted: another load on the machine would decide.
async function measures() {
  const folder = path.resolve(corpus, 't3dm/17_culling')
  if (!fs.existsSync(folder)) return console.log('skip times: there is no large model in the corpus')
  await test('time to the first picture, and of a frame', async () => {
    const images = fs.readdirSync(path.join(folder, 'assets')).filter((name) => name.endsWith('.png'))
    for (const name of images) fs.copyFileSync(path.join(folder, 'assets', name), path.join(work, name))
    fs.copyFileSync(path.join(folder, 'filesystem/platformer_bvh.t3dm'), path.join(work, 'platformer_bvh.t3dm'))
    await state(() => {
      delete document.querySelector('.view').dataset.milliseconds
      addEventListener('drop', () => (window.dropped = performance.now()), true)
      new MutationObserver(() => { if (document.querySelector('.view').dataset.milliseconds) window.pictured ??= performance.now() }).observe(document.querySelector('.view'), { attributes: true, attributeFilter: ['data-milliseconds'] })
    })
    await person.drop('platformer_bvh.t3dm', ...images)
    await person.settle()
    const first = await state(() => window.pictured - window.dropped)
    const frames = await person.tab.evaluate(async (rounds) => {
      const { viewer, state: s } = window.trilobite
      const medians = []
      for (const options of [{ look: 'n64', size: '320x240' }, { look: 'tv', size: '640x480' }, { look: 'clean', size: '640x480', samples: 1 }]) {
        const times = []
        for (let i = 0; i < rounds; i++) times.push((await viewer.call('draw', { key: s.key, options: { ...options, azimuth: (360 * i) / rounds } })).milliseconds)
        medians.push(`${options.look} ${options.size} ${times.sort((a, b) => a - b)[rounds / 2].toFixed(1)} ms`)
      }
      return medians
    }, full ? 24 : 4)
    console.log(`platformer_bvh.t3dm, ${kind}: first picture ${first.toFixed(0)} ms after the drop; a frame: ${frames.join(', ')}`)
    assert.ok(first > 0)
  })
}

export async function testFeatures() {
  // In Chromium the page is open already.
  kind === 'chrome' ? await person.tab.setViewport({ width: 1100, height: 480 }) : await person.visit(address)
  await opens()
  await opensProjects()
  await comparesProjects()
  await changesModels()
  await hands()
  await explains()
  await frames()
  await plays()
  await saves()
  await measures()
}
