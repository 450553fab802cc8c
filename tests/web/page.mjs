// page.mjs PROGRAM MASCOT WASM CORPUS chrome|firefox: the page in a browser, used as people use it. Its pictures must have
// the pixels, and its files the bytes, of the program.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { address, corpus, decodePng, finish, kind, modules, page, person, run, select, sleep, test, work } from './person.mjs'

async function everything() {
  await test('an empty page says what to do', async () => {
    await person.visit(address)
    assert.match(await person.tab.$eval('h1', (e) => e.textContent), /Drop a model/)
  })

  await test('each kind of file is drawn as the program draws it', async () => {
    for (const names of [['walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite'], ['mascot.nlm'], ['frames.model'], ['text.gltf', ...fs.readdirSync(work).filter((n) => /^text.*\.(bin|png)$/.test(n))]]) {
      await person.drop(...names)
      if (!/t3dm|model/.test(names[0])) await person.tab.keyboard.press('c')
      await person.samePicture(names[0])
      if (!/t3dm|model/.test(names[0])) await person.tab.keyboard.press('c')
    }
  })

  await test('looks, overlays and the camera', async () => {
    await person.drop('walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite')
    await person.samePicture('walk.t3dm')
    await person.tab.click('[data-look=tv]')
    assert.equal((await person.samePicture('walk.t3dm')).look, 'tv')
    await person.tab.click('[data-look=clean]')
    assert.equal((await person.samePicture('walk.t3dm')).look, 'clean')
    await person.tab.click('[data-look=n64]')
    await person.tab.focus(select('viewport'))
    for (const key of ['ArrowLeft', 'ArrowUp', '+', 'w', 'b', 'p']) await person.tab.keyboard.press(key)
    const options = await person.samePicture('walk.t3dm')
    assert.ok(options.wireframe && options.bones && options.parts)
    for (const key of ['w', 'b', 'p', 'a']) await person.tab.keyboard.press(key)
  })

  await test('what a game sets', async () => {
    const settings = { near: '3', far: '900', modelScale: '0.5', exposure: '1.5', lightingMode: 'add', antialias: 'off', dither: 'bayer', colorDepth: '32', mipmaps: 'off', pointLight: '0, 60, 60, 40' }
    const plain = await person.samePicture('walk.t3dm')
    const change = (values) => person.tab.evaluate((list) => {
      for (const [key, value] of Object.entries(list)) {
        const control = document.querySelector(`[data-test=game-${key}]`)
        control.value = value
        control.dispatchEvent(new Event('change', { bubbles: true }))
      }
    }, values)
    await person.tab.click(select('scene'))
    await person.tab.waitForSelector(select('game-near'))
    await change(settings)
    const { light, ...options } = await person.samePicture('walk.t3dm')
    const { pointLight, ...others } = settings
    assert.deepEqual(light, ['point,0,60,60,40'])
    for (const [key, value] of Object.entries(others)) assert.equal(String(options[key]), value, key)
    await change({ ...Object.fromEntries(Object.keys(settings).map((key) => [key, ''])), exposure: '-1', pointLight: 'near the door' })
    assert.deepEqual(await person.samePicture('walk.t3dm'), plain)
    await person.tab.keyboard.press('Escape')
  })

  await test('clips: choose, step, scrub, play', async () => {
    await person.tab.keyboard.press('1')
    await person.tab.keyboard.press('.')
    await person.tab.keyboard.press('.')
    assert.equal((await person.samePicture('walk.t3dm')).time, 2 / 60)
    await person.tab.keyboard.press(',')
    assert.equal((await person.samePicture('walk.t3dm')).time, 1 / 60)
    await person.tab.$eval(select('scrubber'), (range) => { range.value = '0.5'; range.dispatchEvent(new Event('input')) })
    assert.equal((await person.samePicture('walk.t3dm')).time, 0.5)
    await person.tab.click(select('play'))
    await sleep(400)
    await person.tab.click(select('play'))
    const { time } = await person.samePicture('walk.t3dm')
    assert.notEqual(time, 0.5)
  })

  await test('a click selects what is under it, and tells about the pixel', async () => {
    const box = await (await person.tab.$(select('viewport'))).boundingBox()
    await person.tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await person.tab.waitForSelector(select('probe'))
    assert.match(await person.text('inspector'), /body|eyes/)
    await person.tab.click('[data-test=material-0]')
    assert.match(await person.text('combiner'), /TEX0/)
    await person.tab.keyboard.press('Escape')
  })

  await test('what is saved has the bytes of the program', async () => {
    const glb = await person.save('save-glb')
    run(['convert', '-q', 'walk.t3dm', 'expected.glb'])
    assert.ok(glb.equals(fs.readFileSync(path.join(work, 'expected.glb'))))
    const optimized = await person.save('save-optimized')
    run(['optimize', '-q', 'walk.t3dm', 'expected.t3dm'])
    assert.ok(optimized.includes(fs.readFileSync(path.join(work, 'expected.t3dm'))), 'the .zip has the model')
    const png = await decodePng(new Uint8Array(await person.save('save-png')))
    assert.ok(png.width > 100)
  })

  await test('a source is compared with what the console gets', async () => {
    await person.drop('mascot.glb')
    await person.samePicture('mascot.glb')
    run(['convert', '-q', '--sprites', 'mascot.glb', 'mascot.t3dm'])
    await person.samePicture('mascot.t3dm', 'console', 'consoleCommand')
    const zip = await person.save('save-t3dm')
    assert.ok(zip.includes(fs.readFileSync(path.join(work, 'mascot.t3dm'))))
  })

  await test('a broken file shows the findings of the program, and the page stays alive', async () => {
    await person.drop('half.t3dm')
    await person.tab.waitForSelector(select('broken'))
    await person.tab.click(select('verdict'))
    const codes = await person.tab.$$eval('.finding', (all) => all.map((f) => f.dataset.code))
    const native = JSON.parse(run(['check', '--json', 'half.t3dm']).stdout).files[0].findings.map((f) => f.code)
    assert.deepEqual([...new Set(codes)].sort(), [...new Set(native)].sort())
    await person.tab.click('.finding button')
    await person.tab.waitForFunction(() => /Cause:/.test(document.querySelector('.finding').textContent))
    await person.drop('mascot.nlm')
    await person.settle()
    assert.equal(await person.tab.$(select('broken')), null)
  })

  await test('several models become a wall of thumbnails', async () => {
    await person.drop('mascot.nlm')
    await person.transfer('walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite', 'frames.model', 'half.t3dm')
    await person.tab.waitForFunction(() => document.querySelectorAll('.card').length === 3 && [...document.querySelectorAll('.card')].every((card) => !/…/.test(card.textContent)), { timeout: 30000 })
    const cards = await person.tab.$$eval('.card', (all) => all.map((card) => card.textContent))
    assert.match(cards[1], /half.*problem/)
    assert.match(cards[2], /walk\.t3dm.*tris.*µs.*Ready/)
    await (await person.tab.$$('.card'))[2].click()
    await person.tab.waitForFunction(() => window.trilobite.current()?.studied, { timeout: 30000 })
    await person.samePicture('walk.t3dm')
  })

  await test('nothing can be fetched', async () => {
    const refused = await person.tab.evaluate(() => new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
      fetch('http://localhost:9/').catch(() => setTimeout(() => resolve('no event'), 1000))
    }))
    assert.equal(refused, 'connect-src')
  })

  await test('a page with a model inside opens it', async () => {
    const base64 = fs.readFileSync(path.join(work, 'mascot.nlm')).toString('base64')
    const data = `<script type="application/json" id="trilobite-files">${JSON.stringify({ open: 'mascot.nlm', files: [{ name: 'mascot.nlm', base64 }] })}</script>`
    const html = fs.readFileSync(page, 'utf8')
    assert.equal(html.split('<!--trilobite:data-->').length, 2)
    fs.writeFileSync(path.join(work, 'inside.html'), html.replace('<!--trilobite:data-->', () => data))
    await person.visit(pathToFileURL(path.join(work, 'inside.html')).href, [390, 844])
    await person.tab.waitForFunction(() => window.trilobite.current()?.studied, { timeout: 30000 })
    assert.equal(await person.text('name'), 'mascot.nlm')
    assert.equal(await person.tab.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing is wider than the screen')
    await person.tab.evaluate(() => { window.trilobite.state.turning = window.trilobite.state.playing = false })
    await person.tab.evaluate(() => (window.saved = []))
    await person.tab.click(select('share'))
    await person.tab.click(select('save-html'))
    await person.tab.waitForFunction(() => window.saved.length > 0, { timeout: 30000 })
    const again = await person.tab.evaluate(() => window.saved[0].text())
    assert.ok(again.includes('"open":"mascot.nlm"'))
    fs.writeFileSync(path.join(work, 'again.html'), again)
    await person.visit(pathToFileURL(path.join(work, 'again.html')).href)
    await person.tab.waitForFunction(() => window.trilobite.current()?.drawable, { timeout: 30000 })
  })
}

