// viewport.mjs: the picture: its size, when it is drawn, and the hands on it.
import { Camera, FOV, minus, length } from './camera.mjs'
import { h } from './dom.mjs'

const DRAG = 4 // pixels that a click may move
const FINE = 1e6 // pixels of a clean picture at rest: about a tenth of a second
export const LOOKS = [['n64', 'N64'], ['tv', 'TV'], ['clean', 'Clean']]
const BACKGROUNDS = { theme: null, black: '#000000', grey: '#808080', white: '#ffffff' }

export class Viewport {
  // `app` gives the state and the drawing worker, and is told what was clicked.
  constructor(app) {
    this.app = app
    this.camera = new Camera()
    this.canvas = h('canvas.source', {})
    this.second = h('canvas.console.hidden', {})
    this.overlay = h('canvas.overlay', {})
    this.surface = h('div.surface', { tabindex: '0', role: 'application', 'aria-label': 'Picture of the model', 'data-test': 'viewport' })
    this.splitter = h('button.splitter.hidden', { type: 'button', role: 'slider', 'aria-label': 'Where source and console meet', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': '50', 'data-test': 'splitter' })
    this.element = h('div.view', {}, this.canvas, this.second, this.overlay, this.surface, this.splitter)
    this.split = 0.5
    this.wanted = false
    this.busy = false
    this.moving = 0
    this.listen()
    new ResizeObserver(() => this.redraw()).observe(this.element)
  }

  // ---- size ----

  // The console's buffer has about `lines` lines; each of its pixels is a whole number of the screen's.
  layout() {
    const ratio = window.devicePixelRatio || 1
    const wide = Math.max(1, Math.round(this.element.clientWidth * ratio)), high = Math.max(1, Math.round(this.element.clientHeight * ratio))
    const factor = Math.max(1, Math.round(high / this.app.state.lines))
    const width = Math.min(2048, Math.ceil(wide / factor)), height = Math.min(2048, Math.ceil(high / factor))
    return { width, height, factor, css: factor / ratio }
  }

  background() {
    const chosen = BACKGROUNDS[this.app.state.background]
    return chosen ?? getComputedStyle(document.documentElement).getPropertyValue('--picture').trim()
  }

  // Distances are in units of the file that is drawn, so those of its conversion are scaled.
  addGameSettings(options, look, scale) {
    const { pointLight, ...game } = this.app.state.game
    for (const [name, value] of Object.entries(game)) {
      if (value === '' || (look === 'clean' && name !== 'near' && name !== 'far')) continue
      options[name] = name === 'near' || name === 'far' ? value * scale : value
    }
    if (pointLight && look !== 'clean') options.light = [...(options.light ?? []), `point,${pointLight.split(',').map((n) => n * scale).join(',')}`]
  }

  // Pixels of the picture for one of the console's buffer. The tv look has two; the clean look as well while it moves, and
  // all that the screen has, up to a million, when it rests.
  density(look, fine) {
    if (look !== 'clean' || !fine) return look === 'n64' ? 1 : 2
    const { width, height, factor } = this.layout()
    return Math.max(2, Math.min(factor, Math.floor(Math.sqrt(FINE / (width * height)))))
  }

  // Options of `trilobite render` for what is seen now.
  options(look, scale = 1, fine = false) {
    const { state } = this.app
    const { width, height } = this.layout()
    const density = this.density(look, fine)
    const options = { size: `${density * width}x${density * height}`, look, background: this.background(), camera: this.camera.text(scale) }
    if (look === 'clean') options.samples = fine ? 2 : 1
    if (state.clip !== null) Object.assign(options, { clip: state.clip, time: state.time, smooth: state.smooth })
    for (const name of ['wireframe', 'bones', 'normals', 'bvh']) if (state.show[name]) options[name] = true
    if (state.light.on) options.light = [`${state.light.azimuth},${state.light.elevation},${state.light.color}`, `ambient,${state.light.ambient}`]
    if (state.fog.on) options.fog = `${state.fog.begin * this.camera.distance * scale},${state.fog.end * this.camera.distance * scale},${this.background()}`
    if (look === 'tv' && state.dedither) options.tvFilter = 'dedither'
    this.addGameSettings(options, look, scale)
    return options
  }

  // ---- drawing ----

  redraw() {
    this.wanted = true
    if (!this.busy) this.loop()
  }

  async loop() {
    this.busy = true
    while (this.wanted) {
      this.wanted = false
      await new Promise((resolve) => (document.hidden ? setTimeout(resolve, 50) : requestAnimationFrame(resolve)))
      await this.draw().catch((error) => this.app.say(error.message))
    }
    this.busy = false
    this.element.dataset.drawn = String(Number(this.element.dataset.drawn ?? 0) + 1)
  }

  async draw() {
    const { state } = this.app
    const model = this.app.current()
    if (!model?.drawable || this.element.clientWidth === 0) return
    const compare = this.app.comparing()
    const still = !state.playing && !state.turning && this.moving === 0
    const batches = (state.show.batches || state.show.heat) && { parts: true }
    const fade = state.fading && { clip: state.fading.clip, time: state.fading.time, weight: state.fading.left / state.fade }
    const draw = (key, options, extra = {}) => this.app.viewer.call('draw', { key, options, fade, ...extra })
    const look = compare ? 'clean' : state.look
    const options = { ...this.options(look, 1, still), ...(compare ? {} : batches) }
    const heat = state.show.heat
    const drawn = await draw(model.key, options, { selection: compare ? null : state.selection, heat })
    this.show(this.canvas, drawn, look)
    this.surface.dataset.command = JSON.stringify(options)
    if (compare) {
      const other = this.options(state.look === 'clean' ? 'n64' : state.look, compare.scale, still)
      const result = await draw(compare.key, { ...other, ...batches }, { selection: null, heat })
      this.show(this.second, result, other.look)
      this.surface.dataset.consoleCommand = JSON.stringify({ ...other, ...batches })
    }
    this.second.classList.toggle('hidden', !compare)
    this.splitter.classList.toggle('hidden', !compare)
    this.showOverlay(drawn)
    this.place()
    this.app.timed(drawn.milliseconds)
    if (!still) this.later()
  }

  // Once nothing moves any more, the clean picture becomes finer.
  later() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.moving = 0
      if (!this.app.state.playing && !this.app.state.turning) this.redraw()
    }, 160)
  }

  show(canvas, { width, height, pixels }, look) {
    const { width: columns, css } = this.layout()
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    canvas.style.width = `${columns * css}px`
    canvas.style.height = `${(height / width) * columns * css}px`
    canvas.classList.toggle('hard', look === 'n64')
    canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0)
  }

  showOverlay({ width, height, outline }) {
    const { canvas, overlay } = this
    Object.assign(overlay, { width, height })
    Object.assign(overlay.style, { width: canvas.style.width, height: canvas.style.height })
    overlay.classList.toggle('hard', canvas.classList.contains('hard'))
    const context = overlay.getContext('2d')
    if (outline) context.putImageData(new ImageData(outline, width, height), 0, 0)
    const points = this.app.state.measure.map((p) => this.camera.project(p, width / height)).filter(Boolean)
    if (points.length === 0) return
    const style = getComputedStyle(document.documentElement)
    context.strokeStyle = context.fillStyle = style.getPropertyValue('--glow').trim()
    context.lineWidth = Math.max(1, width / 400)
    const at = ([x, y]) => [((x + 1) / 2) * width, ((1 - y) / 2) * height]
    context.beginPath()
    points.forEach((p, i) => (i ? context.lineTo(...at(p)) : context.moveTo(...at(p))))
    context.stroke()
    for (const p of points) {
      context.beginPath()
      context.arc(...at(p), 2.5 * context.lineWidth, 0, 7)
      context.fill()
    }
  }

  // The console is to the right of the splitter.
  place() {
    this.splitter.style.left = `${100 * this.split}%`
    this.splitter.setAttribute('aria-valuenow', String(Math.round(100 * this.split)))
    this.second.style.clipPath = `inset(0 0 0 ${this.split * this.element.clientWidth}px)`
  }

  // The whole model in view, as the library frames it.
  async frameAll() {
    const model = this.app.current()
    if (!model?.drawable) return
    const { width, height } = this.layout()
    const options = { size: `${width}x${height}`, azimuth: this.camera.azimuth, elevation: this.camera.elevation }
    if (this.app.state.clip !== null) Object.assign(options, { clip: this.app.state.clip, time: this.app.state.time })
    const { view } = await this.app.viewer.call('draw', { key: model.key, options })
    this.camera.look(view)
    this.redraw()
  }

  async frameSelection() {
    const { state } = this.app
    const model = this.app.current()
    const bounds = state.selection && model && (await this.app.viewer.call('bounds', { key: model.key, selection: state.selection }))
    if (!bounds) return this.frameAll()
    this.flyTo(bounds)
  }

  // In a quarter of a second, or at once for those who want no motion.
  flyTo(bounds) {
    const from = { target: [...this.camera.target], distance: this.camera.distance }
    this.camera.frame(bounds)
    this.camera.distance *= 1.4
    const to = { target: [...this.camera.target], distance: this.camera.distance }
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.redraw()
    const start = performance.now()
    const step = () => {
      const t = Math.min(1, (performance.now() - start) / 250)
      const s = t * t * (3 - 2 * t)
      this.camera.target = from.target.map((v, i) => v + (to.target[i] - v) * s)
      this.camera.distance = from.distance * (to.distance / from.distance) ** s
      this.moved()
      if (t < 1) requestAnimationFrame(step)
    }
    step()
  }

  moved() {
    this.moving = 1
    this.redraw()
    this.later()
  }

  // ---- hands ----

  async pick(event) {
    const model = this.app.current()
    if (!model?.drawable) return null
    const box = this.canvas.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * 2 - 1, y = 1 - ((event.clientY - box.top) / box.height) * 2
    const hit = await this.app.viewer.call('ray', { key: model.key, ...this.camera.ray(x, y, box.width / box.height) })
    return hit && { ...hit, ...(await this.probe(model, event)) }
  }

  // The pixel under the pointer, and what the console's combiner makes it of; right of the splitter, of the conversion.
  async probe(model, event) {
    const compare = this.app.comparing()
    const console = compare && event.clientX - this.element.getBoundingClientRect().left > this.split * this.element.clientWidth
    const canvas = console ? this.second : this.canvas
    const box = canvas.getBoundingClientRect()
    const x = Math.floor(((event.clientX - box.left) / box.width) * canvas.width), y = Math.floor(((event.clientY - box.top) / box.height) * canvas.height)
    const options = JSON.parse(console ? this.surface.dataset.consoleCommand : this.surface.dataset.command)
    const combiner = await this.app.viewer.call('probe', { key: console ? compare.key : model.key, options, x, y })
    return { combiner, color: [...canvas.getContext('2d').getImageData(x, y, 1, 1).data], pixel: [x, y] }
  }

  listen() {
    const { surface } = this
    const pointers = new Map()
    let travelled = 0, spread = 0
    const gesture = () => {
      const all = [...pointers.values()]
      return { x: all.reduce((s, p) => s + p.x, 0) / all.length, y: all.reduce((s, p) => s + p.y, 0) / all.length, spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 }
    }
    surface.addEventListener('pointerdown', (event) => {
      surface.setPointerCapture(event.pointerId)
      surface.dataset.by = 'pointer' // no focus ring
      surface.focus({ preventScroll: true })
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (pointers.size === 1) travelled = 0
      spread = gesture().spread
      this.app.touched()
    })
    surface.addEventListener('pointermove', (event) => {
      if (!pointers.has(event.pointerId)) return
      const before = gesture()
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
      const after = gesture()
      const dx = after.x - before.x, dy = after.y - before.y
      const high = this.element.clientHeight
      travelled += Math.abs(dx) + Math.abs(dy)
      if (travelled < DRAG && pointers.size === 1) return
      if (pointers.size > 1) {
        this.camera.pan(dx / high, dy / high)
        if (spread > 0 && after.spread > 0) this.camera.zoom(spread / after.spread)
        spread = after.spread
      } else if (event.shiftKey || event.buttons & 2 || event.buttons & 4) {
        this.camera.pan(dx / high, dy / high)
      } else if (event.altKey) {
        this.app.state.light.on = true
        this.app.state.light.azimuth = Math.round(this.app.state.light.azimuth + dx / 2)
        this.app.state.light.elevation = Math.round(Math.max(-90, Math.min(90, this.app.state.light.elevation - dy / 2)))
      } else {
        this.camera.orbit((dx / high) * 240, (dy / high) * 240)
      }
      this.moved()
    })
    const end = async (event) => {
      const one = pointers.size === 1
      pointers.delete(event.pointerId)
      spread = pointers.size > 1 ? gesture().spread : 0
      if (one && event.type === 'pointerup' && travelled < DRAG && event.button === 0) this.app.clicked(await this.pick(event))
    }
    surface.addEventListener('pointerup', end)
    surface.addEventListener('pointercancel', end)
    surface.addEventListener('keydown', () => delete surface.dataset.by)
    surface.addEventListener('blur', () => delete surface.dataset.by)
    surface.addEventListener('contextmenu', (event) => event.preventDefault())
    surface.addEventListener('dblclick', async (event) => {
      const hit = await this.pick(event)
      hit ? this.frameSelection() : this.frameAll()
    })
    surface.addEventListener('wheel', (event) => {
      event.preventDefault()
      this.app.touched()
      this.camera.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY * (event.deltaMode ? 24 : 1))) * 0.0015))
      this.moved()
    }, { passive: false })
    this.splitter.addEventListener('pointerdown', (event) => {
      this.splitter.setPointerCapture(event.pointerId)
      this.splitter.onpointermove = (move) => {
        const box = this.element.getBoundingClientRect()
        this.split = Math.max(0.02, Math.min(0.98, (move.clientX - box.left) / box.width))
        this.place()
      }
      this.splitter.onpointerup = () => (this.splitter.onpointermove = null)
    })
    this.splitter.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -0.05, ArrowRight: 0.05 }[event.key]
      if (!step) return
      event.preventDefault()
      event.stopPropagation()
      this.split = Math.max(0.02, Math.min(0.98, this.split + step))
      this.place()
    })
  }

  // The distance between the points that were measured.
  measured() {
    const [a, b] = this.app.state.measure
    return a && b ? length(minus(a, b)) : null
  }
}

export { FOV }
