// timeline.mjs: clips, the scrubber, and time passing.
import { h, icon, iconButton } from './dom.mjs'

const RATE = 30 // frames a second of a clip whose file has no rate
const LOOPS = [['loop', 'Loop'], ['pingpong', 'Back and forth'], ['once', 'Once']]

export class Timeline {
  constructor(app) {
    this.app = app
    this.marks = h('canvas', {})
    this.range = h('input', { type: 'range', min: '0', max: '1', step: 'any', 'aria-label': 'Time in the clip', 'data-test': 'scrubber', oninput: () => { const seconds = Number(this.range.value); this.pause(); this.seek(seconds) } })
    this.clips = h('select', { 'aria-label': 'Clip', 'data-test': 'clips', onchange: () => this.choose(this.clips.value === '' ? null : Number(this.clips.value)) })
    this.playButton = iconButton('play', 'Play', 'space', () => this.toggle(), { 'data-test': 'play' })
    this.loopButton = iconButton('loop', 'Loop', '', () => this.nextLoop(), { 'data-test': 'loop' })
    this.speed = h('select.speed', { 'aria-label': 'Speed', 'data-test': 'speed', onchange: () => (app.state.speed = Number(this.speed.value)) }, [0.1, 0.25, 0.5, 1, 2, 4].map((s) => h('option', { value: String(s), selected: s === 1 }, `${s}×`)))
    this.fade = h('select.speed', { 'aria-label': 'Cross-fade between clips', title: 'Cross-fade between clips', 'data-test': 'fade', onchange: () => (app.state.fade = Number(this.fade.value)) }, [0, 0.2, 0.5, 1].map((s) => h('option', { value: String(s) }, s ? `fade ${s} s` : 'no fade')))
    this.smooth = h('button.button.smooth', { type: 'button', 'aria-pressed': 'false', title: 'Interpolate smoothly instead of as the console does', 'data-test': 'smooth', onclick: () => { app.state.smooth = !app.state.smooth; this.render(); app.viewport.redraw() } }, 'Smooth')
    this.clock = h('div.clock.number.soft', { 'data-test': 'clock' })
    this.element = h('div.time', { role: 'group', 'aria-label': 'Animation' })
    new ResizeObserver(() => this.drawMarks()).observe(this.element)
  }

  get clip() {
    const { state } = this.app
    return state.clip === null ? null : this.app.current()?.info?.clips?.[state.clip]
  }

  get duration() {
    return this.clip?.seconds ?? 0
  }

  get frameTime() {
    return 1 / (this.clip?.rate > 0 ? Math.min(this.clip.rate, 60) : RATE)
  }

  open() {
    const clips = this.app.current()?.info?.clips ?? []
    this.keyTimes = []
    if (clips.length === 0) {
      this.element.replaceChildren(h('div.none', {}, this.app.current()?.drawable ? 'This model has no animation clips.' : 'There is nothing to play.'))
      return
    }
    this.clips.replaceChildren(h('option', { value: '' }, 'Rest pose'), ...clips.map((clip, i) => h('option', { value: String(i) }, clip.name || `clip ${i}`)))
    this.element.replaceChildren(
      h('div.group', {}, this.clips, iconButton('previous', 'Previous frame', ',', () => this.step(-1), { 'data-test': 'back' }), this.playButton, iconButton('next', 'Next frame', '.', () => this.step(1), { 'data-test': 'on' })),
      h('div.track', {}, this.marks, this.range),
      h('div.group.extra', {}, this.clock, this.fade, this.speed, this.loopButton, this.smooth),
    )
    this.render()
    this.loadKeys()
  }

  async loadKeys() {
    const { clip } = this.app.state
    const model = this.app.current()
    const times = clip === null || !model?.drawable ? [] : await this.app.viewer.call('keyTimes', { key: model.key, clip }).catch(() => [])
    if (this.app.current() !== model || this.app.state.clip !== clip) return
    this.keyTimes = times
    this.drawMarks()
  }

  choose(clip) {
    const { state } = this.app
    const fades = state.playing && state.fade > 0 && state.clip !== null && clip !== null && clip !== state.clip
    state.fading = fades ? { clip: state.clip, time: state.time, left: state.fade } : null
    state.clip = clip
    state.time = 0
    state.direction = 1
    this.loadKeys()
    this.render()
    this.app.viewport.redraw()
    if (this.app.viewport.framed) this.app.viewport.frameAll()
  }