// What `trilobite view` serves.
async function followsChanges() {
  let version = 1
  let model = fs.readFileSync(path.join(work, 'mascot.nlm'))
  const listeners = []
  const html = fs.readFileSync(page, 'utf8').replace('<!--trilobite:data-->', () => '<script type="application/json" id="trilobite-view">{"files":"files.json","events":"events"}</script>')
  const server = http.createServer((request, response) => {
    if (request.url === '/t/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    if (request.url === '/t/files.json') return response.end(JSON.stringify({ version, models: [{ name: 'mascot.nlm', files: [{ name: 'mascot.nlm', url: 'f/0/mascot.nlm' }] }] }))
    if (request.url === '/t/f/0/mascot.nlm') return response.end(model)
    if (request.url !== '/t/events') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    listeners.push(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const change = (bytes) => {
    model = bytes
    version++
    for (const listener of listeners) listener.write(`data: {"version":${version}}\n\n`)
  }
  await test('under view the page follows the file', async () => {
    await person.visit(`http://127.0.0.1:${server.address().port}/t/`)
    await person.tab.waitForFunction(() => window.trilobite.current()?.studied, { timeout: 30000 })
    await person.tab.keyboard.press('c')
    await person.tab.keyboard.press('1')
    await person.tab.keyboard.press('.')
    await person.tab.keyboard.press('ArrowLeft')
    const before = await person.samePicture('mascot.nlm')
    change(model.subarray(0, 3000))
    await person.tab.waitForFunction(() => /last good picture/.test(document.querySelector('[data-test=toast]')?.textContent), { timeout: 10000 })
    assert.match(await person.text('findings'), /NLM-TRUNCATED/)
    run(['convert', '-q', '--drop-textures', 'mascot.nlm', 'plain.nlm'])
    change(fs.readFileSync(path.join(work, 'plain.nlm')))
    await person.tab.waitForFunction(() => window.trilobite.current()?.info.counts.textures === 0, { timeout: 10000 })
    const after = await person.samePicture('plain.nlm')
    assert.deepEqual([after.camera, after.clip, after.time], [before.camera, before.clip, before.time])
  })
  for (const listener of listeners) listener.destroy()
  server.close()
}

// A model on a server, by its address.
async function opensAddresses() {
  const server = http.createServer((request, response) => {
    const name = path.basename(request.url)
    if (request.url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(fs.readFileSync(page))
    if (!fs.existsSync(path.join(work, name))) return response.writeHead(404).end()
    response.end(fs.readFileSync(path.join(work, name)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  await test('a hosted model with its companions', async () => {
    await person.visit(`http://127.0.0.1:${server.address().port}/#url=models/walk.t3dm`)
    await person.tab.waitForFunction(() => window.trilobite.current()?.studied, { timeout: 30000 })
    assert.equal(await person.text('verdict'), 'Ready for the console')
    await person.tab.keyboard.press('1')
    await person.tab.keyboard.press('.')
    await person.samePicture('walk.t3dm')
  })
  server.close()
}

// A browser's decoder of JPEG files is not ours: the picture may differ by 2 of 255.
async function decodesJpeg() {
  const folder = path.join(corpus, 'gltf')
  const model = fs.existsSync(folder) && fs.readdirSync(folder, { recursive: true }).find((name) => /(Duck|BoxTextured|CesiumMan|Avocado)[^/]*\.glb$/.test(name) && fs.readFileSync(path.join(folder, name)).includes('image/jpeg'))
  if (!model) return console.log('skip JPEG: there is no model with one in the corpus')
  await test('a JPEG texture', async () => {
    fs.copyFileSync(path.join(folder, model), path.join(work, 'jpeg.glb'))
    await person.visit(address)
    await person.drop('jpeg.glb')
    await person.tab.keyboard.press('c')
    await person.tab.click('[data-look=clean]')
    await person.samePicture('jpeg.glb', 'source', 'command', 2)
  })
}

// For everybody: no serious findings of axe, and everything in reach of the keyboard.
async function accessible() {
  const axe = path.join(modules, 'axe-core/axe.min.js')
  if (!fs.existsSync(axe)) return console.log('skip axe-core: it is not installed')
  for (const [size, theme] of [[[1440, 900], 'light'], [[390, 844], 'dark']])
    await test(`axe-core, ${size.join('x')}, ${theme}`, async () => {
      await person.visit(address, size, theme)
      const check = async () => {
        await person.tab.evaluate(fs.readFileSync(axe, 'utf8'))
        const { violations } = await person.tab.evaluate(() => window.axe.run())
        assert.deepEqual(violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html}`), [])
      }
      await check()
      await person.drop('mascot.glb')
      for (const tab of ['inspect', 'findings', 'cost', 'textures', 'bytes']) {
        await person.tab.click(size[0] > 999 ? `[data-tab=${tab}]` : `[data-sheet=${tab}]`)
        await sleep(150)
        await check()
      }
    })
  await test('the keyboard reaches everything in order', async () => {
    await person.visit(address)
    await person.drop('walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite')
    await person.tab.keyboard.press('1')
    await person.tab.evaluate(() => document.activeElement.blur())
    const seen = []
    for (let i = 0; i < 60; i++) {
      await person.tab.keyboard.press('Tab')
      const now = await person.tab.evaluate(() => document.activeElement.dataset.test ?? document.activeElement.dataset.tool ?? document.activeElement.dataset.look ?? document.activeElement.dataset.tab ?? '')
      seen.push(now)
      if (now === 'smooth') break
    }
    for (const name of ['open', 'save', 'share', 'help', 'mesh-0', 'viewport', 'n64', 'wireframe', 'inspect', 'clips', 'play', 'scrubber', 'speed']) assert.ok(seen.includes(name), `${name} is out of reach: ${seen}`)
  })
}

await everything()
await followsChanges()
await opensAddresses()
await decodesJpeg()
if (kind === 'chrome') await accessible()
await finish()
