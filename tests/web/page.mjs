// page.mjs: the page in a browser, used as people use it. Its pictures must have the pixels, and its files the bytes, of the
// program. browser.mjs runs it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { address, corpus, decodePng, kind, modules, page, person, run, select, test, work } from './person.mjs'

const WALK = ['walk.t3dm', 'walk.0.sdata', 'trilobite.ci4.sprite']
const full = process.env.TRILOBITE_TESTS === 'full'
const studied = () => person.tab.waitForFunction(() => window.trilobite.current()?.studied)

// A server on this machine; `answer` gives text or bytes for a path, or null.
async function serve(answer) {
  const server = http.createServer((request, response) => {
    const body = answer(request.url)
    const headers = { 'access-control-allow-origin': '*', ...(request.url === '/' ? { 'content-type': 'text/html' } : {}) }
    body === null ? response.writeHead(404).end() : response.writeHead(200, headers).end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

// A server that would answer is not even asked.
async function fetchesNothing() {
  let asked = 0
  const server = await serve(() => (asked++, 'everything'))
  const refused = await person.tab.evaluate((url) => new Promise((resolve) => {
    addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true })
    fetch(url).then(() => resolve('answered'), () => setTimeout(() => resolve('no event'), 60000))
  }), `http://127.0.0.1:${server.address().port}/`)
  server.close()
  assert.deepEqual([refused, asked], ['connect-src', 0])
}

async function everything() {
  await test('an empty page says what to do', async () => {
    await person.visit(address)
    assert.match(await person.tab.$eval('h1', (e) => e.textContent), /Drop a model/)
    await person.tab.evaluate(() => (window.trilobite.pick.click = () => (window.asked = true)))
    await person.tab.keyboard.press('o')
    assert.ok(await person.tab.evaluate(() => window.asked), 'O asks for files')
    await person.tab.click(select('mascot'))
    await studied()
    assert.equal(await person.text('name'), 'trilobite.glb')
    await (await person.tab.$(select('pick'))).uploadFile(path.join(work, 'mascot.nlm'))
    await person.tab.waitForFunction(() => window.trilobite.current()?.name === 'mascot.nlm' && window.trilobite.current().studied)
  })

  await test('each kind of file is drawn as the program draws it', async () => {
    for (const names of [WALK, ['mascot.nlm'], ['frames.model'], ['text.gltf', ...fs.readdirSync(work).filter((n) => /^text.*\.(bin|png)$/.test(n))]]) {
      await person.drop(...names)
      if (!/t3dm|model/.test(names[0])) await person.tab.keyboard.press('c')
      await person.samePicture(names[0])
      if (!/t3dm|model/.test(names[0])) await person.tab.keyboard.press('c')
    }
  })

  await test('what a screen reader says', async () => {
    await person.drop(...WALK)
    const said = await person.tab.$eval(select('viewport'), (e) => e.ariaLabel)
    const { triangles } = JSON.parse(run(['info', '--json', 'walk.t3dm']).stdout).files[0].counts
    assert.equal(said, `Picture of the model. walk.t3dm: ${triangles} triangles, 2 objects, 1 clip. Ready for the console`)
    assert.ok(said.endsWith(await person.tab.$eval('[role=status]', (e) => e.textContent)), 'it is announced')
    await person.tab.keyboard.press('1')
    assert.match(await person.tab.$eval(select('scrubber'), (e) => e.getAttribute('aria-valuetext')), /^0\.00 of .* seconds, frame 0$/)
    await person.tab.evaluate(() => window.trilobite.timeline.choose(null))
  })

  await test('looks, overlays and the camera', async () => {
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
    await person.tab.waitForFunction(() => {
      const { keyTimes, marks } = window.trilobite.timeline
      return keyTimes.length > 1 && new Uint32Array(marks.getContext('2d').getImageData(0, 0, marks.width, marks.height).data.buffer).some((pixel) => pixel)
    }) // the marks of the keys
    await person.tab.keyboard.press('.')
    await person.tab.keyboard.press('.')
    assert.equal((await person.samePicture('walk.t3dm')).time, 2 / 60)
    const drawn = await person.tab.evaluate(async () => {
      const { dataset } = window.trilobite.viewport.element
      const before = dataset.drawn
      for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame)
      return [before, dataset.drawn]
    })
    assert.equal(...drawn, 'nothing is drawn while nothing changes')
    await person.tab.keyboard.press(',')
    assert.equal((await person.samePicture('walk.t3dm')).time, 1 / 60)
    await person.tab.$eval(select('scrubber'), (range) => { range.value = '0.5'; range.dispatchEvent(new Event('input')) })
    assert.equal((await person.samePicture('walk.t3dm')).time, 0.5)
    await person.tab.click(select('play'))
    await person.tab.waitForFunction(() => window.trilobite.state.time !== 0.5)
    await person.tab.click(select('play'))
    const { time } = await person.samePicture('walk.t3dm')
    assert.notEqual(time, 0.5)
  })

  await test('a click selects what is under it, and tells about the pixel', async () => {
    await person.tab.mouse.click(...(await person.aim()))
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
    await person.tab.waitForFunction(() => /Cause:.*Fix:/.test(document.querySelector('.finding').textContent)) // of the first, without a click
    await person.tab.click(select('show-bytes'))
    await person.tab.waitForSelector('.hex .on')
    const bytes = fs.readFileSync(path.join(work, 'half.t3dm')), { offset } = JSON.parse(run(['check', '--json', 'half.t3dm']).stdout).files[0].findings[0]
    assert.deepEqual(await person.tab.$$eval('.hex .on', (all) => all.map((cell) => [Number(cell.dataset.at), parseInt(cell.textContent, 16)])), [[offset, bytes[offset]]])
    await person.drop('mascot.nlm')
    await person.settle()
    assert.equal(await person.tab.$(select('broken')), null)
  })

  await test('several models become a wall of thumbnails', async () => {
    await person.transfer(...WALK, 'frames.model', 'half.t3dm')
    await person.tab.waitForFunction(() => document.querySelectorAll('.card').length === 3 && [...document.querySelectorAll('.card')].every((card) => !/…/.test(card.textContent)))
    const cards = await person.tab.$$eval('.card', (all) => all.map((card) => card.textContent))
    assert.match(cards[0], /frames\.model886 tris(?!.*µs)/, 'what has no time is not said to take none')
    assert.match(cards[1], /half.*problem/)
    assert.match(cards[2], /walk\.t3dm.*tris.*µs.*Ready/)
    await person.tab.setViewport({ width: 390, height: 320 }) // more than there is room for
    const cut = await person.tab.$$eval('.card', (all) => all.filter((card) => card.lastElementChild.getBoundingClientRect().bottom > card.getBoundingClientRect().bottom).length)
    assert.equal(cut, 0, 'no card is squeezed')
    await person.tab.setViewport({ width: 1100, height: 480 })
    await (await person.tab.$$('.card'))[2].click()
    await person.tab.waitForFunction(() => window.trilobite.current()?.studied)
    await person.samePicture('walk.t3dm')
  })

  await test('nothing can be fetched', fetchesNothing)

  await test('a JPEG texture', decodesJpeg)

  await test('a page with a model inside opens it, and makes another', async () => {
    const made = run(['page', '-q', 'mascot.nlm', '--template', path.resolve(page), '-o', 'inside.html'])
    assert.equal(made.status, 0, made.stderr)
    await person.visit(pathToFileURL(path.join(work, 'inside.html')).href, [390, 844], 'dark', () => {
      window.covers = new Set()
      new MutationObserver(() => document.querySelector('.empty') && window.covers.add(document.querySelector('.empty').textContent)).observe(document, { childList: true, subtree: true })
    })
    await studied()
    assert.deepEqual(await person.tab.evaluate(() => [...window.covers]), ['Opening…'], 'it does not ask for a model meanwhile')
    assert.equal(await person.text('name'), 'mascot.nlm')
    assert.equal(await person.tab.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing is wider than the screen')
    const turns = () => person.tab.evaluate(() => [window.trilobite.state.turning, window.trilobite.state.playing])
    assert.deepEqual(await turns(), Array(2).fill(kind !== 'chrome'), 'it turns, unless somebody wants no motion')
    if (kind !== 'chrome') for (const key of ['t', ' ']) await person.tab.keyboard.press(key)
    await person.tab.click(select('compare'))
    await person.tab.waitForSelector('canvas.console:not(.hidden)')
    const on = await person.tab.$eval(select('compare'), (button) => { const { left, top, width, height } = button.getBoundingClientRect(); return [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(left + part * width, top + height / 2) === button) })
    assert.deepEqual(on, [true, true, true], 'the splitter is not over the button')
    await person.tab.click(select('compare'))
    await fetchesNothing()
    await person.tab.evaluate(() => (window.saved = []))
    await person.tab.click(select('share'))
    await person.tab.click(select('save-html'))
    await person.tab.waitForFunction(() => window.saved.length > 0)
    // Where it differs from the page of the program.
    const differs = await person.tab.evaluate(async (before) => {
      const parsed = (text) => new DOMParser().parseFromString(text, 'text/html').documentElement.outerHTML.replace(/\s+/g, '')
      const [a, b] = [parsed(before), parsed(await window.saved[0].text())]
      for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return [a, b].map((text) => text.slice(i - 40, i + 40))
      return null
    }, fs.readFileSync(path.join(work, 'inside.html'), 'utf8'))
    assert.equal(differs, null)
  })
}

// `trilobite view` with the page that is built into the program: what is saved on disk is seen without a reload, from the
// same camera and at the same time.
async function followsChanges() {
  const made = run(['page', '-q', 'mascot.nlm', '-o', 'built-in.html'])
  if (made.status === 5) return console.log(`skip view: ${made.stderr.trim()}`)
  const hero = path.join(work, 'hero.nlm'), good = fs.readFileSync(path.join(work, 'mascot.nlm'))
  fs.writeFileSync(hero, good)
  const save = (bytes) => {
    fs.writeFileSync(`${hero}.new`, bytes)
    fs.renameSync(`${hero}.new`, hero)
  }
  const viewer = spawn(run.program, ['view', '--no-browser', 'hero.nlm'], { cwd: work })
  const ended = new Promise((resolve) => viewer.once('exit', resolve))
  const where = await Promise.race([new Promise((resolve) => viewer.stdout.once('data', (text) => resolve(String(text).trim()))), ended])
  if (where === 5) return console.log('skip view: this program has none')
  await test('under view the page follows the file', async () => {
    await person.visit(where)
    await studied()
    for (const key of ['c', '1', '.', 'ArrowLeft']) await person.tab.keyboard.press(key)
    await person.tab.evaluate(() => (window.stays = true))
    const before = await person.samePicture('hero.nlm')
    run(['convert', '-q', '--drop-textures', 'mascot.nlm', 'plain.nlm'])
    const textures = (count) => person.tab.waitForFunction((n) => window.trilobite.current()?.info?.counts.textures === n, {}, count)
    const start = Date.now()
    save(fs.readFileSync(path.join(work, 'plain.nlm')))
    await textures(0)
    console.log(`a saved file was seen after ${Date.now() - start} ms`)
    const after = await person.samePicture('plain.nlm')
    assert.deepEqual([after.camera, after.clip, after.time], [before.camera, before.clip, before.time])
    save(good.subarray(0, 3000))
    await person.hears(/last good picture/)
    assert.match(await person.text('findings'), /NLM-TRUNCATED/)
    await person.samePicture('plain.nlm')
    save(good)
    await textures(2)
    assert.deepEqual(await person.samePicture('hero.nlm'), before)
    assert.ok(await person.tab.evaluate(() => window.stays), 'the page was not loaded again')
    await fetchesNothing()
  })
  viewer.kill('SIGINT')
  assert.equal(await ended, 0, 'view ends cleanly')
}

// A model on a server, by its address.
async function opensAddresses() {
  const server = await serve((url) => {
    const file = url === '/' ? page : path.join(work, path.basename(url))
    return fs.existsSync(file) ? fs.readFileSync(file) : null
  })
  await test('a hosted model with its companions, a link to it, and the command that draws the picture', async () => {
    const link = `http://127.0.0.1:${server.address().port}/#url=models/walk.t3dm`
    await person.visit(link)
    await studied()
    assert.equal(await person.text('verdict'), 'Ready for the console')
    for (const key of ['1', '.']) await person.tab.keyboard.press(key)
    await person.samePicture('walk.t3dm')
    await person.tab.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => (window.copied = text) } }))
    const copied = async (button) => {
      await person.tab.click(select('share'))
      await person.tab.click(select(button))
      await person.tab.waitForFunction(() => window.copied)
      return person.tab.evaluate(() => { const text = window.copied; window.copied = null; return text })
    }
    assert.equal(await copied('copy-link'), link)
    const command = await copied('copy-command')
    assert.match(command, /^trilobite render walk\.t3dm /)
    const native = spawnSync('sh', ['-c', command.replace(/^trilobite/, run.program)], { cwd: work, encoding: 'utf8' })
    assert.equal(native.status, 0, native.stderr)
    const expected = await decodePng(new Uint8Array(fs.readFileSync(path.join(work, 'walk.png'))))
    const size = await person.tab.$eval('canvas.source', (canvas) => `${canvas.width}x${canvas.height}`)
    assert.equal(`${expected.width}x${expected.height}`, size)
    await fetchesNothing()
  })
  server.close()
}

