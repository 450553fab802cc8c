// library.mjs: the models that are open: read, checked, converted for the console, read again when their files change.
import { unpack } from './archives.mjs'
import { plural } from './dom.mjs'
import { CONSOLE, isModel, readView } from './files.mjs'
import { worstFirst } from './panels.mjs'

// Findings from lines of the program: "hero.t3dm: warning CODE: path: text".
function readMessages(text) {
  return text.split('\n').flatMap((line) => {
    const found = /^.*?: (console-crash|error|warning|note)(?: ([A-Z0-9-]+))?: (?:([a-z_]+\[[^ ]*|[a-z_]+): )?(.*)$/.exec(line)
    return found ? [{ severity: found[1], code: found[2] ?? '', path: found[3] ?? '', text: found[4], offset: null }] : []
  })
}

// Textures and streams that a model names, but that were not among the files.
export function missingFiles({ info, messages }) {
  const textures = [...(messages ?? '').matchAll(/: textures\[\d+\]: (\S+) was not found/g)].map((found) => found[1])
  const streams = (info?.clips ?? []).flatMap((clip) => (clip.stream && !clip.stream.found ? [clip.stream.path] : []))
  return [...new Set([...textures, ...streams])].map((path) => path.split('/').pop())
}

function sameFiles(a, b) {
  return a.size === b.size && [...a].every(([name, bytes]) => bytes.length === b.get(name)?.length && bytes.every((v, i) => v === b.get(name)[i]))
}

export class Library {
  constructor(app) {
    this.app = app
    this.made = 0 // models and folders so far
  }

  async infoOf(name, files) {
    await this.app.jobs.call('put', { key: 'probe', name, files })
    return (await this.app.jobs.json('probe', ['info', '--json', name])).files[0]
  }

  // Files from outside: `reading` starts at once and resolves to them, and calls what it is given for each.
  async receive(reading) {
    let toast = null, count = 0
    const waits = setTimeout(() => (toast = (this.app.busy('Reading the files'), this.app.toast)), 300)
    try {
      const files = await reading(() => (count++, toast && (toast.firstChild.data = `Reading ${plural(count, 'file')}…`)))
      const unpacked = await unpack(files, (args, given) => this.app.jobs.call('run', { key: null, args, files: given }))
      await this.take(unpacked, null, () => (clearTimeout(waits), toast && this.app.say('')))
    } catch (error) {
      this.app.say(error.message, 10000)
    } finally {
      clearTimeout(waits)
    }
  }

  // Files of any kind: every model among them is opened, the others belong to them.
  async take(files, open = null, onRead = () => {}) {
    const names = open ? [open] : [...files.keys()].filter(isModel).sort()
    if (names.length === 0) {
      if (this.app.current()?.drawable && files.size > 0 && [...files.keys()].every((name) => /\.(sdata|sprite|png|jpe?g|bin)$/i.test(name))) return this.complete(files, onRead)
      const other = [...files.keys()].filter((name) => !/\.(sdata|sprite|png|jpe?g|bin|txt|md)$/i.test(name))
      if (other.length !== 1) return this.app.say(files.size === 0 ? 'There was no file.' : 'There is no model among these files: .t3dm, .nlm, .model, .glb or .gltf.')
      names.push(other[0]) // perhaps one with another name: the content decides
    }
    onRead()
    const workers = [this.app.viewer, this.app.jobs], folder = `f${this.made++}`
    await Promise.all(workers.map((worker) => worker.call('share', { id: folder, files })))
    // What was open is drawn until here.
    const { models: closed } = this.app.state
    const models = names.map((name) => ({ key: `m${this.made++}`, name, files, folder }))
    Object.assign(this.app.state, { models, key: null, selection: null, probe: null, measure: [], beside: null })
    for (const model of closed) this.forget(model)
    for (const worker of workers) worker.call('unshare', { id: this.folder })
    this.folder = folder
    this.app.setWall(names.length > 1)
    if (names.length > 1) await this.fillWall()
    else await this.show(this.app.state.models[0].key)
  }

  // Files that the open model did not have: they are put beside it.
  async complete(files, onRead) {
    const { name: open, files: known } = this.app.current()
    const folder = open.replace(/[^/]*$/, '')
    onRead()
    await this.reload({ open, files: new Map([...known, ...[...files].map(([name, bytes]) => [folder + name.split('/').pop(), bytes])]) })
  }

  forget(model) {
    for (const worker of [this.app.viewer, this.app.jobs]) for (const { key } of [model, model.console ?? []].flat()) worker.call('forget', { key })
  }

  // Reads, checks and draws a model. What is known already stays.
  async load(model) {
    await Promise.all([this.app.viewer, this.app.jobs].map((worker) => worker.call('put', this.placeOf(model))))
    const run = (...args) => this.app.jobs.json(model.key, [...args, model.name]).then((all) => all.files[0])
    model.raw = model.files.get(model.name)
    const [info, staged] = await Promise.all([run('info', '--json').catch((error) => ({ readable: false, error: error.message })), this.open(model)])
    const title = this.app.formats?.find((f) => f.name === info.format)?.title ?? 'Unknown format'
    Object.assign(model, { info, title }, staged) // at once: what can be drawn has all that drawing asks for
  }

  placeOf({ key, name, files, folder }) {
    return folder ? { key, name, folder } : { key, name, files }
  }

  async open(model) {
    try {
      const { messages, nodes } = await this.app.viewer.call('stage', { key: model.key, options: {} })
      return { drawable: true, staged: true, messages, nodes }
    } catch (error) {
      return { drawable: false, error: error.message }
    }
  }

  async stage(model) {
    Object.assign(model, await this.open(model))
  }

  // What is wrong with it: the check of the file, what the conversion for the console reports, and missing textures.
  async study(model) {
    const run = (...args) => this.app.jobs.json(model.key, [...args, model.name]).then((all) => all.files[0])
    const check = await run('check', '--json').catch((error) => ({ readable: false, findings: [{ severity: 'error', text: error.message, path: '', code: '' }] }))
    await this.prepareConsole(model)
    const all = [...check.findings, ...(model.console?.findings ?? []), ...readMessages(model.messages ?? '')]
    if (model.consoleError) all.push(...readMessages(model.consoleError))
    const number = (severity) => all.filter((f) => f.severity === severity).length
    if (!model.drawable && all.length) this.app.openFindings.add(worstFirst(all)[0])
    model.check = { ...check, findings: all, crashes: number('console-crash'), errors: number('error'), warnings: number('warning'), notes: number('note') }
    this.app.render()
    const as = CONSOLE.has(model.info?.format) ? [] : ['--as', 't3dm']
    model.cost = await run('cost', '--json', ...as).catch((error) => ((model.costError = error.message), null))
    this.app.render()
    this.app.live.textContent = this.app.description()
  }

  async show(key) {
    const model = this.app.state.models.find((m) => m.key === key)
    this.app.setWall(false)
    Object.assign(this.app.state, { key, selection: null, probe: null, measure: [], playing: false, clip: null, fading: null, time: 0, field: 0, byte: null, beside: null })
    this.app.viewport.framed = false
    this.app.render()
    if (!model.info) await this.load(model)
    else if (model.drawable && !model.staged) await this.stage(model)
    if (this.app.state.key !== key) return
    document.title = `${model.name.split('/').pop()} · Trilobite`
    this.app.render()
    this.app.timeline.open()
    await this.app.viewport.frameAll(false)
    if (!model.drawable) this.app.showTab('findings', false)
    if (!model.studied) await this.study(model)
    model.studied = true
  }

  // What the console gets from a source file, for the comparison.
  async prepareConsole(model) {
    if (!model.drawable || CONSOLE.has(model.info.format) || model.console || model.consoleError) return
    const name = model.name.replace(/\.[^./]*$/, '.t3dm')
    try {
      const { files, code, stdout, stderr } = await this.app.jobs.call('run', { key: model.key, args: ['convert', '--json', '--sprites', model.name, name] })
      if (code !== 0) throw new Error(stderr.trim())
      const key = `${model.key}-console`
      // Images that a build will convert to sprites are sufficient.
      await this.app.viewer.call('put', { key, name, folder: model.folder, files: model.folder ? files : new Map([...model.files, ...files]) })
      await this.app.viewer.call('stage', { key, options: {} })
      model.console = { key, name, files, scale: 64, findings: JSON.parse(stdout).findings }
    } catch (error) {
      model.consoleError = error.message
    }
    this.app.render()
    this.app.viewport.redraw()
  }

  // `trilobite view`: again whenever a file changed. A bad save keeps the picture and shows the findings.
  async follow({ files, events }) {
    const again = async () => {
      const models = await readView(files)
      if (models.length === 0) return this.app.say('There is nothing to show.')
      const open = models.find((m) => m.open === this.app.current()?.name) ?? models[0]
      const fresh = (m) => ({ key: `m${this.made++}`, name: m.open, files: m.files })
      if (!this.app.current()) {
        this.app.state.models = models.map(fresh)
        return this.app.state.models.length > 1 ? (this.app.setWall(true), this.fillWall()) : this.show(this.app.state.models[0].key)
      }
      await this.reload(open)
      this.app.state.models = this.app.state.models.map((old) => {
        const now = old !== this.app.current() && models.find((m) => m.open === old.name)
        if (!now || sameFiles(old.files, now.files)) return old
        if (this.app.state.beside?.key === old.key) this.app.state.beside = null
        this.forget(old)
        return fresh(now)
      })
      this.app.render()
      if (this.app.state.wall) this.fillWall()
    }
    let last = again()
    await last
    const source = new EventSource(events)
    source.onmessage = () => (last = last.then(again).catch((error) => this.app.say(error.message)))
    source.onerror = () => this.app.say('trilobite view has ended; this page stays as it is.')
  }

  async reload({ open, files }) {
    const fresh = { key: `m${this.made++}`, name: open, files }
    const old = this.app.current()
    await this.load(fresh)
    if (!fresh.drawable) {
      await this.app.jobs.call('run', { key: fresh.key, args: ['check', '--json', open] }).then((r) => (old.check = JSON.parse(r.stdout).files[0])).catch(() => {})
      this.forget(fresh)
      this.app.showTab('findings')
      this.app.render()
      return this.app.say('The file on disk cannot be drawn; this is the last good picture.')
    }
    fresh.stale = old.console ?? old.stale // is shown until the new one is made
    this.app.state.models = this.app.state.models.map((m) => (m === old ? fresh : m))
    const clip = old.info.clips?.[this.app.state.clip]?.name
    const found = fresh.info.clips?.findIndex((c) => c.name === clip) ?? -1
    Object.assign(this.app.state, { key: fresh.key, clip: this.app.state.clip === null || found < 0 ? null : found, selection: null, probe: null })
    this.app.render()
    const { time, playing, clip: kept } = this.app.state
    this.app.timeline.open()
    Object.assign(this.app.state, { time, playing, clip: kept })
    this.app.timeline.render()
    this.app.viewport.redraw()
    await this.study(fresh)
    fresh.studied = true
    fresh.stale = null
    this.forget(old)
    this.app.render()
    this.app.say('Reloaded.', 1500)
  }

  // How far the wall is, and then how many of its models are broken.
  verdict() {
    const { models } = this.app.state
    const known = models.filter((model) => model.check)
    if (known.length < models.length) return ['busy', `${known.length} of ${models.length}`]
    const number = (kind) => known.filter((model) => this.app.verdict(model)[0] === kind).length
    const kind = ['error', 'warning'].find(number)
    return kind ? [kind, plural(number(kind), 'model'), kind === 'error' ? ' with problems' : ' with warnings'] : ['good', 'Ready', ' for the console']
  }

  async fillWall() {
    for (const model of this.app.state.models) {
      if (!this.app.state.models.includes(model)) return // other files were opened
      if (!model.info) await this.load(model)
      if (model.drawable && !model.thumbnail) model.thumbnail = await this.app.viewer.call('draw', { key: model.key, options: { size: '176x132', background: this.app.viewport.background() } }).catch(() => null)
      // A hundred open models would take their memory.
      if (model.staged && model.key !== this.app.state.key) {
        model.staged = false
        await this.app.viewer.call('strike', { key: model.key })
      }
      model.check ??= await this.app.jobs.json(model.key, ['check', '--json', model.name]).then((all) => all.files[0]).catch((error) => ({ readable: false, errors: 1, findings: [{ severity: 'error', text: error.message, path: '', code: '' }] }))
      model.cost ??= await this.app.jobs.json(model.key, ['cost', '--json', ...(CONSOLE.has(model.info.format) ? [] : ['--as', 't3dm']), model.name]).then((all) => all.files[0]).catch(() => null)
      this.app.cover.showCard(model)
      this.app.renderVerdict()
      this.app.renderTree()
    }
  }
}
