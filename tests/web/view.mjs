// view.mjs PROGRAM MASCOT WASM: `trilobite view` and `trilobite page` in Chromium, with the page that is built into the
// program: what is saved on disk is seen in the browser, without a reload and from the same camera.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [program, mascot, wasm] = process.argv.slice(2).map((file) => path.resolve(file))
const modules = process.env.TRILOBITE_NODE_MODULES ?? path.resolve(path.dirname(wasm), '..', 'node_modules')
const chromium = '/usr/bin/chromium'
const work = fs.mkdtempSync(path.join(process.cwd(), 'view-'))
const run = (...args) => spawnSync(program, args, { cwd: work, encoding: 'utf8' })

function skip(why) {
  console.log(`skip view.mjs: ${why}`)
  process.exit(77)
}
spawnSync(mascot, ['hero.nlm'], { cwd: work })
const made = run('page', 'hero.nlm', '-o', 'hero.html')
if (made.status === 5) skip(made.stderr.trim())
assert.equal(made.status, 0, made.stderr)
if (!fs.existsSync(chromium)) skip(`there is no ${chromium}, tools/setup.sh web installs it`)
if (!fs.existsSync(path.join(modules, 'puppeteer-core'))) skip(`puppeteer-core is not in ${modules}, tools/setup.sh web installs it`)
const { default: puppeteer } = await import(pathToFileURL(path.join(modules, 'puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')))

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: flags })
const server = spawn(program, ['view', '--no-browser', 'hero.nlm'], { cwd: work })
const errors = []
try {
  const address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (text) => resolve(String(text).trim()))
    server.once('exit', (code) => reject(new Error(`view ended with ${code}`)))
  })
  const tab = await browser.newPage()
  tab.on('pageerror', (error) => errors.push(error.message))
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const studied = () => tab.waitForFunction(() => window.trilobite?.current()?.studied, { timeout: 60000 })
  const textures = (count) => tab.waitForFunction((n) => window.trilobite.current()?.info?.counts.textures === n, { timeout: 60000 }, count)
  const camera = () => tab.$eval('[data-test=viewport]', (element) => JSON.stringify(JSON.parse(element.dataset.command).camera))
  const save = (bytes) => {
    fs.writeFileSync(path.join(work, 'new.tmp'), bytes)
    fs.renameSync(path.join(work, 'new.tmp'), path.join(work, 'hero.nlm'))
  }

  await tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
  await tab.goto(address)
  await studied()
  await textures(2)
  await tab.keyboard.press('ArrowLeft')
  await tab.evaluate(() => (window.stays = true))
  const rests = () => tab.waitForFunction(() => { const { viewport } = window.trilobite; return !viewport.busy && !viewport.wanted && viewport.moving === 0 }, { timeout: 60000 })
  await rests()
  const before = await camera()
  const good = fs.readFileSync(path.join(work, 'hero.nlm'))

  run('convert', '-q', '--drop-textures', 'hero.nlm', 'plain.nlm')
  let start = Date.now()
  save(fs.readFileSync(path.join(work, 'plain.nlm')))
  await textures(0)
  console.log(`a saved file was seen after ${Date.now() - start} ms`)
  save(good.subarray(0, 3000))
  await tab.waitForFunction(() => /last good picture/.test(document.querySelector('[data-test=toast]')?.textContent), { timeout: 60000 })
  assert.match(await tab.$eval('[data-test=findings]', (element) => element.textContent), /NLM-TRUNCATED/)
  save(good)
  await textures(2)
  await rests()
  assert.equal(await camera(), before)
  assert.ok(await tab.evaluate(() => window.stays), 'the page was not loaded again')

  // Nothing else may be fetched.
  const refused = await tab.evaluate(() => fetch('https://example.com/').then(() => false, () => true))
  assert.ok(refused)
  assert.deepEqual(errors.filter((text) => !/Content Security Policy/.test(text)), [])

  // One file with the model inside, from the disk.
  const alone = await browser.newPage()
  alone.on('pageerror', (error) => errors.push(error.message))
  await alone.goto(pathToFileURL(path.join(work, 'hero.html')).href)
  await alone.waitForFunction(() => window.trilobite?.current()?.drawable && window.trilobite.current().info, { timeout: 60000 })
  assert.equal(await alone.evaluate(() => window.trilobite.current().info.counts.textures), 2)
  assert.deepEqual(errors.filter((text) => !/Content Security Policy/.test(text)), [])
  console.log('ok')
} finally {
  server.kill('SIGINT')
  await browser.close()
}
const [code] = server.exitCode === null ? await new Promise((resolve) => server.once('exit', (...all) => resolve(all))) : [server.exitCode]
assert.equal(code, 0, 'view ends cleanly')
fs.rmSync(work, { recursive: true })
