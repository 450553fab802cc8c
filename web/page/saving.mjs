// saving.mjs: what can be saved: models, pictures, this page with the model inside.
import { download, shellCommand, template, zip } from './files.mjs'

export class Saving {
  constructor(app) {
    this.app = app
  }

  stem() {
    return this.app.current().name.split('/').pop().replace(/\.[^.]*$/, '')
  }

  // Work that can be cancelled: the worker is started anew.
  async work(what, args, files = []) {
    const model = this.app.current()
    const step = this.app.busy(what, () => this.cancel())
    try {
      const result = await this.app.jobs.call('run', { key: model.key, args, files }, step)
      const errors = result.stderr.split('\n').filter((line) => / (warning|error) /.test(line))
      if (result.files.size === 0) throw new Error(result.stderr.trim() || 'nothing was written')
      this.app.say(errors.length ? `${what}: ${errors[0].replace(/^out\//, '')}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}` : '', 8000)
      return result.files
    } catch (error) {
      this.app.say(error.message === 'cancelled' ? 'Cancelled.' : error.message, 8000)
      return null
    }
  }

  cancel() {
    this.app.jobs.restart()
    const shared = this.app.state.models.find((model) => model.folder)
    if (shared) this.app.jobs.call('share', { id: shared.folder, files: shared.files })
    for (const model of this.app.state.models) if (model.info) this.app.jobs.call('put', this.app.library.placeOf(model))
  }

  give(files, main) {
    if (!files) return
    const named = new Map([...files].map(([name, data]) => [name.replace(/^out\//, ''), data]))
    if (named.size === 1) download(main, named.get(main) ?? [...named.values()][0])
    else download(main.replace(/\.[^.]*$/, '.zip'), zip(named))
  }

  async saveAs(ending, more = []) {
    const name = `${this.stem()}.${ending}`
    const same = this.app.current().info.format === { t3dm: 't3dm', glb: 'gltf', nlm: 'nlm', model: 'model64' }[ending]
    this.give(await this.work(`Saving ${name}`, ['convert', ...(same ? [] : more), this.app.current().name, `out/${name}`]), name)
  }

  async saveOptimized() {
    const name = `${this.stem()}.t3dm`
    this.give(await this.work('Optimizing', ['optimize', '-q', this.app.current().name, `out/${name}`]), name)
  }

  // The options of the last picture as words of a command line.
  words(options) {
    return Object.entries(options).flatMap(([name, value]) => {
      const option = `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
      return value === true ? [option] : value === false ? [] : (Array.isArray(value) ? value : [value]).flatMap((one) => [option, String(one)])
    })
  }

  command() {
    const options = this.app.viewport.options(this.app.state.look, 1, true)
    const name = this.app.current().name.replace(/^-/, './-')
    return shellCommand(['trilobite', 'render', name, ...this.words(options), '-o', `${this.stem()}.png`.replace(/^-/, './-')])
  }

  async savePicture(ending, turntable = false) {
    const name = `${this.stem()}.${ending}`
    const { time, camera, ...options } = this.app.viewport.options(this.app.state.look, 1, ending === 'png')
    const turns = turntable || (ending !== 'png' && this.app.state.clip === null)
    if (ending === 'png') Object.assign(options, { camera }, this.app.state.clip === null ? {} : { time })
    else if (turns) Object.assign(options, { turntable: true, elevation: this.app.viewport.camera.elevation, azimuth: this.app.viewport.camera.azimuth }, { clip: null })
    else Object.assign(options, { camera })
    if (options.clip === null) delete options.clip
    this.give(await this.work(`Drawing ${name}`, ['render', '--color', 'never', ...this.words(options), this.app.current().name, '-o', `out/${name}`]), name)
  }

  // With what the model needs of the files that were opened, and nothing else.
  async saveHtml() {
    const name = `${this.stem()}.html`
    this.give(await this.work(`Writing ${name}`, ['page', '-q', this.app.current().name, '--template', 'template.html', '-o', `out/${name}`], [['template.html', template()]]), name)
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text)
      this.app.say('Copied.', 1500)
    } catch {
      this.app.say(text, 20000)
    }
  }
}
