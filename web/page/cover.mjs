// cover.mjs: shown in place of the picture: the invitation, the wall of thumbnails, or the error of a broken file.
import { count, h, icon, sentence } from './dom.mjs'
import { paint } from './panels.mjs'

export class Cover {
  constructor(app) {
    this.app = app
    this.element = h('div', {})
  }

  render() {
    const model = this.app.current()
    if (this.app.state.wall) return this.element.firstChild === this.wall() ? null : this.element.replaceChildren(this.wall())
    // No invitation while a model is loading.
    if (!model && this.app.state.opening) return this.element.replaceChildren(h('div.empty', {}, h('p', {}, 'Opening…')))
    if (!model) return this.element.querySelector('.drop') ? null : this.element.replaceChildren(this.emptyState())
    if (model.info && !model.drawable) return this.element.replaceChildren(h('div.empty', {}, h('div.broken', { 'data-test': 'broken' }, h('span.sev-error', {}, icon('error')), h('h1', {}, 'This file cannot be drawn'), h('p', {}, this.reason(model)), h('button.button.main', { type: 'button', onclick: () => this.app.showTab('findings') }, 'What is wrong'))))
    this.element.replaceChildren()
  }

  // The first thing that is wrong, and where.
  reason(model) {
    const found = model.check?.findings?.find((f) => f.severity !== 'note')
    return found ? sentence([found.path, found.text].filter(Boolean).join(' ')) : ''
  }

  emptyState() {
    this.art = h('canvas.art', { width: 192, height: 108, 'aria-hidden': 'true' })
    return h('div.empty', {}, h('div.drop', {}, this.art, h('h1', {}, h('span.by-mouse', {}, 'Drop a model here'), h('span.by-touch', {}, 'Open a model')), h('p', {}, 'See it as a Nintendo 64 draws it, what it costs, and what is wrong with it. Nothing leaves this machine.'),
      h('div.row', {}, h('button.button.main', { type: 'button', 'data-test': 'open-large', onclick: () => this.app.pick.click() }, icon('open'), 'Open'), h('button.button', { type: 'button', 'data-test': 'mascot', onclick: () => this.showMascot() }, icon('logo'), 'Show me a trilobite')),
      h('p.kinds', {}, 'A file, several files, or ', h('button.link', { type: 'button', 'data-test': 'open-folder', onclick: () => this.app.pickFolder.click() }, 'a whole folder'), h('br', {}), '.t3dm with .sdata and sprites · .glb · .gltf · .nlm · .model · .zip · ROM')))
  }

  // The mascot, drawn by the module itself.
  async drawArt() {
    const glb = await this.app.viewer.call('mascot', { name: 'trilobite.glb' })
    await this.app.viewer.call('put', { key: 'art', name: 'trilobite.glb', files: new Map([['trilobite.glb', glb]]) })
    await this.app.viewer.call('stage', { key: 'art', options: {} })
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    for (let i = 0; this.art?.isConnected; i++) {
      const picture = await this.app.viewer.call('draw', { key: 'art', options: { size: '192x108', background: 'none', clip: 0, time: (i / 20) % 1, azimuth: 40 + (still ? 0 : i), elevation: 25 } })
      if (this.art?.isConnected) paint(this.art, picture)
      if (still) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    this.app.viewer.call('forget', { key: 'art' })
  }

  async showMascot() {
    const glb = await this.app.viewer.call('mascot', { name: 'trilobite.glb' })
    await this.app.library.take(new Map([['trilobite.glb', glb]]))
  }

  // Made once for a list of models; a card changes when something is known about its model.
  wall() {
    const { models } = this.app.state
    if (this.walled !== models) {
      this.walled = models
      this.cards = new Map(models.map((model) => [model.key, h('button.card', { type: 'button', onclick: () => this.app.library.show(model.key) })]))
      this.cardWall = h('div.wall', { 'data-test': 'thumbnails' }, [...this.cards.values()])
      models.forEach((model) => this.showCard(model))
    }
    return this.cardWall
  }

  showCard(model) {
    const canvas = h('canvas', { width: 176, height: 132, 'aria-hidden': 'true' })
    if (model.thumbnail) paint(canvas, model.thumbnail)
    const [kind, ...text] = model.check ? this.app.verdict(model) : ['busy', '…']
    const figures = model.info?.counts ? `${count(model.info.counts.triangles)} tris${model.cost?.figures.microseconds ? ` · ${count(Math.round(model.cost.figures.microseconds))} µs` : ''}` : model.info ? 'cannot be drawn' : ''
    this.cards?.get(model.key)?.replaceChildren(canvas, h('div', {}, model.name.split('/').pop()), h('div.soft.number', {}, figures), h(`div.soft.state.sev-${kind}`, {}, model.check ? icon(kind) : null, h('span', {}, text[0], kind === 'good' ? h('span.long', {}, text[1]) : null)))
  }
}
