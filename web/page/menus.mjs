// menus.mjs: what opens below a button: saving, sharing, keys, light and fog.
import { h, icon, memory } from './dom.mjs'

// With the mouse or fingers, by key, and what it does.
const KEYS = [['drag, one finger', '← ↑ → ↓', 'orbit'], ['right-drag, two fingers', '⇧ ← ↑ → ↓', 'pan'], ['wheel, pinch', '+ −', 'zoom'], ['', 'I K J M', 'fly'], ['double-click, double-tap', 'A', 'frame all'], ['double-click an object', 'F', 'frame the selection'], ['Alt-drag', '', 'move the light'], ['', 'Space', 'play'], ['', ', .', 'previous, next frame'], ['', '1 … 9', 'choose a clip'], ['', 'W B N', 'wireframe, bones, normals'], ['', 'P H U', 'batches, heat map, UV'], ['', 'L', 'next look'], ['', 'C', 'compare source and console'], ['', 'T', 'turntable'], ['', '[ ]', 'show or hide the panels'], ['', 'O S', 'open, save'], ['', 'Esc', 'close, deselect'], ['', '?', 'this list']]

// Settings that a game makes and the file does not hold: options of `render`, with their labels. The first choice is the
// default.
const GAME_NUMBERS = [['near', 'Near plane'], ['far', 'Far plane'], ['modelScale', 'Model scale'], ['exposure', 'Exposure']]
const GAME_CHOICES = [['lightingMode', 'Lighting mode', 'multiply', 'add'], ['antialias', 'Anti-aliasing', 'auto', 'standard', 'off'], ['dither', 'Dither', 'auto', 'square', 'bayer', 'off'], ['colorDepth', 'Colour depth', '16', '32'], ['mipmaps', 'Mipmaps', 'auto', 'off']]

