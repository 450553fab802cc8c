// viewport.mjs: the picture: its size, when it is drawn, and pointer input.
import { Camera, FOV, minus, length } from './camera.mjs'
import { h } from './dom.mjs'

const DRAG = 4 // pixels that a click may move
const FINE = 1e6 // pixels of a clean picture at rest: about a tenth of a second
export const LOOKS = [['n64', 'N64'], ['tv', 'TV'], ['clean', 'Clean']]
export const NARROW = '(max-width: 999px)' // as in the style
const BACKGROUNDS = { theme: null, black: '#000000', grey: '#808080', white: '#ffffff' }

// What of a picture differs from its corner, in parts of the width and height; null: nothing.
function extent({ width, height, pixels }) {
  const words = new Uint32Array(pixels.buffer)
  let top = null, bottom = 0, left = width, right = 0
  for (let i = 0; i < words.length; i++) {
    if (words[i] === words[0]) continue
    const x = i % width, y = (i - x) / width
    top ??= y
    bottom = y
    if (x < left) left = x
    if (x > right) right = x
  }
  return top === null ? null : { top: top / height, bottom: (bottom + 1) / height, left: left / width, right: (right + 1) / width }
}

export class Viewport {
  // `app` provides the state and the drawing worker, and receives clicks.
  constructor(app) {
    this.app = app
    this.camera = new Camera()
    this.canvas = h('canvas.source', {})
    this.second = h('canvas.console.hidden', {})
    this.overlay = h('canvas.overlay', {})
    this.surface = h('div.surface', { tabindex: '0', role: 'application', 'aria-label': 'Picture of the model', 'data-test': 'viewport' })
    this.splitter = h('button.splitter.hidden', { type: 'button', role: 'slider', 'aria-label': 'Border between source and console', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': '50', 'data-test': 'splitter' })
    this.element = h('div.view', {}, this.canvas, this.second, this.overlay, this.surface, this.splitter)
    this.split = 0.5
    this.wanted = false
    this.busy = false
    this.moving = 0
    this.flight = null // who moves the camera, if not the hand
    this.listen()
    new ResizeObserver(() => { this.reserve(); this.refit(false) }).observe(this.element)
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

  // Controls and the sheet of a phone cover the lower edge of the picture, and of a narrow one also the upper: the model is
  // shown between them.
  reserve() {
    const { top, bottom, width, height } = this.element.getBoundingClientRect()
    const { tools, looks, legend, missing } = this.app, { free } = this
    const sheet = this.app.sheet && matchMedia(NARROW).matches ? (this.app.sheet === 'tree' ? this.app.left : this.app.right).offsetHeight : 0
    const below = Math.max(tools?.offsetHeight ? bottom - tools.getBoundingClientRect().top : 0, sheet)
    const above = looks?.offsetHeight && width < 640 ? Math.max(...[looks, legend, missing].map((part) => part.getBoundingClientRect().bottom)) - top : 0
    this.element.style.setProperty('--below', `${below}px`)
    this.free = height > 0 ? Math.max(0.2, 1 - (above + below) / height) : 1
    this.camera.shift = height > 0 ? (below - above) / 2 / height : 0
    if (this.framed && Math.abs(this.free - free) > 0.01) this.refit()
  }

  // The room has changed: what was in the frame stays in it. One after the other, while a window is resized.
  async refit(smoothly = true) {
    this.redraw()
    this.unfit = this.framed
    if (this.refitting) return
    this.refitting = true
    while (this.unfit) {
      this.unfit = false
      await this.frameAll(smoothly)
    }
    this.refitting = false
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
      const model = this.app.current()
      await this.draw(model).catch((error) => this.app.current() === model && this.app.say(error.message)) // not of one that was closed
    }
    this.busy = false
    this.element.dataset.drawn = String(Number(this.element.dataset.drawn ?? 0) + 1)
  }

  async draw(model) {
    const { state } = this.app
    if (!model?.drawable || this.element.clientWidth === 0) return
    const compare = this.app.comparing()
    const still = !state.playing && !state.turning && this.moving === 0
    const batches = (format) => (format === 't3dm' && (state.show.batches || state.show.heat) ? { parts: true } : {})
    const fade = state.fading && { clip: state.fading.clip, time: state.fading.time, weight: state.fading.left / state.fade }
    const draw = (key, options, extra = {}) => this.app.viewer.call('draw', { key, options, fade: compare?.model ? null : fade, ...extra })
    const look = compare && !compare.model ? 'clean' : state.look
    const options = { ...this.options(look, 1, still), ...batches(model.info.format) }
    const heat = state.show.heat
    const drawn = await draw(model.key, options, { selection: state.selection, heat })
    this.show(this.canvas, drawn, look)
    this.surface.dataset.command = JSON.stringify(options)
    if (compare) {
      const other = this.options(state.look, compare.scale, still)
      if (compare.model) this.playAlong(other, model, compare.model)
      const settings = { ...other, ...batches(compare.model?.info.format ?? 't3dm') }
      this.show(this.second, await draw(compare.key, settings, { heat }), other.look)
      this.surface.dataset.consoleCommand = JSON.stringify(settings)
    }
    this.second.classList.toggle('hidden', !compare)
    this.splitter.classList.toggle('hidden', !compare)
    this.showOverlay(drawn)
    this.place()
    this.app.timed(drawn.milliseconds)
    if (state.probe && (still || performance.now() - this.probed > 200)) await this.probeAgain()
    if (!still) this.later()
  }

  // Another model plays its clip of the same name, or of the same number, or none.
  playAlong(options, model, other) {
    const clips = other.info.clips ?? [], { name } = model.info.clips?.[options.clip] ?? {}
    const named = clips.findIndex((c) => c.name === name)
    const clip = named >= 0 ? named : options.clip
    if (clips[clip]) return Object.assign(options, { clip, time: Math.min(options.time, clips[clip].seconds) })
    for (const key of ['clip', 'time', 'smooth']) delete options[key]
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

  // The whole model in view, and all of its clip, as the library frames it.
  async frameAll(smoothly = true) {
    const model = this.app.current()
    if (!model?.drawable) return
    const { width, height } = this.layout()
    this.reserve()
    const size = [width / 2, (height * this.free) / 2].map((n) => Math.max(1, Math.round(n)))
    const options = { size: size.join('x'), azimuth: this.camera.azimuth, elevation: this.camera.elevation }
    const { clip } = this.app.state, { duration } = this.app.timeline
    const drawn = [], begun = (this.flight = {})
    for (const part of clip === null ? [0] : [0, 0.25, 0.5, 0.75]) drawn.push(await this.app.viewer.call('draw', { key: model.key, options: { ...options, ...(clip === null ? {} : { clip, time: part * duration }) } }).catch(() => null))
    if (this.flight !== begun) return // the camera was moved by hand meanwhile
    this.flight = null
    if (this.app.current() !== model) return
    if (drawn.includes(null)) return this.redraw() // which says why it cannot be drawn
    const framed = new Camera()
    framed.look(drawn[0].view)
    // The library centres the direction that decides about the distance; what is seen is centred in the other one too.
    const seen = drawn.map(extent).filter(Boolean)
    const off = (low, high) => (Math.min(...seen.map((e) => e[low])) + Math.max(...seen.map((e) => e[high]))) / 2 - 0.5
    if (seen.length) framed.pan((-off('left', 'right') * size[0]) / size[1], -off('top', 'bottom'))
    framed.distance /= this.free
    this.glide({ target: framed.target, distance: framed.distance }, smoothly)
    this.framed = true
  }

  async frameSelection() {
    const { state } = this.app
    const model = this.app.current()
    const bounds = state.selection && model && (await this.app.viewer.call('bounds', { key: model.key, selection: state.selection }))
    if (!bounds) return this.frameAll()
    this.flyTo(bounds)
  }

  flyTo(bounds) {
    const there = new Camera()
    there.frame(bounds)
    this.framed = false
    const { clientWidth: wide, clientHeight: high } = this.element
    this.glide({ target: there.target, distance: 1.15 * there.distance * Math.max(1 / this.free, high / wide) })
  }

  // In a quarter of a second, or at once if the system asks for reduced motion. Pointer input ends it.
  glide(to, smoothly = true) {
    const from = { target: this.camera.target, distance: this.camera.distance }
    this.flight = null
    if (!smoothly || matchMedia('(prefers-reduced-motion: reduce)').matches) return Object.assign(this.camera, to), this.redraw()
    const flight = (this.flight = {})
    const start = performance.now()
    const step = () => {
      if (this.flight !== flight) return
      const t = Math.min(1, (performance.now() - start) / 250)
      const s = t * t * (3 - 2 * t)
      this.camera.target = from.target.map((v, i) => v + (to.target[i] - v) * s)
      this.camera.distance = from.distance * (to.distance / from.distance) ** s
      this.showMotion()
      if (t < 1) requestAnimationFrame(step)
      else this.flight = null
    }
    step()
  }

  // By hand: from now on the camera stays where it is.
  moved() {
    this.framed = false
    this.flight = null
    this.showMotion()
  }

  showMotion() {
    this.moving = 1
    this.redraw()
    this.later()
  }

  // ---- pointer input ----

  async pick(event) {
    const model = this.app.current()
    if (!model?.drawable || !this.surface.dataset.command) return null
    const box = this.canvas.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * 2 - 1, y = 1 - ((event.clientY - box.top) / box.height) * 2
    const hit = await this.app.viewer.call('ray', { key: model.key, ...this.camera.ray(x, y, box.width / box.height) })
    return hit && { ...hit, clientX: event.clientX, clientY: event.clientY, ...(await this.probe(model, event)) }
  }

  // The probe is live: it shows its pixel while the clip plays or the camera moves.
  async probeAgain() {
    const { state } = this.app
    const before = state.probe
    this.probed = performance.now()
    const { clientX, clientY } = before
    const now = (await this.pick(before)) ?? { clientX, clientY, gone: true }
    if (state.probe === before) this.app.showProbe(now)
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
    let travelled = 0, spread = 0, tap = null, byTouch = false
    const gesture = () => {
      const all = [...pointers.values()]
      return { x: all.reduce((s, p) => s + p.x, 0) / all.length, y: all.reduce((s, p) => s + p.y, 0) / all.length, spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 }
    }
    surface.addEventListener('pointerdown', (event) => {
      surface.setPointerCapture(event.pointerId)
      surface.dataset.by = 'pointer' // no focus ring
      byTouch = event.pointerType === 'touch'
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
    const frame = async (event) => ((await this.pick(event)) ? this.frameSelection() : this.frameAll())
    const end = async (event) => {
      const one = pointers.size === 1
      pointers.delete(event.pointerId)
      spread = pointers.size > 1 ? gesture().spread : 0
      if (!one || event.type !== 'pointerup' || travelled >= DRAG || event.button !== 0) return
      const again = byTouch && tap && event.timeStamp - tap.timeStamp < 350 && Math.hypot(event.clientX - tap.clientX, event.clientY - tap.clientY) < 32
      tap = again ? null : event
      const model = this.app.current(), hit = await this.pick(event).catch(() => null)
      if (this.app.current() !== model) return
      this.app.clicked(hit)
      if (again) frame(event)
    }
    surface.addEventListener('pointerup', end)
    surface.addEventListener('pointercancel', end)
    surface.addEventListener('keydown', () => delete surface.dataset.by)
    surface.addEventListener('blur', () => delete surface.dataset.by)
    surface.addEventListener('contextmenu', (event) => event.preventDefault())
    surface.addEventListener('dblclick', (event) => byTouch || frame(event)) // not every browser has it for fingers
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
