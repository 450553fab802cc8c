// page.mjs: the state of the page, and everything that changes it.
import { Client } from './client.mjs'
import { count, h, icon, iconButton, memory, plural } from './dom.mjs'
import { download, embedded, isModel, readList, readTransfer, readUrl, readView, template, viewAddresses, zip } from './files.mjs'
import { bytes, cost, findings, inspector, paint, readDump, recordOf, textures, tree } from './panels.mjs'
import { Timeline } from './timeline.mjs'
import { Viewport } from './viewport.mjs'

const TABS = [['inspect', 'Inspect'], ['findings', 'Findings'], ['cost', 'Cost'], ['textures', 'Textures'], ['bytes', 'Bytes']]
const LOOKS = [['n64', 'N64'], ['tv', 'TV'], ['clean', 'Clean']]
const CONSOLE = new Set(['t3dm', 'model64'])
const HINTS = { n64: "The console's colour buffer, pixel by pixel", tv: 'What the television shows, through the video filter', clean: 'Anti-aliased, without the limits of the console' }
const KEYS = [['drag, arrows', 'orbit'], ['Shift-drag, Shift-arrows', 'pan'], ['wheel, + −', 'zoom'], ['I K J M', 'fly'], ['A', 'frame all'], ['F', 'frame the selection'], ['Space', 'play'], [', .', 'one frame back, on'], ['1–9', 'choose a clip'], ['W B N P H U', 'wireframe, bones, normals, batches, heat map, UV'], ['L', 'next look'], ['C', 'compare source and console'], ['T', 'turntable'], ['[ ]', 'fold the panels'], ['O S', 'open, save'], ['Esc', 'close, deselect'], ['?', 'these keys']]

