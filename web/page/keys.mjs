// keys.mjs: input on the whole page: dropping, pasting, keys.
import { readTransfer } from './files.mjs'
import { LOOKS } from './viewport.mjs'

export class Keys {
  constructor(app) {
    this.app = app
  }

  listen() {
    const body = document.body
    addEventListener('dragover', (event) => { event.preventDefault(); body.classList.add('dragging') })
    addEventListener('dragleave', (event) => event.relatedTarget || body.classList.remove('dragging'))
    addEventListener('drop', (event) => { event.preventDefault(); body.classList.remove('dragging'); this.app.library.receive((step) => readTransfer(event.dataTransfer, step)) })
    addEventListener('paste', (event) => { if (event.clipboardData.files.length) this.app.library.receive((step) => readTransfer(event.clipboardData, step)) })
    addEventListener('keydown', (event) => this.key(event))
    addEventListener('pointerdown', (event) => { if (this.app.menus.open && !this.app.menus.open.element.contains(event.target) && !this.app.menus.open.button.contains(event.target)) this.app.menus.popover(null) })
    addEventListener('beforeunload', () => (this.app.state.playing = false))
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      if (event.key === 'Escape') this.app.menus.popover(null)
      return
    }
    const { camera } = this.app.viewport
    const move = (fn) => () => { fn(); this.app.touched(); this.app.viewport.moved() }
    const arrow = (x, y) => move(() => (event.shiftKey ? camera.pan(-x * 0.04, -y * 0.04) : camera.orbit(-x * 6, y * 6)))
    const keys = {
      ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, 1), ArrowDown: arrow(0, -1), '+': move(() => camera.zoom(0.9)), '=': move(() => camera.zoom(0.9)), '-': move(() => camera.zoom(1.1)),
      i: move(() => camera.fly(1, 0)), k: move(() => camera.fly(-1, 0)), j: move(() => camera.fly(0, -1)), m: move(() => camera.fly(0, 1)),
      a: () => this.app.viewport.frameAll(), f: () => this.app.viewport.frameSelection(), ' ': () => this.app.timeline.toggle(), ',': () => this.app.timeline.step(-1), '.': () => this.app.timeline.step(1),
      w: () => this.app.toggle('wireframe'), b: () => this.app.toggle('bones'), n: () => this.app.toggle('normals'), p: () => this.app.toggle('batches'), h: () => this.app.toggle('heat'), t: () => this.app.toggle('turn'),
      u: () => this.app.unwrap(),
      l: () => this.app.setLook(LOOKS[(LOOKS.findIndex(([n]) => n === this.app.state.look) + 1) % LOOKS.length][0]), c: () => this.app.toggleCompare(), o: () => this.app.pick.click(), s: () => this.app.saveButton.click(), '[': () => this.app.fold('left'), ']': () => this.app.fold('right'), '?': () => this.app.head.querySelector('[data-test=help]').click(),
      Escape: () => { if (this.app.menus.open) { const { button } = this.app.menus.open; this.app.menus.popover(null); button.focus() } else if (this.app.sheet) this.app.openSheet(null); else this.app.select(null) },
    }
    const onButton = event.target.tagName === 'BUTTON' && (event.key === ' ' || event.key === 'Enter')
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const clip = /^[1-9]$/.test(name) && this.app.current()?.info?.clips?.[Number(name) - 1]
    if (onButton || (!keys[name] && !clip) || (!this.app.current() && !['o', '?', 'Escape'].includes(name))) return
    if (this.app.menus.open && name !== 'Escape') return
    event.preventDefault()
    clip ? this.app.timeline.choose(Number(name) - 1) : keys[name]()
  }
}
