// person.mjs: somebody who uses the page in a browser, and what the tests of the page share.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

export const [program, mascotProgram, wasm, corpus, kind] = process.argv.slice(2)
export const page = path.join(path.dirname(wasm), 'trilobite.html')
export const modules = process.env.TRILOBITE_NODE_MODULES ?? path.resolve(path.dirname(wasm), '..', 'node_modules')
const PATIENCE = 180000 // milliseconds: no test fails because the machine is busy
const BROWSERS = { chrome: '/usr/bin/chromium', firefox: '/usr/bin/firefox-esr' }

function skip(why) {
  console.log(`skip the page: ${why}`)
  process.exit(77)
}
if (!fs.existsSync(page)) skip('there is no trilobite.html, make web builds it')
if (!fs.existsSync(BROWSERS[kind])) skip(`there is no ${BROWSERS[kind]}, tools/setup.sh web installs it`)
if (!fs.existsSync(path.join(modules, 'puppeteer-core'))) skip(`puppeteer-core is not in ${modules}, tools/setup.sh web installs it`)
const { default: puppeteer } = await import(pathToFileURL(path.join(modules, 'puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')))
export const { decodePng } = await import('../../web/core/png.mjs')

export const work = fs.mkdtempSync(path.join(process.cwd(), 'page-'))
export const run = (args, folder = work) => spawnSync(path.resolve(program), args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
run.program = path.resolve(program)
export const words = (options) => Object.entries(options).flatMap(([name, value]) => {
  const option = `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
  return value === true ? [option] : value === false ? [] : [value].flat().flatMap((one) => [option, String(one)])
})
export const select = (test) => `[data-test=${test}]`

for (const name of ['mascot.nlm', 'mascot.glb']) spawnSync(path.resolve(mascotProgram), [name], { cwd: work })
run(['convert', 'mascot.glb', 'walk.t3dm', '--sprites', '-q'])
run(['convert', 'mascot.glb', 'frames.model', '--max-frame-vertices', 'any', '-q'])
run(['convert', 'mascot.glb', 'text.gltf', '--external-images', '-q'])
fs.writeFileSync(path.join(work, 'half.t3dm'), fs.readFileSync(path.join(work, 'walk.t3dm')).subarray(0, 4000))

export class Person {
  static async start(kind, executablePath) {
    const self = new Person()
    const chromium = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
    self.kind = kind
    self.browser = await puppeteer.launch({ browser: kind, executablePath, headless: true, timeout: PATIENCE, protocolTimeout: PATIENCE, protocol: kind === 'firefox' ? 'webDriverBiDi' : 'cdp', args: kind === 'firefox' ? [] : chromium, ...(kind === 'firefox' ? { extraPrefsFirefox: { 'app.update.enabled': false, 'browser.safebrowsing.downloads.enabled': false } } : {}) })
    self.errors = []
    return self
  }

  // Small pictures by default: drawing them, twice, is most of what a test does.
  async visit(url, size = [1100, 480], theme = 'dark', first = null) {
    await this.tab?.close()
    this.tab = await this.browser.newPage()
    this.tab.setDefaultTimeout(PATIENCE)
    this.tab.on('pageerror', (error) => /Content-Security-Policy/.test(error.message) || this.errors.push(error.message)) // Firefox calls these errors too
    await this.tab.setViewport({ width: size[0], height: size[1] })
    if (this.kind === 'chrome') await this.tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: 'reduce' }])
    if (first) await this.tab.evaluateOnNewDocument(first)
    await this.tab.goto(url)
    await this.tab.waitForSelector('.view')
    // Keeps what is saved.
    await this.tab.evaluate(() => {
      window.saved = []
      const make = URL.createObjectURL
      URL.createObjectURL = (blob) => (window.saved.push(blob), make.call(URL, blob))
      HTMLAnchorElement.prototype.click = function () { window.savedName = this.download }
    })
  }

  // Until nothing has been drawn, and nothing moved, for a moment.
  async settle() {
    const rests = await this.tab.evaluate(async (patience) => {
      const { viewport } = window.trilobite
      const end = Date.now() + patience
      for (let quiet = 0; quiet < 2; ) {
        if (Date.now() > end) return false
        await new Promise((resolve) => setTimeout(resolve, 10))
        quiet = Number(viewport.element.dataset.drawn ?? 0) > 0 && !viewport.busy && !viewport.wanted && !viewport.flight && viewport.moving === 0 ? quiet + 1 : 0
      }
      return true
    }, PATIENCE / 2)
    assert.ok(rests, 'the picture does not come to rest')
  }

  // Files fall onto the page as from a desktop.
  async drop(...names) {
    const before = await this.tab.evaluate(() => window.trilobite.state.key)
    await this.transfer(...names)
    await this.tab.waitForFunction((name, old) => { const model = window.trilobite.current(); return model?.name === name && model.key !== old && model.studied }, {}, names[0], before)
  }

  async transfer(...names) {
    const files = names.map((name) => ({ name, base64: fs.readFileSync(path.join(work, name)).toString('base64') }))
    await this.tab.evaluate((list) => {
      const transfer = new DataTransfer()
      for (const { name, base64 } of list) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name))
      document.querySelector('.view').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }))
    }, files)
  }

  // Where the middle of the model is on the screen: the tools below are left out of its frame.
  aim() {
    return this.tab.$eval(select('viewport'), (element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return [left + width / 2, top + (0.5 - window.trilobite.viewport.camera.shift) * height]
    })
  }

  // What a failure may come from.
  circumstances() {
    return this.tab.evaluate(() => {
      const { state, viewport } = window.trilobite
      const { models, ...rest } = state
      return { message: document.querySelector('[data-test=toast]')?.textContent, focus: document.activeElement?.className, drawn: viewport.element.dataset.drawn, command: viewport.surface.dataset.command, models: models.map((model) => model.name), ...rest }
    })
  }

  // Until the page has said something. A message is soon gone from the screen; what is read aloud stays.
  hears(pattern) {
    return this.tab.waitForFunction((source) => new RegExp(source).test(document.querySelector('[role=status]').textContent), {}, pattern.source)
  }

  // Two clicks are a double-click only if they follow each other quickly, which a busy machine may fail to do.
  async doubleClick(x, y) {
    await this.tab.evaluate(() => addEventListener('dblclick', () => (window.doubleClicked = true), { capture: true, once: true }))
    for (let tries = 0; tries < 50 && !(await this.tab.evaluate(() => window.doubleClicked)); tries++) await this.tab.mouse.click(x, y, { count: 2 })
    await this.tab.evaluate(() => (window.doubleClicked = false))
  }

  text(test) {
    return this.tab.$eval(select(test), (element) => element.textContent)
  }

  // Pixels of the picture against those of the program.
  async samePicture(name, canvas = 'source', attribute = 'command', tolerance = 0) {
    await this.settle()
    const seen = await this.tab.evaluate((which, key) => {
      const element = document.querySelector(`canvas.${which}`)
      const { data } = element.getContext('2d').getImageData(0, 0, element.width, element.height)
      let text = ''
      for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768))
      return { options: JSON.parse(document.querySelector('[data-test=viewport]').dataset[key]), width: element.width, height: element.height, base64: btoa(text) }
    }, canvas, attribute)
    const native = run(['render', '-q', name, '-o', 'expected.png', ...words(seen.options)])
    assert.equal(native.status, 0, native.stderr)
    const expected = await decodePng(new Uint8Array(fs.readFileSync(path.join(work, 'expected.png'))))
    const pixels = Buffer.from(seen.base64, 'base64')
    assert.equal(`${seen.width}x${seen.height}`, `${expected.width}x${expected.height}`)
    let different = 0
    for (let i = 0; i < pixels.length; i++) different += Math.abs(pixels[i] - expected.pixels[i]) > tolerance
    assert.equal(different, 0, `${different} values differ: ${JSON.stringify(seen.options)}`)
    assert.ok(new Set(new Uint32Array(expected.pixels.buffer)).size > 8, 'it shows something')
    return seen.options
  }

  async save(test) {
    await this.tab.evaluate(() => (window.saved = []))
    await this.tab.click(select('save'))
    await this.tab.waitForSelector(select(test))
    await this.tab.click(select(test))
    await this.tab.waitForFunction(() => window.saved.length > 0)
    const base64 = await this.tab.evaluate(async () => {
      const data = new Uint8Array(await window.saved[0].arrayBuffer())
      let text = ''
      for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768))
      return btoa(text)
    })
    return Buffer.from(base64, 'base64')
  }
}

// Seconds of processor time of the browser so far: with TRILOBITE_TIMES each test prints what it took. Other work on the
// machine does not change it much.
function cpuSeconds() {
  const found = new Map()
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
      found.set(Number(pid), { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / 100 })
    } catch {} // it has ended
  }
  const browser = person.browser.process().pid
  const belongs = (pid) => pid === browser || (found.has(pid) && belongs(found.get(pid).parent))
  return [...found].reduce((sum, [pid, { seconds }]) => sum + (belongs(pid) ? seconds : 0), 0)
}

let passed = 0
const timed = Boolean(process.env.TRILOBITE_TIMES)
export const person = await Person.start(kind, BROWSERS[kind])

export async function test(name, fn) {
  const started = Date.now(), cpu = timed ? cpuSeconds() : 0
  try {
    await fn()
    assert.deepEqual(person.errors, [])
    passed++
    if (timed) console.log(`${((Date.now() - started) / 1000).toFixed(1)} s, ${(cpuSeconds() - cpu).toFixed(1)} s of the processor: ${name}`)
  } catch (error) {
    console.log(`FAIL ${person.kind}, ${name}: ${error.stack}`)
    console.log(`the page: ${JSON.stringify({ errors: person.errors, ...(await person.circumstances().catch(String)) })}`)
    process.exitCode = 1
    person.errors.length = 0
    await person.tab?.screenshot({ path: path.join(path.dirname(wasm), `failed-${person.kind}.png`) }).catch(() => {})
  }
}

export async function finish() {
  await person.browser.close()
  fs.rmSync(work, { recursive: true })
  console.log(`${passed} passed, ${process.exitCode ? 'some' : 0} failed`)
}

export const address = pathToFileURL(page).href