  seek(seconds) {
    this.app.state.time = Math.max(0, Math.min(this.duration, seconds))
    this.render()
    this.app.viewport.redraw()
  }

  step(frames) {
    this.pause()
    if (this.app.state.clip === null && this.clips.options.length > 1) this.choose(0)
    const frame = Math.round(this.app.state.time / this.frameTime) + frames
    const last = Math.round(this.duration / this.frameTime)
    this.seek((frame < 0 ? last : frame > last ? 0 : frame) * this.frameTime)
  }

  pause() {
    this.app.state.playing = false
    this.render()
  }

  toggle() {
    const { state } = this.app
    if (state.clip === null) this.choose(0)
    if (!this.clip) return
    state.playing = !state.playing
    if (state.playing && state.loop === 'once' && state.time >= this.duration) state.time = 0
    this.render()
    if (state.playing) this.run()
    else this.app.viewport.redraw()
  }

  nextLoop() {
    const { state } = this.app
    const at = LOOPS.findIndex(([name]) => name === state.loop)
    state.loop = LOOPS[(at + 1) % LOOPS.length][0]
    state.direction = 1
    this.render()
  }

  // Until it is paused; a hidden page waits.
  run() {
    let last = performance.now()
    const tick = (now) => {
      const { state } = this.app
      if (!state.playing) return
      this.pass(((now - last) / 1000) * state.speed)
      last = now
      this.app.viewport.redraw()
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  }

  pass(seconds) {
    const { state } = this.app
    const length = this.duration
    let time = state.time + Math.min(seconds, 0.25 * state.speed) * state.direction
    if (state.loop === 'loop') time = length > 0 ? ((time % length) + length) % length : 0
    else if (state.loop === 'pingpong' && (time > length || time < 0)) {
      state.direction = time > length ? -1 : 1
      time = time > length ? 2 * length - time : -time
    } else if (state.loop === 'once' && time >= length) {
      time = length
      state.playing = false
    }
    state.time = Math.max(0, Math.min(length, time))
    if (state.fading) {
      const before = this.app.current().info.clips[state.fading.clip].seconds
      state.fading.time = before > 0 ? (state.fading.time + seconds) % before : 0
      state.fading.left -= seconds
      if (state.fading.left <= 0) state.fading = null
    }
    this.render()
  }

  render() {
    const { state } = this.app
    this.clips.value = state.clip === null ? '' : String(state.clip)
    this.range.max = String(this.duration || 1)
    this.range.value = String(state.time)
    this.range.disabled = state.clip === null
    const frame = Math.round(state.time / this.frameTime)
    this.clock.textContent = state.clip === null ? '' : `${state.time.toFixed(2)} / ${this.duration.toFixed(2)} s · frame ${frame}`
    this.range.setAttribute('aria-valuetext', `${state.time.toFixed(2)} of ${this.duration.toFixed(2)} seconds, frame ${frame}`)
    this.face(this.playButton, state.playing ? 'pause' : 'play', state.playing ? 'Pause' : 'Play')
    const [name, label] = LOOPS.find(([n]) => n === state.loop)
    this.face(this.loopButton, name, `When it ends: ${label}`)
    this.smooth.setAttribute('aria-pressed', String(state.smooth))
    this.smooth.classList.toggle('hidden', this.app.current()?.info?.format !== 't3dm')
  }

  // Only when it changes: an icon that is replaced under a finger swallows the click.
  face(button, name, label) {
    if (button.dataset.icon === name) return
    button.dataset.icon = name
    button.replaceChildren(icon(name))
    button.setAttribute('aria-label', label)
    button.title = name === 'play' || name === 'pause' ? `${label} (space)` : label
  }

  drawMarks() {
    const { marks } = this
    const ratio = window.devicePixelRatio || 1
    const wide = (marks.width = Math.round(marks.clientWidth * ratio)), high = (marks.height = Math.round(marks.clientHeight * ratio))
    if (!wide || !this.duration) return
    const context = marks.getContext('2d')
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--soft')
    context.globalAlpha = 0.55
    const pad = 8 * ratio
    for (const time of this.keyTimes ?? []) context.fillRect(Math.round(pad + (time / this.duration) * (wide - 2 * pad)), high * 0.7, Math.max(1, ratio), high * 0.18)
  }
}
