// menus.mjs: what opens below a button: saving, sharing, keys, light and fog.
import { h, icon } from './dom.mjs'

const KEYS = [['drag, arrows', 'orbit'], ['Shift-drag, Shift-arrows', 'pan'], ['wheel, + −', 'zoom'], ['I K J M', 'fly'], ['A', 'frame all'], ['F', 'frame the selection'], ['Space', 'play'], [', .', 'one frame back, on'], ['1–9', 'choose a clip'], ['W B N P H U', 'wireframe, bones, normals, batches, heat map, UV'], ['L', 'next look'], ['C', 'compare source and console'], ['T', 'turntable'], ['[ ]', 'fold the panels'], ['O S', 'open, save'], ['Esc', 'close, deselect'], ['?', 'these keys']]

// Settings that a game makes and the file does not hold: options of `render`, with their labels. The first choice is the
// default.
const GAME_NUMBERS = [['near', 'Near plane'], ['far', 'Far plane'], ['modelScale', 'Scale of the model'], ['exposure', 'Exposure']]
const GAME_CHOICES = [['lightingMode', 'Light and colours', 'multiply', 'add'], ['antialias', 'Anti-aliasing', 'auto', 'standard', 'off'], ['dither', 'Dither', 'auto', 'square', 'bayer', 'off'], ['colorDepth', 'Bits of a pixel', '16', '32'], ['mipmaps', 'Mipmaps', 'auto', 'off']]

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
    const model = this.app.current()
    if (!model?.drawable) return h('p', {}, 'Open a model first.')
    const moving = this.app.state.clip !== null
    return [
      h('h2', {}, 'Model'),
      this.item('save', 'T3DM', 'for Tiny3D, with its streams and sprites', () => this.app.saving.saveAs('t3dm', ['--sprites']), 'save-t3dm'),
      model.info.format === 't3dm' ? this.item('save', 'T3DM, optimised', 'the same triangles, less work for the console', () => this.app.saving.saveOptimized(), 'save-optimized') : null,
      this.item('save', 'glTF binary', '.glb for Blender and others', () => this.app.saving.saveAs('glb'), 'save-glb'),
      this.item('save', 'NLM', 'for NiteLite', () => this.app.saving.saveAs('nlm'), 'save-nlm'),
      this.item('save', 'Model', '.model, with display lists', () => this.app.saving.saveAs('model'), 'save-model'),
      h('h2', {}, 'Picture'),
      this.item('save', 'PNG', 'this view', () => this.app.saving.savePicture('png'), 'save-png'),
      this.item('save', moving ? 'GIF of the clip' : 'GIF, turning', moving ? 'from this view' : 'once around', () => this.app.saving.savePicture('gif'), 'save-gif'),
      this.item('save', moving ? 'APNG of the clip' : 'APNG, turning', 'all colours', () => this.app.saving.savePicture('apng'), 'save-apng'),
      moving ? this.item('turn', 'Turntable', 'GIF, once around', () => this.app.saving.savePicture('gif', true), 'save-turntable') : null,
    ]
  }

  shareMenu() {
    const model = this.app.current()
    if (!model?.drawable) return h('p', {}, 'Open a model first.')
    const hosted = new URLSearchParams(location.hash.slice(1)).get('url')
    return [
      this.item('share', 'One HTML file', 'this page with the model inside, to send to anybody', () => this.app.saving.saveHtml(), 'save-html'),
      hosted ? this.item('share', 'Copy link', 'to this page and the hosted model', () => this.app.saving.copy(location.href), 'copy-link') : null,
      this.item('share', 'Copy command', 'that draws this picture in a terminal', () => this.app.saving.copy(this.app.saving.command()), 'copy-command'),
    ]
  }

  helpMenu() {
    return [h('h2', {}, 'Keys'), h('div.keys', {}, KEYS.flatMap(([key, what]) => [h('kbd', {}, key), h('span', {}, what)])), h('p.soft', {}, 'Everything stays on this machine.'), h('button.button', { type: 'button', onclick: () => this.app.toggleTheme() }, icon('theme'), 'Light or dark')]
  }

  sceneMenu() {
    const { state } = this.app
    const change = (object, key, read = (input) => input.value) => (event) => { object[key] = read(event.target); this.app.viewport.redraw() }
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
}