// Findings from lines of the program: "hero.t3dm: warning CODE: path: text".
function readMessages(text) {
  return text.split('\n').flatMap((line) => {
    const found = /^.*?: (console-crash|error|warning|note)(?: ([A-Z0-9-]+))?: (?:([a-z_]+\[[^ ]*|[a-z_]+): )?(.*)$/.exec(line)
    return found ? [{ severity: found[1], code: found[2] ?? '', path: found[3] ?? '', text: found[4], offset: null }] : []
  })
}

// Settings that a game makes and the file does not hold: options of `render`, with their labels. The first choice is the
// default.
const GAME_NUMBERS = [['near', 'Near plane'], ['far', 'Far plane'], ['modelScale', 'Scale of the model'], ['exposure', 'Exposure']]
const GAME_CHOICES = [['lightingMode', 'Light and colours', 'multiply', 'add'], ['antialias', 'Anti-aliasing', 'auto', 'standard', 'off'], ['dither', 'Dither', 'auto', 'square', 'bayer', 'off'], ['colorDepth', 'Bits of a pixel', '16', '32'], ['mipmaps', 'Mipmaps', 'auto', 'off']]

class App {
  constructor() {
    this.state = { models: [], key: null, look: memory.get('look', 'n64'), lines: 240, background: 'theme', show: {}, clip: null, time: 0, playing: false, turning: false, speed: 1, loop: 'loop', direction: 1, smooth: false, fade: 0, fading: null, dedither: false, selection: null, probe: null, measure: [], measuring: false, compare: true, tab: 'inspect', light: { on: false, azimuth: -30, elevation: 40, color: '#ffffff', ambient: '#505050' }, fog: { on: false, begin: 0.8, end: 1.6 }, game: { near: '', far: '', modelScale: '', exposure: '', lightingMode: '', antialias: '', dither: '', colorDepth: '', mipmaps: '', pointLight: '' }, budget: memory.get('budget', 4000), wall: false }
    this.viewer = new Client()
    this.jobs = new Client()
    this.rules = new Map()
    this.keys = 0
    this.viewport = new Viewport(this)
    this.timeline = new Timeline(this)
    this.build()
    this.setTheme(memory.get('theme', null))
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => this.setTheme(memory.get('theme', null)))
    this.listen()
    this.start()
  }

  // ---- the frame of the page, made once ----

  build() {
    const menu = (name, label, key, fill, main) => {
      const button = h(`button.button${main ? '.main' : ''}`, { type: 'button', 'aria-label': label, 'aria-haspopup': 'true', 'aria-expanded': 'false', title: key ? `${label} (${key})` : label, 'data-test': name, onclick: () => this.popover(button, fill) }, icon(name), h('span.label', {}, label))
      return button
    }
    this.pick = h('input.hidden', { type: 'file', multiple: true, 'data-test': 'pick', 'aria-label': 'Files', tabindex: '-1', onchange: async () => this.take(await readList(this.pick.files)) })
    this.pickFolder = h('input.hidden', { type: 'file', webkitdirectory: true, 'aria-label': 'Folder', tabindex: '-1', onchange: async () => this.take(await readList(this.pickFolder.files)) })
    this.title = h('div.name', { 'data-test': 'name' })
    this.pill = h('button.pill.busy.hidden', { type: 'button', 'data-test': 'verdict', onclick: () => this.showTab('findings') })
    this.saveButton = menu('save', 'Save', 'S', () => this.saveMenu())
    this.shareButton = menu('share', 'Share', '', () => this.shareMenu())
    this.head = h('header.head', {}, h('div.brand', {}, icon('logo'), h('span', {}, 'trilobite')), this.title, this.pill, h('div.spacer', {}),
      h('button.button.main', { type: 'button', title: 'Open (O)', 'aria-label': 'Open', 'data-test': 'open', onclick: () => this.pick.click() }, icon('open'), h('span.label', {}, 'Open')), this.saveButton, this.shareButton,
      h('span.wide-only', {}, iconButton('left', 'Contents panel', '[', () => this.fold('left'), { 'data-fold': 'left' })), h('span.wide-only', {}, iconButton('right', 'Details panel', ']', () => this.fold('right'), { 'data-fold': 'right' })), h('span.wide-only', {}, iconButton('theme', 'Light or dark', '', () => this.toggleTheme(), { 'data-test': 'theme' })), iconButton('help', 'Keys', '?', (event) => this.popover(event.currentTarget, () => this.helpMenu()), { 'data-test': 'help' }), this.pick, this.pickFolder)

    this.looks = h('div.segment', { role: 'group', 'aria-label': 'Look' }, LOOKS.map(([name, label]) => h('button', { type: 'button', 'aria-pressed': 'false', 'data-look': name, title: `${HINTS[name]} (L)`, onclick: () => this.setLook(name) }, label)))
    const tool = (name, label, key) => iconButton(name, label, key, () => this.toggle(name), { 'aria-pressed': 'false', 'data-tool': name })
    this.compareButton = iconButton('compare', 'Compare source and console', 'C', () => this.toggleCompare(), { 'aria-pressed': 'false', 'data-test': 'compare' })
    this.tools = h('div.tools', { role: 'toolbar', 'aria-label': 'View' }, iconButton('frame', 'Show all of it', 'A', () => this.viewport.frameAll(), { 'data-test': 'frame' }), tool('turn', 'Turntable', 'T'), h('span.gap', {}), tool('wireframe', 'Wireframe', 'W'), tool('bones', 'Bones', 'B'), tool('normals', 'Normals', 'N'), tool('batches', 'Vertex batches in colours', 'P'), tool('heat', 'Cost of the batches', 'H'), tool('bvh', 'Boxes of the BVH', ''), iconButton('uv', 'Triangles on the texture', 'U', () => this.unwrap(), { 'data-test': 'uv' }), h('span.gap', {}), tool('measure', 'Measure', ''), iconButton('light', 'Light, fog and background', '', (event) => this.popover(event.currentTarget, () => this.sceneMenu()), { 'data-test': 'scene' }))
    this.sides = [h('div.side.caption.hidden', { style: 'left:12px' }, 'Source'), h('div.side.caption.hidden', { style: 'right:12px' }, 'Console')]
    this.wallButton = h('button.button.hidden', { type: 'button', 'data-test': 'wall', onclick: () => this.setWall(true) }, icon('wall'), 'All models')
    this.status = h('div.caption.number.hidden', { 'data-test': 'status' })
    this.stageParts = [h('div.corner.top-right', {}, this.compareButton, this.looks), h('div.corner.top-left', {}, this.wallButton, this.status), this.tools, ...this.sides]
    this.viewport.element.append(...this.stageParts)
    this.cover = h('div', {})
    this.viewport.element.append(this.cover)

    this.left = h('nav.left', { 'aria-label': 'Contents of the model' })
    this.tabs = h('div.tabs', { role: 'tablist', 'aria-label': 'About the model' }, TABS.map(([name, label]) => h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', 'aria-selected': 'false', 'data-tab': name, onclick: () => this.showTab(name), onkeydown: (event) => this.moveTab(event) }, label)))
    this.panel = h('div.panel', { role: 'tabpanel', id: 'panel', tabindex: '0' })
    this.right = h('aside.right', {}, this.tabs, this.panel)
    this.bar = h('nav.sheet-bar', { 'aria-label': 'About the model' }, [['tree', 'Tree'], ...TABS].map(([name, label]) => h('button', { type: 'button', 'aria-expanded': 'false', 'data-sheet': name, onclick: () => this.toggleSheet(name) }, label)))
    this.live = h('div.sr', { role: 'status', 'aria-live': 'polite' })
    document.getElementById('app').append(this.head, this.left, this.viewport.element, this.right, this.timeline.element, this.bar, this.live)
    this.fold(null)
    this.showTab('inspect')
    this.render()
  }

  // ---- opening ----

  async start() {
    this.formats = (await this.jobs.json(null, ['formats', '--json'])).formats
    const inside = embedded(), view = viewAddresses(), hosted = new URLSearchParams(location.hash.slice(1)).get('url')
    try {
      if (inside) {
        this.state.compare = false
        await this.take(inside.files, inside.open)
        this.rest()
      } else if (view) {
        await this.follow(view)
      } else if (hosted) {
        const { open, files } = await readUrl(hosted, (name, all) => this.infoOf(name, all))
        await this.take(files, open)
      }
    } catch (error) {
      this.say(error.message)
    }
    if (!this.current()) this.drawArt()
  }

  // Somebody who got a link: the model turns slowly until it is touched, and its first clip plays.
  rest() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    if (this.current()?.info?.clips?.length) this.timeline.toggle()
    this.toggle('turn')
  }

  touched() {
    if (this.state.turning) this.toggle('turn')
    this.popover(null)
  }

  async infoOf(name, files) {
    await this.jobs.call('put', { key: 'probe', name, files })
    return (await this.jobs.json('probe', ['info', '--json', name])).files[0]
  }

  // Files of any kind: every model among them is opened, the others belong to them.
  async take(files, open = null) {
    const names = open ? [open] : [...files.keys()].filter(isModel).sort()
    if (names.length === 0) {
      const other = [...files.keys()].filter((name) => !/\.(sdata|sprite|png|jpe?g|bin|txt|md)$/i.test(name))
      if (other.length !== 1) return this.say(files.size === 0 ? 'There was no file.' : 'There is no model among these files: .t3dm, .nlm, .model, .glb or .gltf.')
      names.push(other[0]) // perhaps one with another name: the content decides
    }
    for (const worker of [this.viewer, this.jobs]) {
      for (const model of this.state.models) worker.call('forget', { key: model.key })
      worker.call('unshare', { id: this.folder })
    }
    this.folder = `f${this.keys++}`
    await Promise.all([this.viewer, this.jobs].map((worker) => worker.call('share', { id: this.folder, files })))
    Object.assign(this.state, { models: [], key: null, selection: null, probe: null, measure: [], playing: false })
    this.state.models = names.map((name) => ({ key: `m${this.keys++}`, name, files, folder: this.folder }))
    this.setWall(names.length > 1)
    if (names.length > 1) await this.fillWall()
    else await this.show(this.state.models[0].key)
  }

  // Reads, checks and draws a model. What is known already stays.
  async load(model) {
    await Promise.all([this.viewer, this.jobs].map((worker) => worker.call('put', this.placeOf(model))))
    const run = (...args) => this.jobs.json(model.key, [...args, model.name]).then((all) => all.files[0])
    model.raw = model.files.get(model.name)
    const opening = this.stage(model)
    model.info = await run('info', '--json').catch((error) => ({ readable: false, error: error.message }))
    model.title = this.formats?.find((f) => f.name === model.info.format)?.title ?? 'Unknown format'
    await opening
  }

  placeOf({ key, name, files, folder }) {
    return folder ? { key, name, folder } : { key, name, files }
  }

  async stage(model) {
    try {
      const { messages, nodes } = await this.viewer.call('stage', { key: model.key, options: {} })
      Object.assign(model, { drawable: true, staged: true, messages, nodes })
    } catch (error) {
      Object.assign(model, { drawable: false, error: error.message })
    }
  }

  // What is wrong with it: the check of the file, what the conversion for the console reports, and missing textures.
  async study(model) {
    const run = (...args) => this.jobs.json(model.key, [...args, model.name]).then((all) => all.files[0])
    const check = await run('check', '--json').catch((error) => ({ readable: false, findings: [{ severity: 'error', text: error.message, path: '', code: '' }] }))
    await this.prepareConsole(model)
    const all = [...check.findings, ...(model.console?.findings ?? []), ...readMessages(model.messages ?? '')]
    if (model.consoleError) all.push(...readMessages(model.consoleError))
    const number = (severity) => all.filter((f) => f.severity === severity).length
    model.check = { ...check, findings: all, crashes: number('console-crash'), errors: number('error'), warnings: number('warning'), notes: number('note') }
    this.render()
    const as = CONSOLE.has(model.info?.format) ? [] : ['--as', 't3dm']
    model.cost = await run('cost', '--json', ...as).catch((error) => ((model.costError = error.message), null))
    this.render()
    this.live.textContent = this.description()
  }

  async show(key) {
    const model = this.state.models.find((m) => m.key === key)
    this.setWall(false)
    Object.assign(this.state, { key, selection: null, probe: null, measure: [], clip: null, time: 0, field: 0 })
    this.render()
    if (!model.info) await this.load(model)
    else if (model.drawable && !model.staged) await this.stage(model)
    if (this.state.key !== key) return
    document.title = `${model.name.split('/').pop()} · Trilobite`
    this.render()
    this.timeline.open()
    await this.viewport.frameAll()
    if (!model.studied) await this.study(model)
    model.studied = true
  }

  // What the console gets from a source file, for the comparison.
  async prepareConsole(model) {
    if (!model.drawable || CONSOLE.has(model.info.format) || model.console) return
    const name = model.name.replace(/\.[^./]*$/, '.t3dm')
    try {
      const { files, code, stdout, stderr } = await this.jobs.call('run', { key: model.key, args: ['convert', '--json', '--sprites', model.name, name] })
      if (code !== 0) throw new Error(stderr.trim())
      const key = `${model.key}-console`
      await this.viewer.call('put', { key, name, files })
      await this.viewer.call('stage', { key, options: {} })
      model.console = { key, name, files, scale: 64, findings: JSON.parse(stdout).findings }
    } catch (error) {
      model.consoleError = error.message
    }
    this.render()
    this.viewport.redraw()
  }

  current() {
    return this.state.models.find((m) => m.key === this.state.key) ?? null
  }

  comparing() {
    return this.state.compare ? this.current()?.console ?? null : null
  }

  // `trilobite view`: again whenever a file changed. A bad save keeps the picture and shows the findings.
  async follow({ files, events }) {
    const again = async () => {
      const models = await readView(files)
      if (models.length === 0) return this.say('There is nothing to show.')
      const open = models.find((m) => m.open === this.current()?.name) ?? models[0]
      if (!this.current()) {
        this.state.models = models.map((m) => ({ key: `m${this.keys++}`, name: m.open, files: m.files }))
        return this.state.models.length > 1 ? (this.setWall(true), this.fillWall()) : this.show(this.state.models[0].key)
      }
      await this.reload(open)
    }
    await again()
    const source = new EventSource(events)
    source.onmessage = () => again().catch((error) => this.say(error.message))
    source.onerror = () => this.say('trilobite view has ended; this page stays as it is.')
  }

  async reload({ open, files }) {
    const fresh = { key: `m${this.keys++}`, name: open, files }
    const old = this.current()
    await this.load(fresh)
    if (!fresh.drawable) {
      await this.jobs.call('run', { key: fresh.key, args: ['check', '--json', open] }).then((r) => (old.check = JSON.parse(r.stdout).files[0])).catch(() => {})
      this.showTab('findings')
      this.render()
      return this.say('The file on disk cannot be drawn; this is the last good picture.')
    }
    this.state.models = this.state.models.map((m) => (m === old ? fresh : m))
    const clip = old.info.clips?.[this.state.clip]?.name
    const found = fresh.info.clips?.findIndex((c) => c.name === clip) ?? -1
    Object.assign(this.state, { key: fresh.key, clip: this.state.clip === null || found < 0 ? null : found, selection: null, probe: null })
    this.render()
    const { time, playing, clip: kept } = this.state
    this.timeline.open()
    Object.assign(this.state, { time, playing, clip: kept })
    this.timeline.render()
    this.viewport.redraw()
    await this.study(fresh)
    this.say('Reloaded.', 1500)
  }

  // ---- many models ----

  setWall(on) {
    this.state.wall = on && this.state.models.length > 1
    this.render()
  }

  async fillWall() {
    for (const model of this.state.models) {
      if (!model.info) await this.load(model)
      if (model.drawable && !model.thumbnail) model.thumbnail = await this.viewer.call('draw', { key: model.key, options: { size: '176x132', background: this.viewport.background() } }).catch(() => null)
      // A hundred open models would take their memory.
      if (model.staged && model.key !== this.state.key) {
        model.staged = false
        await this.viewer.call('strike', { key: model.key })
      }
      model.check ??= await this.jobs.json(model.key, ['check', '--json', model.name]).then((all) => all.files[0]).catch(() => null)
      model.cost ??= await this.jobs.json(model.key, ['cost', '--json', ...(CONSOLE.has(model.info.format) ? [] : ['--as', 't3dm']), model.name]).then((all) => all.files[0]).catch(() => null)
      if (this.state.wall) this.renderCover()
      this.renderTree()
    }
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

  async showSubject(subject, finding) {
    if (finding.offset !== null && finding.offset !== undefined && this.current().fields) this.state.field = Math.max(0, this.current().fields.findIndex((f) => f.at >= finding.offset))
    if (!subject || !this.current().drawable) return
    const counts = { mesh: 'meshes', material: 'materials', clip: 'clips', texture: 'textures' }
    if (counts[subject.kind] && !this.current().info[counts[subject.kind]]?.[subject.index]) return
    if (subject.kind === 'texture' || subject.kind === 'clip') return this.select(subject)
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
    if (!image) return place.replaceChildren('No mesh with this material has texture coordinates.')
    const canvas = h('canvas.wide.check', { role: 'img', 'aria-label': 'Triangles on the texture' })
    paint(canvas, image)
    place.replaceChildren(canvas)
    canvas.scrollIntoView({ block: 'nearest' })
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
    if (!this.current()?.console) return this.say(this.current()?.consoleError ?? 'This file is already what the console gets.')
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
    const theme = document.documentElement.dataset.theme === 'light' ? 'dark' : 'light'
    memory.set('theme', theme)
    this.setTheme(theme)
  }

  // Panels fold away; which ones is remembered.
  fold(side) {
    const folded = memory.get('folded', {})
    if (side) folded[side] = !folded[side]
    memory.set('folded', folded)
    const app = document.getElementById('app')
    for (const name of ['left', 'right']) {
      app.classList.toggle(`folded-${name}`, Boolean(folded[name]))
      this[name].inert = Boolean(folded[name]) && !matchMedia('(max-width: 999px)').matches
      this.head.querySelector(`[data-fold=${name}]`).setAttribute('aria-pressed', String(!folded[name]))
    }
  }

  setBudget(budget) {
    this.state.budget = budget
    memory.set('budget', budget)
    this.renderPanel()
  }

  // ---- menus ----

  popover(button, fill = null) {
    const before = this.open
    if (before) {
      before.element.remove()
      before.button.setAttribute('aria-expanded', 'false')
      this.open = null
    }
    if (!button || before?.button === button) return
    const element = h('div.popover', { role: 'dialog', 'aria-label': button.getAttribute('aria-label'), 'data-test': 'popover' }, fill())
    document.body.append(element)
    const box = button.getBoundingClientRect(), own = element.getBoundingClientRect()
    element.style.left = `${Math.max(12, Math.min(innerWidth - own.width - 12, box.left))}px`
    element.style.top = `${box.bottom + own.height + 8 < innerHeight ? box.bottom + 8 : Math.max(12, box.top - own.height - 8)}px`
    button.setAttribute('aria-expanded', 'true')
    this.open = { element, button }
    element.querySelector('button, input, select')?.focus()
  }

  item(name, label, detail, action, test) {
    return h('button.menu-item', { type: 'button', 'data-test': test, onclick: () => { this.popover(null); action() } }, icon(name), h('span', {}, label, h('small', {}, detail)))
  }

  saveMenu() {
    const model = this.current()
    if (!model?.drawable) return h('p', {}, 'Open a model first.')
    const moving = this.state.clip !== null
    return [
      h('h2', {}, 'Model'),
      this.item('save', 'T3DM', 'for Tiny3D, with its streams and sprites', () => this.saveAs('t3dm', ['--sprites']), 'save-t3dm'),
      model.info.format === 't3dm' ? this.item('save', 'T3DM, optimised', 'the same triangles, less work for the console', () => this.saveOptimized(), 'save-optimized') : null,
      this.item('save', 'glTF binary', '.glb for Blender and others', () => this.saveAs('glb'), 'save-glb'),
      this.item('save', 'NLM', 'for NiteLite', () => this.saveAs('nlm'), 'save-nlm'),
      this.item('save', 'Model', '.model, with display lists', () => this.saveAs('model'), 'save-model'),
      h('h2', {}, 'Picture'),
      this.item('save', 'PNG', 'this view', () => this.savePicture('png'), 'save-png'),
      this.item('save', moving ? 'GIF of the clip' : 'GIF, turning', moving ? 'from this view' : 'once around', () => this.savePicture('gif'), 'save-gif'),
      this.item('save', moving ? 'APNG of the clip' : 'APNG, turning', 'all colours', () => this.savePicture('apng'), 'save-apng'),
      moving ? this.item('turn', 'Turntable', 'GIF, once around', () => this.savePicture('gif', true), 'save-turntable') : null,
    ]
  }

  shareMenu() {
    const model = this.current()
    if (!model?.drawable) return h('p', {}, 'Open a model first.')
    const hosted = new URLSearchParams(location.hash.slice(1)).get('url')
    return [
      this.item('share', 'One HTML file', 'this page with the model inside, to send to anybody', () => this.saveHtml(), 'save-html'),
      hosted ? this.item('share', 'Copy link', 'to this page and the hosted model', () => this.copy(location.href), 'copy-link') : null,
      this.item('share', 'Copy command', 'that draws this picture in a terminal', () => this.copy(this.command()), 'copy-command'),
    ]
  }

  helpMenu() {
    return [h('h2', {}, 'Keys'), h('div.keys', {}, KEYS.flatMap(([key, what]) => [h('kbd', {}, key), h('span', {}, what)])), h('p.soft', {}, 'Everything stays on this machine.'), h('button.button', { type: 'button', onclick: () => this.toggleTheme() }, icon('theme'), 'Light or dark')]
  }

  sceneMenu() {
    const { state } = this
    const change = (object, key, read = (input) => input.value) => (event) => { object[key] = read(event.target); this.viewport.redraw() }
    const checked = (input) => input.checked, number = (input) => Number(input.value)
    const field = (label, control) => h('label.field', {}, label, control)
    return [
      h('h2', {}, 'Picture'),
      field('Background', h('select', { onchange: change(state, 'background') }, ['theme', 'black', 'grey', 'white'].map((b) => h('option', { selected: state.background === b }, b)))),
      field('Lines', h('select', { 'data-test': 'lines', onchange: change(state, 'lines', number) }, [240, 288, 480].map((n) => h('option', { value: String(n), selected: state.lines === n }, `${n}`)))),
      field('TV: dedither', h('input', { type: 'checkbox', checked: state.dedither, onchange: change(state, 'dedither', checked) })),
      h('h2', {}, 'Light'),
      field('Own light', h('input', { type: 'checkbox', 'data-test': 'light', checked: state.light.on, onchange: change(state.light, 'on', checked) })),
      field('Azimuth', h('input', { type: 'range', min: '-180', max: '180', value: String(state.light.azimuth), oninput: change(state.light, 'azimuth', number) })),
      field('Elevation', h('input', { type: 'range', min: '-90', max: '90', value: String(state.light.elevation), oninput: change(state.light, 'elevation', number) })),
      field('Colour', h('input', { type: 'color', value: state.light.color, oninput: change(state.light, 'color') })),
      field('From everywhere', h('input', { type: 'color', value: state.light.ambient, oninput: change(state.light, 'ambient') })),
      h('p.soft', {}, 'Alt-drag in the picture moves the light.'),
      h('h2', {}, 'Fog'),
      field('For materials that want it', h('input', { type: 'checkbox', checked: state.fog.on, onchange: change(state.fog, 'on', checked) })),
      field('Begins', h('input', { type: 'range', min: '0', max: '2', step: '0.05', value: String(state.fog.begin), oninput: change(state.fog, 'begin', number) })),
      field('Ends', h('input', { type: 'range', min: '0.1', max: '4', step: '0.05', value: String(state.fog.end), oninput: change(state.fog, 'end', number) })),
      h('h2', {}, 'What the game sets'),
      GAME_NUMBERS.map(([key, label]) => field(label, h('input', { type: 'number', min: '0', step: 'any', placeholder: 'auto', 'data-test': `game-${key}`, value: state.game[key], onchange: change(state.game, key, (input) => (Number(input.value) > 0 ? input.value : '')) }))),
      GAME_CHOICES.map(([key, label, first, ...others]) => field(label, h('select', { 'data-test': `game-${key}`, onchange: change(state.game, key) }, h('option', { value: '', selected: !state.game[key] }, first), others.map((value) => h('option', { value, selected: state.game[key] === value }, value))))),
      field('Point light', h('input', { type: 'text', placeholder: 'X,Y,Z,SIZE', 'data-test': 'game-pointLight', value: state.game.pointLight, onchange: change(state.game, 'pointLight', (input) => (/^(-?[\d.]+,){3}[\d.]+$/.test(input.value.replaceAll(' ', '')) ? input.value.replaceAll(' ', '') : '')) })),
      h('p.soft', {}, 'Distances are in units of the file. All but near and far are for the N64 and TV looks.'),
    ]
  }

  // ---- taking away ----

  stem() {
    return this.current().name.split('/').pop().replace(/\.[^.]*$/, '')
  }

  // Work that can be cancelled: the worker is started anew.
  async work(what, args, files = []) {
    const model = this.current()
    this.busy(what)
    try {
      const result = await this.jobs.call('run', { key: model.key, args, files })
      const errors = result.stderr.split('\n').filter((line) => / (warning|error) /.test(line))
      if (result.files.size === 0) throw new Error(result.stderr.trim() || 'nothing was written')
      this.say(errors.length ? `${what}: ${errors[0].replace(/^out\//, '')}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}` : '', 8000)
      return result.files
    } catch (error) {
      this.say(error.message === 'cancelled' ? 'Cancelled.' : error.message, 8000)
      return null
    }
  }

  cancel() {
    this.jobs.restart()
    const shared = this.state.models.find((model) => model.folder)
    if (shared) this.jobs.call('share', { id: shared.folder, files: shared.files })
    for (const model of this.state.models) if (model.info) this.jobs.call('put', this.placeOf(model))
  }

  give(files, main) {
    if (!files) return
    const named = new Map([...files].map(([name, data]) => [name.replace(/^out\//, ''), data]))
    if (named.size === 1) download(main, named.get(main) ?? [...named.values()][0])
    else download(main.replace(/\.[^.]*$/, '.zip'), zip(named))
  }

  async saveAs(ending, more = []) {
    const name = `${this.stem()}.${ending}`
    const same = this.current().info.format === { t3dm: 't3dm', glb: 'gltf', nlm: 'nlm', model: 'model64' }[ending]
    this.give(await this.work(`Saving ${name}`, ['convert', ...(same ? [] : more), this.current().name, `out/${name}`]), name)
  }

  async saveOptimized() {
    const name = `${this.stem()}.t3dm`
    this.give(await this.work('Optimising', ['optimize', '-q', this.current().name, `out/${name}`]), name)
  }

  // The options of the last picture as words of a command line.
  words(options) {
    return Object.entries(options).flatMap(([name, value]) => {
      const option = `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
      return value === true ? [option] : value === false ? [] : (Array.isArray(value) ? value : [value]).flatMap((one) => [option, String(one)])
    })
  }

  command() {
    const options = this.viewport.options(this.state.look, 1, true)
    return ['trilobite', 'render', this.current().name, ...this.words(options), '-o', `${this.stem()}.png`].map((word) => (/[^\w@%+=:,./-]/.test(word) ? `'${word}'` : word)).join(' ')
  }

  async savePicture(ending, turntable = false) {
    const name = `${this.stem()}.${ending}`
    const { time, camera, ...options } = this.viewport.options(this.state.look, 1, true)
    const turns = turntable || (ending !== 'png' && this.state.clip === null)
    if (ending === 'png') Object.assign(options, { camera }, this.state.clip === null ? {} : { time })
    else if (turns) Object.assign(options, { turntable: true, elevation: this.viewport.camera.elevation, azimuth: this.viewport.camera.azimuth }, { clip: null })
    else Object.assign(options, { camera })
    if (options.clip === null) delete options.clip
    this.give(await this.work(`Drawing ${name}`, ['render', '-q', ...this.words(options), this.current().name, '-o', `out/${name}`]), name)
  }

  // With what the model needs of the files that were opened, and nothing else.
  async saveHtml() {
    const name = `${this.stem()}.html`
    this.give(await this.work(`Writing ${name}`, ['page', '-q', this.current().name, '--template', 'template.html', '-o', `out/${name}`], [['template.html', template()]]), name)
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text)
      this.say('Copied.', 1500)
    } catch {
      this.say(text, 20000)
    }
  }

  // ---- telling ----

  say(text, milliseconds = 5000) {
    this.toast?.remove()
    clearTimeout(this.toastTimer)
    if (!text) return
    this.live.textContent = text
    this.toast = h('div.toast', { 'data-test': 'toast' }, text)
    this.viewport.element.append(this.toast)
    this.toastTimer = setTimeout(() => this.toast.remove(), milliseconds)
  }

  busy(what) {
    this.say(`${what}…`, 600000)
    this.toast.append(h('button.button', { type: 'button', onclick: () => this.cancel() }, 'Cancel'))
  }

  timed(milliseconds) {
    this.viewport.element.dataset.milliseconds = milliseconds.toFixed(1)
  }

  verdict(model = this.current()) {
    if (!model) return null
    if (!model.check) return ['busy', 'Checking…']
    const c = model.check
    const problems = (c.errors ?? 0) + (c.crashes ?? 0)
    if (problems) return ['error', plural(problems, 'problem')]
    if (c.warnings) return ['warning', plural(c.warnings, 'warning')]
    return ['good', 'Ready for the console']
  }

  description() {
    const model = this.current()
    if (!model?.info?.counts) return 'Nothing is drawn.'
    const c = model.info.counts
    return `${model.name}: ${plural(c.triangles, 'triangle')}, ${plural(c.meshes, 'object')}, ${plural(c.clips, 'clip')}. ${this.verdict()?.[1] ?? ''}`
  }

  // ---- panels from the state ----

  render() {
    const model = this.current()
    const drawable = Boolean(model?.drawable) && !this.state.wall
    this.title.textContent = this.state.wall ? plural(this.state.models.length, 'model') : model ? model.name.split('/').pop() : ''
    const verdict = this.state.wall ? null : this.verdict()
    this.pill.className = `pill ${verdict?.[0] ?? 'busy'}${verdict ? '' : ' hidden'}`
    if (verdict) this.pill.replaceChildren(icon(verdict[0]), h('span', {}, verdict[1].split(' for ')[0], verdict[1].includes(' for ') ? h('span.long', {}, ` for ${verdict[1].split(' for ')[1]}`) : null))
    const frame = document.getElementById('app')
    frame.classList.toggle('nothing', this.state.models.length === 0)
    frame.classList.toggle('walled', this.state.wall)
    frame.classList.toggle('has-model', this.state.models.length > 0)
    for (const part of this.stageParts) part.classList.toggle('hidden', !drawable)
    this.saveButton.disabled = this.shareButton.disabled = !drawable
    const compare = this.comparing()
    for (const side of this.sides) side.classList.toggle('hidden', !drawable || !compare)
    this.compareButton.classList.toggle('hidden', !model || CONSOLE.has(model.info?.format))
    this.compareButton.setAttribute('aria-pressed', String(Boolean(compare)))
    this.wallButton.classList.toggle('hidden', this.state.models.length < 2)
    for (const button of this.looks.children) button.setAttribute('aria-pressed', String(button.dataset.look === this.state.look))
    for (const button of this.tools.querySelectorAll('[data-tool]')) {
      const tool = button.dataset.tool
      button.setAttribute('aria-pressed', String(tool === 'turn' ? this.state.turning : tool === 'measure' ? this.state.measuring : Boolean(this.state.show[tool])))
    }
    this.status.classList.toggle('hidden', !drawable || !this.state.measuring)
    this.viewport.surface.setAttribute('aria-label', `Picture of the model. ${this.description()}`)
    this.renderTree()
    this.renderPanel()
    this.renderCover()
  }

  renderTree() {
    const open = [...this.left.querySelectorAll('details')].map((d) => [d.querySelector('summary').firstChild.textContent, d.open])
    this.left.replaceChildren(tree(this))
    for (const details of this.left.querySelectorAll('details')) {
      const before = open.find(([title]) => title === details.querySelector('summary').firstChild.textContent)
      if (before) details.open = before[1]
    }
  }

  renderPanel() {
    const panels = { inspect: inspector, findings, cost, textures, bytes }
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.tab === this.state.tab
      tab.setAttribute('aria-selected', String(chosen))
      tab.tabIndex = chosen ? 0 : -1
      if (tab.dataset.tab === 'findings') {
        const n = this.current()?.check?.findings?.length ?? 0
        tab.replaceChildren('Findings', n ? h('span.count.number', {}, count(n)) : '')
      }
    }
    this.panel.setAttribute('aria-labelledby', `tab-${this.state.tab}`)
    const where = this.panel.scrollTop, same = this.panel.dataset.tab === this.state.tab
    this.panel.replaceChildren(this.current() || this.state.tab === 'bytes' ? panels[this.state.tab](this) : h('p.soft', {}, 'Open a model to see what is in it.'))
    this.panel.dataset.tab = this.state.tab
    this.panel.scrollTop = same ? where : 0
  }

  renderCover() {
    const model = this.current()
    if (this.state.wall) return this.cover.replaceChildren(this.wall())
    if (!model) return this.cover.firstChild?.classList.contains('empty') ? null : this.cover.replaceChildren(this.emptyState())
    if (model.info && !model.drawable) return this.cover.replaceChildren(h('div.empty', {}, h('div.broken', { 'data-test': 'broken' }, h('span.sev-error', {}, icon('error')), h('h1', {}, 'This file cannot be drawn'), h('p', {}, model.check?.findings?.find((f) => f.severity !== 'note')?.text ?? ''), h('button.button.main', { type: 'button', onclick: () => this.showTab('findings') }, 'What is wrong'))))
    this.cover.replaceChildren()
  }

  emptyState() {
    this.art = h('canvas.art', { width: 144, height: 108, 'aria-hidden': 'true' })
    return h('div.empty', {}, h('div.drop', {}, this.art, h('h1', {}, 'Drop a model here'), h('p', {}, 'See it as a Nintendo 64 draws it, what it costs, and what is wrong with it. Files, several files or a whole folder. Nothing leaves this machine.'),
      h('div.row', {}, h('button.button.main', { type: 'button', 'data-test': 'open-large', onclick: () => this.pick.click() }, icon('open'), 'Open'), h('button.button', { type: 'button', 'data-test': 'open-folder', onclick: () => this.pickFolder.click() }, 'Open a folder'), h('button.button', { type: 'button', 'data-test': 'mascot', onclick: () => this.showMascot() }, icon('logo'), 'Show me a trilobite')),
      h('p.kinds', {}, '.t3dm with .sdata and sprites · .glb, .gltf · .nlm · .model')))
  }

  // The mascot, drawn by the module itself.
  async drawArt() {
    const glb = await this.viewer.call('mascot', { name: 'trilobite.glb' })
    await this.viewer.call('put', { key: 'art', name: 'trilobite.glb', files: new Map([['trilobite.glb', glb]]) })
    await this.viewer.call('stage', { key: 'art', options: {} })
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    for (let i = 0; this.art?.isConnected; i++) {
      const picture = await this.viewer.call('draw', { key: 'art', options: { size: '144x108', background: 'none', clip: 0, time: (i / 20) % 1, azimuth: 40, elevation: 25 } })
      if (this.art?.isConnected) paint(this.art, picture)
      if (still) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    this.viewer.call('forget', { key: 'art' })
  }

  async showMascot() {
    const glb = await this.viewer.call('mascot', { name: 'trilobite.glb' })
    await this.take(new Map([['trilobite.glb', glb]]))
  }

  wall() {
    return h('div.wall', { 'data-test': 'thumbnails' }, this.state.models.map((model) => {
      const canvas = h('canvas', { width: 176, height: 132, 'aria-hidden': 'true' })
      if (model.thumbnail) paint(canvas, model.thumbnail)
      const [kind, text] = model.check ? this.verdict(model) : ['busy', '…']
      return h('button.card', { type: 'button', onclick: () => this.show(model.key) }, canvas, h('div', {}, model.name.split('/').pop()), h('div.soft.number', {}, model.info?.counts ? `${count(model.info.counts.triangles)} tris${model.cost ? ` · ${count(Math.round(model.cost.figures.microseconds))} µs` : ''}` : ''), h(`div.soft.sev-${kind}`, {}, text))
    }))
  }

  // ---- tabs and the sheet of small screens ----

  showTab(tab, sheet = true) {
    this.state.tab = tab
    if (sheet && matchMedia('(max-width: 999px)').matches && this.current()) this.openSheet(tab)
    this.renderPanel()
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
  }

  toggleSheet(name) {
    if (this.sheet === name) return this.openSheet(null)
    this.openSheet(name)
    if (name !== 'tree') this.showTab(name, false)
  }

  async loadBytes() {
    const model = this.current()
    if (model?.fields) this.findRecord()
    if (!model || model.fields || !model.info?.readable) return
    const { stdout } = await this.jobs.call('run', { key: model.key, args: ['dump', '--limit', '64', model.name] })
    model.fields = readDump(stdout)
    this.findRecord()
    if (this.state.tab === 'bytes') this.renderPanel()
  }

  // The bytes follow the selection.
  findRecord() {
    const at = recordOf(this.current().fields, this.state.selection)
    if (at < 0) return
    this.state.field = at
    if (this.state.tab !== 'bytes') return
    this.renderPanel()
    this.panel.querySelector('.records .on')?.scrollIntoView({ block: 'nearest' })
  }

  // ---- hands ----

  listen() {
    const body = document.body
    addEventListener('dragover', (event) => { event.preventDefault(); body.classList.add('dragging') })
    addEventListener('dragleave', (event) => event.relatedTarget || body.classList.remove('dragging'))
    addEventListener('drop', async (event) => { event.preventDefault(); body.classList.remove('dragging'); this.take(await readTransfer(event.dataTransfer)) })
    addEventListener('paste', async (event) => { if (event.clipboardData.files.length) this.take(await readTransfer(event.clipboardData)) })
    addEventListener('keydown', (event) => this.key(event))
    addEventListener('pointerdown', (event) => { if (this.open && !this.open.element.contains(event.target) && !this.open.button.contains(event.target)) this.popover(null) })
    addEventListener('beforeunload', () => (this.state.playing = false))
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      if (event.key === 'Escape') this.popover(null)
      return
    }
    const { camera } = this.viewport
    const move = (fn) => () => { fn(); this.touched(); this.viewport.moved() }
    const arrow = (x, y) => move(() => (event.shiftKey ? camera.pan(-x * 0.04, -y * 0.04) : camera.orbit(-x * 6, y * 6)))
    const keys = {
      ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, 1), ArrowDown: arrow(0, -1), '+': move(() => camera.zoom(0.9)), '=': move(() => camera.zoom(0.9)), '-': move(() => camera.zoom(1.1)),
      i: move(() => camera.fly(1, 0)), k: move(() => camera.fly(-1, 0)), j: move(() => camera.fly(0, -1)), m: move(() => camera.fly(0, 1)),
      a: () => this.viewport.frameAll(), f: () => this.viewport.frameSelection(), ' ': () => this.timeline.toggle(), ',': () => this.timeline.step(-1), '.': () => this.timeline.step(1),
      w: () => this.toggle('wireframe'), b: () => this.toggle('bones'), n: () => this.toggle('normals'), p: () => this.toggle('batches'), h: () => this.toggle('heat'), t: () => this.toggle('turn'),
      u: () => this.unwrap(),
      l: () => this.setLook(LOOKS[(LOOKS.findIndex(([n]) => n === this.state.look) + 1) % LOOKS.length][0]), c: () => this.toggleCompare(), o: () => this.pick.click(), s: () => this.saveButton.click(), '[': () => this.fold('left'), ']': () => this.fold('right'), '?': () => this.head.querySelector('[data-test=help]').click(),
      Escape: () => { if (this.open) { const { button } = this.open; this.popover(null); button.focus() } else if (this.sheet) this.openSheet(null); else this.select(null) },
    }
    const onButton = event.target.tagName === 'BUTTON' && (event.key === ' ' || event.key === 'Enter')
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const clip = /^[1-9]$/.test(name) && this.current()?.info?.clips?.[Number(name) - 1]
    if (onButton || (!keys[name] && !clip) || (!this.current() && !['o', '?', 'Escape'].includes(name))) return
    if (this.open && name !== 'Escape') return
    event.preventDefault()
    clip ? this.timeline.choose(Number(name) - 1) : keys[name]()
  }
}

window.trilobite = new App()