export class Menus {
  constructor(app) {
    this.app = app
  }

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
    // Settings of the picture are beside it, or where there is no room at its right edge: the model should be seen.
    const view = this.app.viewport.element.getBoundingClientRect(), inPicture = button.closest('.tools')
    if (inPicture) element.style.maxHeight = `${view.height - 24}px`
    const box = button.getBoundingClientRect(), own = element.getBoundingClientRect()
    const beside = innerWidth - view.right > own.width + 24 ? view.right + 12 : view.right - own.width - 12
    const left = inPicture ? beside : box.left, top = inPicture ? view.bottom - own.height - 12 : box.bottom + 8
    element.style.left = `${Math.max(12, Math.min(innerWidth - own.width - 12, left))}px`
    element.style.top = `${Math.max(12, Math.min(innerHeight - own.height - 12, top))}px`
    button.setAttribute('aria-expanded', 'true')
    this.open = { element, button }
    element.querySelector('button, input, select')?.focus({ preventScroll: true })
  }

  item(name, label, detail, action, test) {
    return h('button.menu-item', { type: 'button', 'data-test': test, onclick: () => { this.popover(null); action() } }, icon(name), h('span', {}, label, h('small', {}, detail)))
  }

  saveMenu() {
    const model = this.app.current()
    if (!model?.drawable) return h('p', {}, 'Open a model first.')
    const moving = this.app.state.clip !== null
    return [
      h('h2', {}, 'Model'),
      this.item('save', 'T3DM', 'for Tiny3D, with its streams and sprites', () => this.app.saving.saveAs('t3dm', ['--sprites']), 'save-t3dm'),
      model.info.format === 't3dm' ? this.item('save', 'T3DM, optimized', 'the same triangles, less work for the console', () => this.app.saving.saveOptimized(), 'save-optimized') : null,
      this.item('save', 'glTF binary', '.glb for Blender and others', () => this.app.saving.saveAs('glb'), 'save-glb'),
      this.item('save', 'NLM', 'for NiteLite', () => this.app.saving.saveAs('nlm'), 'save-nlm'),
      this.item('save', 'N64 model', '.model, with display lists', () => this.app.saving.saveAs('model'), 'save-model'),
      h('h2', {}, 'Picture'),
      this.item('save', 'PNG', 'this view', () => this.app.saving.savePicture('png'), 'save-png'),
      this.item('save', moving ? 'GIF of the clip' : 'GIF turntable', moving ? 'from this view' : 'one full turn', () => this.app.saving.savePicture('gif'), 'save-gif'),
      this.item('save', moving ? 'APNG of the clip' : 'APNG turntable', 'in full colour', () => this.app.saving.savePicture('apng'), 'save-apng'),
      moving ? this.item('turn', 'Turntable', 'GIF, one full turn', () => this.app.saving.savePicture('gif', true), 'save-turntable') : null,
    ]
  }

  shareMenu() {
    const model = this.app.current()
    if (!model?.drawable) return h('p', {}, 'Open a model first.')
    const hosted = new URLSearchParams(location.hash.slice(1)).get('url')
    return [
      this.item('share', 'Single HTML file', 'this page with the model inside, ready to send', () => this.app.saving.saveHtml(), 'save-html'),
      hosted ? this.item('share', 'Copy link', 'to this page and the hosted model', () => this.app.saving.copy(location.href), 'copy-link') : null,
      this.item('share', 'Copy command', 'the command line that draws this picture', () => this.app.saving.copy(this.app.saving.command()), 'copy-command'),
    ]
  }

  helpMenu() {
    return [h('h2', {}, 'Controls'), h('dl.keys', {}, KEYS.flatMap(([hands, keys, what]) => [h('dt', {}, keys.split(' ').filter(Boolean).map((key) => h('kbd', {}, key))), h('dd', {}, what, hands && h('small', {}, hands))])), h('p.soft', {}, 'Everything stays on this machine.'), h('button.button', { type: 'button', onclick: () => this.app.toggleTheme() }, icon('theme'), 'Switch between light and dark')]
  }

  sceneMenu() {
    const { state } = this.app
    const change = (object, key, read = (input) => input.value) => (event) => { object[key] = read(event.target); this.app.viewport.redraw() }
    const checked = (input) => input.checked, number = (input) => Number(input.value)
    const field = (label, control) => h('label.field', {}, label, control)
    // Moving a slider of light or fog switches it on.
    const box = (name) => h('input', { type: 'checkbox', 'data-test': name, checked: state[name].on, onchange: change(state[name], 'on', checked) })
    const boxes = { light: box('light'), fog: box('fog') }
    const within = (name, key, read) => (event) => { boxes[name].checked = state[name].on = true; change(state[name], key, read)(event) }
    return [
      h('h2', {}, 'Picture'),
      field('Background', h('select', { 'data-test': 'background', onchange: change(state, 'background') }, ['theme', 'black', 'grey', 'white'].map((b) => h('option', { value: b, selected: state.background === b }, b === 'theme' ? 'same as theme' : b)))),
      field('Resolution', h('select', { 'data-test': 'lines', onchange: change(state, 'lines', number) }, [240, 288, 480].map((n) => h('option', { value: String(n), selected: state.lines === n }, `${n} lines`)))),
      field('Theme', h('select', { 'data-test': 'theme-choice', onchange: (event) => this.app.chooseTheme(event.target.value) }, [['', 'same as system'], ['dark', 'dark'], ['light', 'light']].map(([value, label]) => h('option', { value, selected: (memory.get('theme', null) ?? '') === value }, label)))),
      field('Dither filter (TV)', h('input', { type: 'checkbox', 'data-test': 'dedither', checked: state.dedither, onchange: change(state, 'dedither', checked) })),
      h('h2', {}, 'Light'),
      field('Custom light', boxes.light),
      field('Azimuth', h('input', { type: 'range', min: '-180', max: '180', value: String(state.light.azimuth), 'data-test': 'light-azimuth', oninput: within('light', 'azimuth', number) })),
      field('Elevation', h('input', { type: 'range', min: '-90', max: '90', value: String(state.light.elevation), oninput: within('light', 'elevation', number) })),
      field('Colour', h('input', { type: 'color', value: state.light.color, oninput: within('light', 'color') })),
      field('Ambient', h('input', { type: 'color', value: state.light.ambient, oninput: within('light', 'ambient') })),
      h('p.soft.by-mouse', {}, 'Alt-drag in the picture to move the light.'),
      h('h2', {}, 'Fog'),
      field('Fog', boxes.fog),
      field('Start', h('input', { type: 'range', min: '0', max: '2', step: '0.05', value: String(state.fog.begin), oninput: within('fog', 'begin', number) })),
      field('End', h('input', { type: 'range', min: '0.1', max: '4', step: '0.05', value: String(state.fog.end), 'data-test': 'fog-end', oninput: within('fog', 'end', number) })),
      h('p.soft', {}, 'Shows on materials that have fog turned on.'),
      h('h2', {}, 'Set by the game'),
      GAME_NUMBERS.map(([key, label]) => field(label, h('input', { type: 'number', min: '0', step: 'any', placeholder: 'auto', 'data-test': `game-${key}`, value: state.game[key], onchange: change(state.game, key, (input) => (Number(input.value) > 0 ? input.value : '')) }))),
      GAME_CHOICES.map(([key, label, first, ...others]) => field(label, h('select', { 'data-test': `game-${key}`, onchange: change(state.game, key) }, h('option', { value: '', selected: !state.game[key] }, first), others.map((value) => h('option', { value, selected: state.game[key] === value }, value))))),
      field('Point light', h('input', { type: 'text', placeholder: 'X,Y,Z,SIZE', 'data-test': 'game-pointLight', value: state.game.pointLight, onchange: change(state.game, 'pointLight', (input) => (/^(-?[\d.]+,){3}[\d.]+$/.test(input.value.replaceAll(' ', '')) ? input.value.replaceAll(' ', '') : '')) })),
      h('p.soft', {}, 'Distances are in the units of the file. All but the two planes apply to the N64 and TV looks only.'),
    ]
  }
}