// A browser's decoder of JPEG files is not ours: the picture may differ by 2 of 255.
async function decodesJpeg() {
  const folder = path.join(corpus, 'gltf')
  const size = (name) => fs.statSync(path.join(folder, name)).size
  const models = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).filter((name) => /(Duck|BoxTextured|CesiumMan|Avocado)[^/]*\.glb$/.test(name)) : []
  const model = models.sort((a, b) => size(a) - size(b)).find((name) => fs.readFileSync(path.join(folder, name)).includes('image/jpeg'))
  if (!model) return console.log('skip JPEG: there is no model with one in the corpus')
  fs.copyFileSync(path.join(folder, model), path.join(work, 'jpeg.glb'))
  await person.drop('jpeg.glb')
  await person.tab.click('[data-look=clean]')
  await person.samePicture('jpeg.glb', 'source', 'command', 2)
  await person.tab.click('[data-look=n64]')
}

// For everybody: nothing jumps, no serious findings of axe, and everything in reach of the keyboard. Only Chromium knows
// what jumped.
async function accessible() {
  const axe = path.join(modules, 'axe-core/axe.min.js')
  if (!fs.existsSync(axe)) return console.log('skip axe-core: it is not installed')
  const check = async (part = 'html') => {
    const { violations } = await person.tab.evaluate((context) => window.axe.run(context, { resultTypes: ['violations'] }), part)
    const small = await person.tab.evaluate((context) => [...document.querySelectorAll(`${context} *`)].filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 13).map((e) => e.outerHTML.slice(0, 80)), part === 'html' ? 'body' : part)
    assert.deepEqual(small, [], 'text of less than 13 pixels')
    assert.deepEqual(violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html}`), [])
  }
  for (const [size, theme] of [[[390, 844], 'dark'], [[1440, 900], 'light']]) {
    const wide = size[0] > 999
    await test(`nothing jumps when a model is opened, ${size.join('x')}`, async () => {
      await person.visit(address, size, theme)
      await person.tab.evaluate(fs.readFileSync(axe, 'utf8'))
      await check()
      await person.tab.evaluate(() => {
        window.jumped = []
        // The picture itself takes the place of the invitation.
        new PerformanceObserver((list) => window.jumped.push(...list.getEntries().flatMap((entry) => entry.sources.filter(({ node }) => node && !node.closest?.('.view')).map(({ node, previousRect: a, currentRect: b }) => `${node.className || node.tagName}: ${[a, b].map((r) => [r.x, r.y, r.width, r.height].join(' '))}`)))).observe({ type: 'layout-shift', buffered: true })
      })
      await person.drop('mascot.glb')
      await person.settle()
      await person.tab.keyboard.press('1')
      await person.settle()
      await person.tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      assert.deepEqual(await person.tab.evaluate(() => window.jumped), [])
    })
    await test(`axe-core, ${size.join('x')}, ${theme}`, async () => {
      await check()
      // Each panel at one size and each menu at the other, unless all is tested.
      for (const tab of wide || full ? ['findings', 'cost', 'textures', 'bytes', 'inspect'] : []) {
        await person.tab.click(wide ? `[data-tab=${tab}]` : `[data-sheet=${tab}]`)
        await person.tab.waitForFunction((name) => document.querySelector('.panel').dataset.tab === name && !/…/.test(document.querySelector('.panel').textContent), {}, tab)
        await check('.right')
      }
      for (const menu of !wide ? ['save', 'share', 'scene'] : full ? ['save', 'share', 'scene', 'help'] : ['help']) {
        if (!wide) await person.tab.evaluate(() => window.trilobite.openSheet(null))
        await person.tab.click(select(menu))
        await check('.popover')
        await person.tab.keyboard.press('Escape')
      }
    })
    if (wide) await test('the keyboard reaches everything in order', reachesAll)
  }
}

async function reachesAll() {
  await person.drop(...WALK)
  await person.tab.keyboard.press('1')
  await person.tab.focus(select('verdict'))
  const seen = ['verdict']
  for (let i = 0; i < 60; i++) {
    await person.tab.keyboard.press('Tab')
    const now = await person.tab.evaluate(() => document.activeElement.dataset.test ?? document.activeElement.dataset.tool ?? document.activeElement.dataset.look ?? document.activeElement.dataset.tab ?? '')
    seen.push(now)
    if (now === 'smooth') break
  }
  const expected = ['verdict', 'open', 'save', 'share', 'help', 'mesh-0', 'viewport', 'n64', 'wireframe', 'inspect', 'clips', 'play', 'scrubber', 'speed']
  assert.deepEqual([...new Set(seen)].filter((name) => expected.includes(name)), expected, 'all of them, in reading order')
}

export async function testPage() {
  await everything()
  await followsChanges()
  await opensAddresses()
  if (kind === 'chrome') await accessible()
}
