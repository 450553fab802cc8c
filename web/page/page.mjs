// page.mjs: the state of the page, and everything that changes it.
import { Client } from './client.mjs'
import { Cover } from './cover.mjs'
import { count, h, icon, iconButton, memory, plural } from './dom.mjs'
import { CONSOLE, embedded, readList, readUrl, viewAddresses } from './files.mjs'
import { Keys } from './keys.mjs'
import { Library, missingFiles } from './library.mjs'
import { Menus } from './menus.mjs'
import { bytes, cost, fieldAt, findings, inspector, paint, probeCard, readDump, recordOf, textures, tree } from './panels.mjs'
import { Saving } from './saving.mjs'
import { Timeline } from './timeline.mjs'
import { LOOKS, NARROW, Viewport } from './viewport.mjs'

const TABS = [['inspect', 'Inspect'], ['findings', 'Findings'], ['cost', 'Cost'], ['textures', 'Textures'], ['bytes', 'Bytes']]
const HINTS = { n64: "The console's colour buffer, pixel by pixel", tv: 'What the television shows, through the video filter', clean: 'Anti-aliased, without the limits of the console' }

class App {
  constructor() {
    this.state = { models: [], key: null, look: memory.get('look', 'n64'), lines: 240, background: 'theme', show: {}, clip: null, time: 0, playing: false, turning: false, speed: 1, loop: 'loop', direction: 1, smooth: false, fade: 0, fading: null, dedither: false, selection: null, field: 0, byte: null, probe: null, measure: [], measuring: false, compare: true, beside: null, tab: 'inspect', light: { on: false, azimuth: -30, elevation: 40, color: '#ffffff', ambient: '#505050' }, fog: { on: false, begin: 0.8, end: 1.6 }, game: { near: '', far: '', modelScale: '', exposure: '', lightingMode: '', antialias: '', dither: '', colorDepth: '', mipmaps: '', pointLight: '' }, budget: memory.get('budget', 4000), wall: false, opening: false }
    this.viewer = new Client()
    this.jobs = new Client()
    this.rules = new Map()
    this.openFindings = new WeakSet()
    this.library = new Library(this)
    this.menus = new Menus(this)
    this.saving = new Saving(this)
    this.cover = new Cover(this)
    this.keys = new Keys(this)
    this.viewport = new Viewport(this)
    this.timeline = new Timeline(this)
    this.build()
    this.setTheme(memory.get('theme', null))
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => this.setTheme(memory.get('theme', null)))
    this.keys.listen()
    this.start()
  }

  // ---- the frame of the page, made once ----

  build() {
    const menu = (name, label, key, fill, main) => {
      const button = h(`button.button${main ? '.main' : ''}`, { type: 'button', 'aria-label': label, 'aria-haspopup': 'true', 'aria-expanded': 'false', title: key ? `${label} (${key})` : label, 'data-test': name, onclick: () => this.menus.popover(button, fill) }, icon(name), h('span.label', {}, label))
      return button
    }
    this.pick = h('input.hidden', { type: 'file', multiple: true, 'data-test': 'pick', 'aria-label': 'Files', tabindex: '-1', onchange: () => this.library.receive((step) => readList(this.pick.files, step)) })
    this.pickFolder = h('input.hidden', { type: 'file', webkitdirectory: true, 'aria-label': 'Folder', tabindex: '-1', onchange: () => this.library.receive((step) => readList(this.pickFolder.files, step)) })
    this.title = h('div.name', { 'data-test': 'name' })
    this.pill = h('button.pill.busy.hidden', { type: 'button', 'data-test': 'verdict', onclick: () => this.showTab('findings') })
    this.saveButton = menu('save', 'Save', 'S', () => this.menus.saveMenu())
    this.shareButton = menu('share', 'Share', '', () => this.menus.shareMenu())
    this.head = h('header.head', {}, h('div.brand', {}, icon('logo'), h('span', {}, 'trilobite')), this.title, this.pill, h('div.spacer', {}),
      h('span.wide-only.folds', {}, iconButton('left', 'Contents panel', '[', () => this.fold('left'), { 'data-fold': 'left' }), iconButton('right', 'Details panel', ']', () => this.fold('right'), { 'data-fold': 'right' })), h('button.button.main', { type: 'button', title: 'Open (O)', 'aria-label': 'Open', 'data-test': 'open', onclick: () => this.pick.click() }, icon('open'), h('span.label', {}, 'Open')), this.saveButton, this.shareButton,
      h('span.wide-only', {}, iconButton('theme', 'Switch between light and dark', '', () => this.toggleTheme(), { 'data-test': 'theme' })), iconButton('help', 'Controls', '?', (event) => this.menus.popover(event.currentTarget, () => this.menus.helpMenu()), { 'data-test': 'help' }), this.pick, this.pickFolder)

    this.looks = h('div.segment', { role: 'group', 'aria-label': 'Look' }, LOOKS.map(([name, label]) => h('button', { type: 'button', 'aria-pressed': 'false', 'data-look': name, title: `${HINTS[name]} (L)`, onclick: () => this.setLook(name) }, label)))
    const tool = (name, label, key) => iconButton(name, label, key, () => this.toggle(name), { 'aria-pressed': 'false', 'data-tool': name })
    this.compareButton = iconButton('compare', 'Compare source and console', 'C', () => this.toggleCompare(), { 'aria-pressed': 'false', 'data-test': 'compare' })
    this.tools = h('div.tools', { role: 'toolbar', 'aria-label': 'View' }, iconButton('frame', 'Frame all', 'A', () => this.viewport.frameAll(), { 'data-test': 'frame' }), tool('turn', 'Turntable', 'T'), h('span.gap', {}), tool('wireframe', 'Wireframe', 'W'), tool('bones', 'Bones', 'B'), tool('normals', 'Normals', 'N'), tool('batches', 'Colour vertex batches', 'P'), tool('heat', 'Heat map: cost per batch', 'H'), tool('bvh', 'BVH boxes', ''), iconButton('uv', 'UV view', 'U', () => this.unwrap(), { 'data-test': 'uv' }), h('span.gap', {}), tool('measure', 'Measure', ''), iconButton('light', 'Light, fog and background', '', (event) => this.menus.popover(event.currentTarget, () => this.menus.sceneMenu()), { 'data-test': 'scene' }))
    this.sides = [h('div.side.caption.hidden', { style: 'left:12px' }, 'Source'), h('div.side.caption.hidden', { style: 'right:12px' }, 'Console')]
    this.wallButton = h('button.button.hidden', { type: 'button', 'data-test': 'wall', onclick: () => this.setWall(true) }, icon('wall'), 'All models')
    this.status = h('div.caption.number.hidden', { 'data-test': 'status' })
    this.missing = h('button.button.missing.hidden', { type: 'button', title: 'Open it, or drop it here', 'data-test': 'missing', onclick: () => this.pick.click() })
    this.legend = h('div.legend.hidden', { 'data-test': 'legend', role: 'img', 'aria-label': 'Colours of the heat map: vertices loaded for each triangle, from 0.5, blue, to 3, red' }, h('div', {}, 'Vertices loaded for each triangle'), h('i', {}), h('div.ends.number', {}, h('span', {}, '0.5, the best'), h('span', {}, '3')))
    this.stageParts = [h('div.corner.top-right', {}, this.compareButton, this.looks), h('div.corner.top-left', {}, this.wallButton, this.status, this.missing), this.tools, this.legend, ...this.sides]
    this.viewport.element.append(...this.stageParts)
    this.viewport.element.append(this.cover.element)

    this.left = h('nav.left', { 'aria-label': 'Contents of the model' })
    this.tabs = h('div.tabs', { role: 'tablist', 'aria-label': 'About the model' }, TABS.map(([name, label]) => h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', 'aria-selected': 'false', 'data-tab': name, onclick: () => this.showTab(name), onkeydown: (event) => this.moveTab(event) }, label)))
    this.panel = h('div.panel', { role: 'tabpanel', id: 'panel', tabindex: '0' })
    const close = () => iconButton('down', 'Close the sheet', 'Esc', () => this.openSheet(null), { class: 'button sheet-close' })
    this.right = h('aside.right', {}, close(), this.tabs, this.panel)
    this.leftClose = close()
    this.bar = h('nav.sheet-bar', { 'aria-label': 'About the model' }, [['tree', 'Tree'], ...TABS].map(([name, label]) => h('button', { type: 'button', 'aria-expanded': 'false', 'data-sheet': name, onclick: () => this.toggleSheet(name) }, label)))
    this.live = h('div.sr', { role: 'status', 'aria-live': 'polite' })
    document.getElementById('app').append(this.head, this.left, this.viewport.element, this.right, this.timeline.element, this.bar, this.live)
    // A sheet is as high as what is written on it.
    const sheets = new ResizeObserver(() => { this.viewport.reserve(); this.viewport.redraw() })
    for (const sheet of [this.left, this.right]) sheets.observe(sheet)
    this.fold(null)
    this.showTab('inspect')
    this.render()
  }

  // ---- opening ----

  async start() {
    const inside = embedded(), view = viewAddresses(), hosted = new URLSearchParams(location.hash.slice(1)).get('url')
    this.state.opening = Boolean(inside || view || hosted)
    this.cover.render()
    this.formats = (await this.jobs.json(null, ['formats', '--json'])).formats
    try {
      if (inside) {
        this.state.compare = false
        await this.library.take(inside.files, inside.open)
        this.rest()
      } else if (view) {
        await this.library.follow(view)
      } else if (hosted) {
        const { open, files } = await readUrl(hosted, (name, all) => this.library.infoOf(name, all))
        await this.library.take(files, open)
      }
    } catch (error) {
      this.say(error.message)
    }
    this.state.opening = false
    if (this.current()) return
    this.cover.render()
    this.cover.drawArt()
  }

  // A page opened by a link: the model turns slowly until it is touched, and its first clip plays.
  rest() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    if (this.current()?.info?.clips?.length) this.timeline.toggle()
    this.toggle('turn')
  }

  touched() {
    if (this.state.turning) this.toggle('turn')
    this.menus.popover(null)
  }

  current() {
    return this.state.models.find((m) => m.key === this.state.key) ?? null
  }

  // What is right of the splitter: another model that was chosen, or what the console gets from this one.
  comparing() {
    if (!this.state.compare) return null
    return this.state.beside ?? this.current()?.console ?? this.current()?.stale ?? null
  }

  // Another model beside this one, as large: formats count in different units.
  async showBeside(model) {
    if (this.state.beside?.key === model.key) {
      this.state.beside = null
    } else {
      if (!model.info) await this.library.load(model)
      else if (!model.staged) await this.library.stage(model)
      if (!model.drawable) return this.say(`${model.name.split('/').pop()} cannot be drawn.`)
      const extent = ({ bounds: b }) => Math.hypot(...b.max.map((v, i) => v - b.min[i])) || 1
      const [here, there] = [this.current().info, model.info]
      Object.assign(this.state, { compare: true, beside: { key: model.key, model, scale: here.format === there.format ? 1 : extent(there) / extent(here) } })
    }
    this.render()
    this.viewport.redraw()
  }

  // ---- many models ----

  setWall(on) {
    this.state.wall = on && this.state.models.length > 1
    this.render()
  }

  // ---- what is selected ----

  select(selection) {
    if (selection?.kind === 'clip') this.timeline.choose(selection.index)
    this.state.selection = selection
    this.state.probe = null
    if (this.current()?.fields) this.findRecord()
    if (selection && selection.kind !== 'texture' && !['findings', 'cost', 'bytes'].includes(this.state.tab)) this.showTab('inspect', false)
    this.render()
    this.viewport.redraw()
  }

  clicked(hit) {
    const { state } = this
    if (state.measuring) {
      if (hit) state.measure = [...state.measure.slice(-1), hit.position]
      const length = this.viewport.measured()
      this.status.textContent = length === null ? 'Click a second point.' : `${Number(length.toPrecision(5))} units`
      return this.viewport.redraw()
    }
    state.selection = hit ? { kind: 'mesh', index: hit.mesh } : null
    state.probe = hit
    if (hit && !['findings', 'cost', 'bytes'].includes(state.tab)) this.showTab('inspect', false)
    if (hit && this.current().fields) this.findRecord()
    this.render()
    this.viewport.redraw()
  }

  showProbe(probe) {
    this.state.probe = probe
    this.panel.querySelector('#probe')?.replaceWith(probeCard(this, probe))
  }

  async showSubject(subject) {
    if (!subject || !this.current().drawable) return
    const counts = { mesh: 'meshes', material: 'materials', clip: 'clips', texture: 'textures' }
    if (counts[subject.kind] && !this.current().info[counts[subject.kind]]?.[subject.index]) return
    if (subject.kind === 'texture' || subject.kind === 'clip') this.select(subject)
    if (subject.key !== undefined) {
      const time = await this.viewer.call('keyTime', { key: this.current().key, clip: subject.index, channel: subject.channel, number: subject.key })
      if (time !== null) this.timeline.seek(time)
    }
    if (subject.kind === 'texture' || subject.kind === 'clip') return
    this.state.selection = subject
    this.renderTree()
    this.viewport.redraw()
    const bounds = await this.viewer.call('bounds', { key: this.current().key, selection: subject })
    if (bounds) this.viewport.flyTo(bounds)
  }

  async explain(code) {
    if (!code) return null
    if (!this.rules.has(code)) this.rules.set(code, await this.jobs.json(null, ['check', '--json', '--explain', code]).then((all) => all.rules[0]).catch(() => null))
    return this.rules.get(code)
  }

  // The texture of what is selected, with its triangles.
  unwrap() {
    const { selection } = this.state
    const { info } = this.current()
    const material = selection?.kind === 'material' ? selection.index : info.meshes[selection?.kind === 'mesh' ? selection.index : 0]?.material ?? null
    if (material === null) return this.say('This object has no material.')
    this.state.tab = 'inspect'
    this.select({ kind: 'material', index: material })
    this.showTab('inspect')
    this.showUvs(material)
  }

  async showUvs(material) {
    const image = await this.viewer.call('uvs', { key: this.current().key, material, width: 256, height: 256 })
    const place = document.getElementById('uvs')
    if (!place) return // something else is shown by now
    if (!image) return place.replaceChildren('No mesh with this material has texture coordinates.')
    const canvas = h('canvas.wide.check', { role: 'img', 'aria-label': 'Triangles on the texture' })
    paint(canvas, image)
    place.replaceChildren(canvas)
    canvas.scrollIntoView({ block: 'nearest' })
  }

  // Each texture with 16 and with 256 colours, as sprites made of it would show it.
  async comparePalettes(panel) {
    const place = panel.querySelector('#formats')
    const model = this.current()
    place.replaceChildren('Making palettes…')
    const rows = []
    for (const [index, texture] of model.info.textures.entries()) {
      const title = (texture.name || texture.path || `texture ${index}`).split('/').pop()
      const cells = []
      for (const format of ['CI4', 'CI8']) {
        const made = await this.viewer.call('textureAs', { key: model.key, index, format })
        if (!made) continue
        const canvas = h('canvas.check', { role: 'img', 'aria-label': `${title} as ${format}` })
        paint(canvas, made)
        cells.push(h('figure', {}, canvas, h('figcaption', {}, h('b', {}, format), h('div.soft.number', {}, `${count(made.tmem)} bytes of TMEM`), h(made.fits ? 'div.soft.number' : 'div.sev-error', {}, made.fits ? `distance ${made.deltaE.toFixed(1)}` : 'too large for TMEM'))))
      }
      rows.push(h('h3', {}, title), cells.length ? h('div.pair', {}, cells) : h('p.soft', {}, 'The image is missing.'))
    }
    place.replaceChildren(h('div', { 'data-test': 'palette-pairs' }, rows, h('p.soft', {}, 'The distance is the mean delta E from the image; below 2 it is hardly visible.')))
  }

  async compareFormats(panel) {
    const place = panel.querySelector('#formats')
    place.replaceChildren('Making sprites in every format…')
    try {
      const model = this.current()
      const { files, stderr } = await this.jobs.call('run', { key: model.key, args: ['render', '--compare-formats', '-q', model.name, '-o', 'formats.png'] })
      if (!files.has('formats.png')) throw new Error(stderr.trim())
      place.replaceChildren(h('div.scroll', { tabindex: '0', 'aria-label': 'Texel formats' }, h('img', { alt: 'Each texture in every texel format, with bytes and the distance from the image', src: URL.createObjectURL(new Blob([files.get('formats.png')], { type: 'image/png' })) })))
    } catch (error) {
      place.replaceChildren(error.message)
    }
  }

  // ---- how it looks ----

  setLook(look) {
    this.state.look = look
    memory.set('look', look)
    this.render()
    this.viewport.redraw()
  }

  toggle(name) {
    const { state } = this
    if (name === 'turn') {
      state.turning = !state.turning
      if (state.turning) this.turn()
    } else if (name === 'measure') {
      state.measuring = !state.measuring
      state.measure = []
      this.viewport.element.classList.toggle('measuring', state.measuring)
      this.status.textContent = state.measuring ? 'Click two points of the model.' : ''
    } else {
      state.show[name] = !state.show[name]
      if (name === 'batches') state.show.heat = false
      if (name === 'heat') state.show.batches = false
      if ((name === 'batches' || name === 'heat') && state.show[name] && this.current() && this.current().info.format !== 't3dm' && !this.comparing()) {
        state.show[name] = false
        this.say('Only T3DM models have vertex batches: save it as .t3dm, or compare source and console.')
      }
    }
    this.render()
    this.viewport.redraw()
  }

  turn() {
    let last = performance.now()
    const tick = (now) => {
      if (!this.state.turning) return
      this.viewport.camera.orbit(-(now - last) * 0.03, 0)
      last = now
      this.viewport.redraw()
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  }

  toggleCompare() {
    if (!this.current()?.console && !this.state.beside) return this.say(this.current()?.consoleError ?? 'This file is already what the console gets.')
    this.state.compare = !this.state.compare
    this.render()
    this.viewport.redraw()
  }

  setTheme(theme) {
    const light = theme ? theme === 'light' : matchMedia('(prefers-color-scheme: light)').matches
    document.documentElement.dataset.theme = light ? 'light' : 'dark'
    this.timeline.drawMarks()
    this.viewport.redraw()
  }

  toggleTheme() {
    this.chooseTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light')
  }

  // '': as the system has it.
  chooseTheme(theme) {
    memory.set('theme', theme || null)
    this.setTheme(theme || null)
  }

  // Panels fold away; which ones is remembered.
  fold(side) {
    const folded = memory.get('folded', {})
    if (side) folded[side] = !folded[side]
    memory.set('folded', folded)
    const app = document.getElementById('app')
    for (const name of ['left', 'right']) {
      app.classList.toggle(`folded-${name}`, Boolean(folded[name]))
      this[name].inert = Boolean(folded[name]) && !matchMedia(NARROW).matches
      this.head.querySelector(`[data-fold=${name}]`).setAttribute('aria-pressed', String(!folded[name]))
    }
  }

  setBudget(budget) {
    this.state.budget = budget
    memory.set('budget', budget)
    this.renderPanel()
  }

  // ---- messages ----

  say(text, milliseconds = 5000) {
    this.toast?.remove()
    clearTimeout(this.toastTimer)
    if (!text) return
    this.live.textContent = text
    this.toast = h('div.toast', { 'data-test': 'toast' }, text)
    this.viewport.element.append(this.toast)
    this.toastTimer = setTimeout(() => this.toast.remove(), milliseconds)
  }

  // Long work: a progress bar, the elapsed time, and a button to cancel. The returned function sets the progress.
  busy(what, cancel = null) {
    this.say(`${what}…`, 600000)
    const bar = h('progress', { 'aria-label': what, 'data-test': 'progress' }), clock = h('span.number.soft', {})
    const started = performance.now(), { toast } = this
    toast.append(bar, clock)
    if (cancel) toast.append(h('button.button', { type: 'button', 'data-test': 'cancel', onclick: cancel }, 'Cancel'))
    const timer = setInterval(() => (toast.isConnected ? (clock.textContent = `${Math.round((performance.now() - started) / 1000)} s`) : clearInterval(timer)), 1000)
    return (done, total) => Object.assign(bar, { value: done, max: total })
  }

  timed(milliseconds) {
    this.viewport.element.dataset.milliseconds = milliseconds.toFixed(1)
  }

  // Kind, what fits everywhere, and the rest of the sentence.
  verdict(model = this.current()) {
    if (!model) return null
    if (!model.check) return ['busy', model.info ? 'Checking…' : 'Opening…']
    const c = model.check
    const problems = (c.errors ?? 0) + (c.crashes ?? 0)
    const notes = c.notes ? `, ${plural(c.notes, 'note')}` : '', warnings = c.warnings ? `, ${plural(c.warnings, 'warning')}` : ''
    if (problems) return ['error', plural(problems, 'problem'), warnings + notes]
    if (c.warnings) return ['warning', plural(c.warnings, 'warning'), notes]
    return ['good', 'Ready', ' for the console']
  }

  description() {
    const model = this.current()
    if (!model?.info?.counts) return 'Nothing is drawn.'
    const c = model.info.counts
    return `${model.name}: ${plural(c.triangles, 'triangle')}, ${plural(c.meshes, 'object')}, ${plural(c.clips, 'clip')}. ${this.verdict().slice(1).join('')}`
  }

  // ---- panels from the state ----

  render() {
    const model = this.current()
    const drawable = Boolean(model?.drawable) && !this.state.wall
    this.title.textContent = this.state.wall ? plural(this.state.models.length, 'model') : model ? model.name.split('/').pop() : ''
    this.renderVerdict()
    const frame = document.getElementById('app')
    frame.classList.toggle('nothing', this.state.models.length === 0)
    frame.classList.toggle('walled', this.state.wall)
    frame.classList.toggle('has-model', this.state.models.length > 0)
    for (const part of this.stageParts) part.classList.toggle('hidden', !drawable)
    this.saveButton.disabled = this.shareButton.disabled = !drawable
    const compare = this.comparing()
    const short = (name) => name.split('/').pop()
    this.sides.forEach((side, i) => {
      side.classList.toggle('hidden', !drawable || !compare)
      side.textContent = compare?.model ? short([model, compare.model][i].name) : ['Source', 'Console'][i]
    })
    this.compareButton.classList.toggle('hidden', !model || (CONSOLE.has(model.info?.format) && !this.state.beside))
    this.compareButton.setAttribute('aria-pressed', String(Boolean(compare)))
    this.wallButton.classList.toggle('hidden', this.state.models.length < 2)
    for (const button of this.looks.children) button.setAttribute('aria-pressed', String(button.dataset.look === this.state.look))
    for (const button of this.tools.querySelectorAll('[data-tool]')) {
      const tool = button.dataset.tool
      button.setAttribute('aria-pressed', String(tool === 'turn' ? this.state.turning : tool === 'measure' ? this.state.measuring : Boolean(this.state.show[tool])))
    }
    this.status.classList.toggle('hidden', !drawable || !this.state.measuring)
    this.legend.classList.toggle('hidden', !drawable || !this.state.show.heat)
    const missing = drawable ? missingFiles(model) : []
    this.missing.classList.toggle('hidden', missing.length === 0)
    this.missing.replaceChildren(icon('warning'), h('span', {}, `Missing: ${missing[0]}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}`))
    this.viewport.surface.setAttribute('aria-label', `Picture of the model. ${this.description()}`)
    this.renderTree()
    this.renderPanel()
    this.cover.render()
    this.viewport.reserve()
  }

  renderVerdict() {
    const verdict = this.state.wall ? this.library.verdict() : this.verdict()
    this.pill.className = `pill ${verdict?.[0] ?? 'busy'}${verdict ? '' : ' hidden'}`
    if (verdict) this.pill.replaceChildren(icon(verdict[0]), h('span', {}, verdict[1], h('span.long', {}, verdict[2] ?? '')))
  }

  renderTree() {
    const open = [...this.left.querySelectorAll('details')].map((d) => [d.querySelector('summary').firstChild.textContent, d.open])
    this.left.replaceChildren(this.leftClose, tree(this))
    const chosen = this.left.querySelector('[data-test][aria-current]'), news = this.state.selection !== this.pointedOut
    for (const details of this.left.querySelectorAll('details')) {
      const before = open.find(([title]) => title === details.querySelector('summary').firstChild.textContent)
      if (before) details.open = before[1]
      if (news && details.contains(chosen)) details.open = true
    }
    this.pointedOut = this.state.selection
    if (news) chosen?.scrollIntoView({ block: 'nearest' })
  }

  renderPanel() {
    const panels = { inspect: inspector, findings, cost, textures, bytes }
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.tab === this.state.tab
      tab.setAttribute('aria-selected', String(chosen))
      tab.tabIndex = chosen ? 0 : -1
      if (tab.dataset.tab === 'findings') {
        const n = this.current()?.check?.findings?.length ?? 0
        tab.replaceChildren('Findings', h('span.count.number', { 'aria-hidden': n ? null : 'true' }, n > 99 ? '99+' : n || ''))
      }
    }
    this.panel.setAttribute('aria-labelledby', `tab-${this.state.tab}`)
    const where = this.panel.scrollTop, same = this.panel.dataset.tab === this.state.tab
    this.panel.replaceChildren(this.current() || this.state.tab === 'bytes' ? panels[this.state.tab](this) : h('p.soft', {}, 'Open a model to see what is in it.'))
    this.panel.dataset.tab = this.state.tab
    this.panel.scrollTop = same ? where : 0
  }

  // ---- tabs and the sheet of small screens ----

  showTab(tab, sheet = true) {
    this.state.tab = tab
    this.renderPanel()
    if (sheet && matchMedia(NARROW).matches && this.current()) this.openSheet(tab)
    if (tab === 'bytes') this.loadBytes()
  }

  moveTab(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    const at = TABS.findIndex(([name]) => name === this.state.tab)
    this.showTab(TABS[(at + step + TABS.length) % TABS.length][0])
    this.tabs.querySelector('[aria-selected="true"]').focus()
  }

  openSheet(name) {
    const app = document.getElementById('app')
    app.classList.toggle('sheet-tree', name === 'tree')
    app.classList.toggle('sheet-panel', name !== null && name !== 'tree')
    for (const button of this.bar?.children ?? []) button.setAttribute('aria-expanded', String(button.dataset.sheet === name))
    this.sheet = name
    this.viewport.reserve()
    this.viewport.redraw()
  }

  toggleSheet(name) {
    if (this.sheet === name) return this.openSheet(null)
    if (name !== 'tree') this.showTab(name, false)
    this.openSheet(name)
  }

  async loadBytes() {
    const model = this.current()
    if (!model?.info) return
    if (!model.fields) {
      const { stdout } = await this.jobs.call('run', { key: model.key, args: ['dump', '--limit', '64', model.name] })
      if (model.drawable) model.raw = await this.viewer.call('bytes', { key: model.key }).catch(() => model.raw) // decompressed
      model.fields = readDump(stdout)
    }
    if (this.current() !== model) return
    if (this.state.tab === 'bytes') this.renderPanel()
    if (this.state.byte === null) this.findRecord()
    else this.showField(fieldAt(model.fields, this.state.byte))
  }

  // The field that a byte belongs to, or only the byte.
  showBytes(at) {
    this.state.byte = at
    this.showTab('bytes')
  }

  // The bytes follow the selection.
  findRecord() {
    this.state.byte = null
    const at = recordOf(this.current().fields, this.state.selection)
    if (at >= 0) this.showField(at)
  }

  showField(at) {
    this.state.field = at
    if (this.state.tab !== 'bytes') return
    this.renderPanel()
    this.panel.querySelector('.records .on')?.scrollIntoView({ block: 'center' })
  }
}

window.trilobite = new App()
