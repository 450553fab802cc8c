// panels.mjs: what is written about the model: tree, inspector, findings, cost, textures, bytes. All words about the
// model are the library's.
import { count, h, icon, iconButton, plural, rgba, sentence, size } from './dom.mjs'

const name = (thing, kind, i) => thing.name || `${kind} ${i}`

// ---- the tree ----

// A triangle is one of an object.
function isSelected(selection, kind, i) {
  return selection?.index === i && (selection.kind === 'triangle' ? 'mesh' : selection.kind) === kind
}

function branch(app, title, kind, items, label, detail, open) {
  if (!items?.length) return null
  return h('details', { open },
    h('summary', {}, title, h('span.count.number', {}, count(items.length))),
    items.slice(0, 500).map((item, i) => {
      const selected = isSelected(app.state.selection, kind, i)
      return h('button.row-item', { type: 'button', 'aria-current': selected ? 'true' : null, 'data-test': `${kind}-${i}`, style: item.depth ? `padding-left:${32 + 10 * Math.min(item.depth, 12)}px` : null, onclick: () => app.select({ kind, index: i }) }, h('span', {}, label(item, i)), h('span.soft.number', {}, detail(item)))
    }))
}

// Bones with how deep they are.
function bonesOf(model) {
  const bones = model.nodes ?? []
  const depths = []
  return bones.map((bone, i) => ({ ...bone, depth: (depths[i] = bone.parent === null || bone.parent === undefined ? 0 : (depths[bone.parent] ?? 0) + 1) }))
}

// Objects with the same name are distinguished by their materials.
function objectName(info, i) {
  const m = info.meshes[i]
  const shared = m.material !== null && info.meshes.some((o, k) => k !== i && o.name === m.name)
  return shared ? `${name(m, 'object', i)}, ${name(info.materials[m.material], 'material', m.material)}` : name(m, 'object', i)
}

export function tree(app) {
  const model = app.current()
  const { models } = app.state
  const list = models.length > 1 && h('details', { open: true },
    h('summary', {}, 'Models', h('span.count.number', {}, count(models.length))),
    models.map((m) => {
      const short = m.name.split('/').pop(), beside = app.state.beside?.key === m.key
      return h('div.model-row', {},
        h('button.row-item', { type: 'button', 'aria-current': m === model ? 'true' : null, onclick: () => app.library.show(m.key) }, h('span', {}, short), m.check && (m.check.errors || m.check.crashes) ? h('span.soft.sev-error', {}, 'broken') : h('span.soft.number', {}, m.info?.counts ? count(m.info.counts.triangles) : '')),
        model?.drawable && m !== model ? iconButton('compare', `Show ${short} beside ${model.name.split('/').pop()}`, '', () => app.showBeside(m), { 'aria-pressed': String(beside), 'data-test': 'beside' }) : null)
    }))
  const info = model?.info
  if (!info?.readable) return h('div.tree', { 'data-test': 'tree' }, list || null, info ? h('p.soft', {}, 'Nothing of this file could be read.') : null)
  const bones = (model.nodes ?? []).length > info.counts.joints ? 'Nodes and bones' : 'Bones' // sources have both
  return h('div.tree', { 'data-test': 'tree' }, list || null,
    branch(app, 'Objects', 'mesh', info.meshes, (m, i) => objectName(info, i), (m) => `${count(m.primitives)} tris`, true),
    branch(app, 'Materials', 'material', info.materials, (m, i) => name(m, 'material', i), (m) => (m.texture !== null ? 'textured' : ''), true),
    branch(app, 'Textures', 'texture', info.textures, (t, i) => (t.name || t.path || `texture ${i}`).split('/').pop(), (t) => (t.width ? `${t.width}×${t.height}` : ''), false),
    branch(app, bones, 'node', bonesOf(model), (b, i) => name(b, 'bone', i), () => '', false),
    branch(app, 'Clips', 'clip', info.clips, (c, i) => name(c, 'clip', i), (c) => `${c.seconds.toFixed(2)} s`, false))
}

// ---- the inspector ----

const row = (term, ...value) => [h('dt', {}, term), h('dd', {}, ...value)]
const vector = (v) => v.map((n) => Number(n.toPrecision(4))).join(', ')

function modelCard(model) {
  const { info } = model
  const { counts: c, bounds: b } = info
  const extent = b && vector(b.max.map((v, i) => v - b.min[i]))
  return [
    h('h2', {}, model.name.split('/').pop()),
    h('p.soft', {}, `${model.title}, version ${info.version}, ${size(info.size)}`),
    h('dl', {}, row('triangles', count(c.triangles)), row('vertices', count(c.vertices)), row('objects', count(c.meshes)), row('materials', count(c.materials)), row('textures', count(c.textures)), row('bones', count(c.joints)), row('clips', count(c.clips)), extent ? row('size', extent) : null),
    info.t3dm?.releases ? [h('h3', {}, 'Loads in'), h('p', {}, `Tiny3D since ${info.t3dm.releases.since}${info.t3dm.releases.until ? ` until ${info.t3dm.releases.until}` : ''}`)] : null,
    h('h3', {}, 'File sections'),
    info.sections.filter((s) => s.size > 0).map((s) => [h('div.measure', {}, h('span', {}, s.name), h('span.number.soft', {}, size(s.size))), bar(s.size, info.size)]),
  ]
}

// What is in the console's 4 KiB of texture memory, 32 bytes a cell.
export function tmemMap(cost, material) {
  const m = cost?.materials?.[material]
  if (!m?.tmem) return null
  const cells = []
  const textures = [m.texture0, m.texture1].map((t) => (t === null || t === undefined ? null : cost.textures[t]))
  const palette = textures.some((t) => t?.palette)
  const limit = m.tmem_limit / 32
  textures.forEach((t, i) => t && cells.push(...Array(Math.ceil((t.tmem ?? 0) / 32)).fill(`t${i}`)))
  const map = Array.from({ length: 128 }, (_, i) => (palette && i >= 64 ? 'pal' : cells[i] ?? ''))
  if (cells.length > limit) map.fill('over', Math.min(limit, 127))
  return [
    h('h3', {}, 'Texture memory (TMEM)'),
    h('div.tmem', { role: 'img', 'aria-label': `${m.tmem} of ${m.tmem_limit} bytes used`, 'data-test': 'tmem' }, map.map((kind) => h(kind ? `i.${kind}` : 'i', {}))),
    h('p.soft.number', {}, `${count(m.tmem)} of ${count(m.tmem_limit)} bytes${palette ? '; the upper half holds palettes' : ''}`),
  ]
}

// One line for colour and one for alpha of each cycle.
function combinerFormula(words, test = null) {
  return h('div.formula', { 'data-test': test }, words.combiner.split(/; |, (?=a )/).map((part) => h(part.startsWith('a ') ? 'div.alpha' : 'div', {}, part)))
}

function materialCard(app, i) {
  const { info, cost } = app.current()
  const m = info.materials[i]
  const words = m.n64?.words
  const color = (label, c) => c && row(label, h('span.swatch', { style: `background:${rgba(c.map((v) => v / 255))}` }), c.join(', '))
  return [
    h('h2', {}, name(m, 'material', i)),
    h('p.soft', {}, `used by ${plural(info.meshes.filter((mesh) => mesh.material === i).length, 'object')}`),
    words ? [h('h3', {}, 'Colour combiner'), combinerFormula(words, 'combiner')] : null,
    h('h3', {}, 'Settings'),
    h('dl', {},
      words ? [row('modes', words.other_mode), row('blender', words.blender), row('draws', words.draw_flags), row('effect', words.vertex_effect), row('fog', words.fog)] : [row('alpha', m.alpha), row('two-sided', m.two_sided ? 'yes' : 'no'), row('lit', m.unlit ? 'no' : 'yes')],
      row('colour', h('span.swatch', { style: `background:${rgba(m.color)}` }), vector(m.color)),
      color('prim', m.n64?.prim), color('env', m.n64?.env), color('blend', m.n64?.blend)),
    (m.n64?.tiles ?? []).filter((t) => t.texture !== null).map((t, k) => [
      h('h3', {}, `Tile ${k}`),
      h('dl', {}, row('texture', info.textures[t.texture]?.path || info.textures[t.texture]?.name || String(t.texture)), row('size', `${t.width} × ${t.height}`), ...['s', 't'].map((axis) => row(axis, `${t[axis].low} to ${t[axis].high}, mask ${t[axis].mask}, shift ${t[axis].shift}${t[axis].mirror ? ', mirror' : ''}${t[axis].clamp ? ', clamp' : ''}`))),
    ]),
    tmemMap(cost, i),
    h('p', {}, h('button.button', { type: 'button', onclick: () => app.showUvs(i) }, icon('uv'), 'Triangles on the texture')),
    h('div', { 'data-test': 'uvs', id: 'uvs' }),
  ]
}

function meshCard(app, i) {
  const { info, cost } = app.current()
  const m = info.meshes[i]
  const c = cost?.objects?.length === info.meshes.length ? cost.objects[i] : cost?.objects?.find((o) => o.name === m.name)
  return [
    h('h2', {}, name(m, 'object', i)),
    h('p.soft', {}, `${count(m.primitives)} ${m.topology}, ${count(m.vertices)} vertices`),
    h('dl', {},
      row('material', m.material === null ? 'none' : h('button.link', { type: 'button', onclick: () => app.select({ kind: 'material', index: m.material }) }, name(info.materials[m.material], 'material', m.material))),
      m.parts !== undefined ? row('parts', count(m.parts)) : null, m.loaded_vertices !== undefined ? row('vertices loaded', count(m.loaded_vertices)) : null,
      row('from', vector(m.bounds.min)), row('to', vector(m.bounds.max)), row('skinned', m.skin === null ? 'no' : 'yes'),
      c ? [row('commands', count(c.commands)), c.microseconds > 0 ? row('estimated', `${c.microseconds.toFixed(1)} µs of the RSP`) : row('read', `${size(c.rsp_bytes)} per frame`)] : null),
  ]
}

function clipCard(app, i) {
  const { info } = app.current()
  const c = info.clips[i]
  const cost = info.clip_costs?.[i]
  return [h('h2', {}, name(c, 'clip', i)), h('dl', {}, row('length', `${c.seconds.toFixed(3)} s`), row('channels', count(c.channels)), row('keys', count(c.keys)), c.rate ? row('ticks', `${c.rate} per second`) : null, c.stream ? row('stream', `${c.stream.path}${c.stream.found ? '' : ' (not found)'}`) : null, cost?.bytes ? row('bytes', count(cost.bytes)) : null)]
}

function boneCard(app, i) {
  const bones = bonesOf(app.current()), { parent } = bones[i]
  const link = (k) => h('button.link', { type: 'button', onclick: () => app.select({ kind: 'node', index: k }) }, name(bones[k], 'bone', k))
  const children = bones.flatMap((bone, k) => (bone.parent === i ? [link(k), ', '] : [])).slice(0, -1)
  return [h('h2', {}, name(bones[i], 'bone', i)), h('p.soft', {}, 'Its triangles are highlighted.'), h('dl', {}, row('parent', bones[parent] ? link(parent) : 'none'), row('children', children.length ? children : 'none'))]
}

// What is at the pixel that was clicked, and what the combiner of its material gets there.
export function probeCard(app, p) {
  if (p.gone) return h('div', { id: 'probe' }, h('h3', {}, 'Pixel'), h('p.soft', {}, 'The model no longer covers this pixel.'))
  const material = p.material === null ? null : app.current().info.materials[p.material]
  const colour = (c) => [h('span.swatch', { style: `background:${rgba(c.slice(0, 3).map((v) => v / 255))}` }), c.join(', ')]
  return h('div', { id: 'probe' },
    h('h3', {}, 'Pixel'),
    h('dl', { 'data-test': 'probe' }, row('colour', ...colour(p.color)), row('pixel', p.pixel.join(', ')), row('position', vector(p.position)), row('normal', vector(p.normal)), row('UV', vector(p.uv)), row('triangle', `${count(p.triangle)}${p.batch === null ? '' : `, batch ${p.batch}`}`)),
    p.combiner ? [
      h('h3', {}, 'Colour combiner at this pixel'),
      material?.n64 ? combinerFormula(material.n64.words) : null,
      h('dl.inputs', { 'data-test': 'inputs' }, [...p.combiner.inputs].map(([input, value]) => row(input, ...colour(value))), row('result', ...colour(p.combiner.output))),
    ] : null)
}

export function inspector(app) {
  const model = app.current()
  if (!model?.info?.readable) return h('p.soft', {}, 'Nothing is selected.')
  const { selection, probe } = app.state
  const cards = { material: () => materialCard(app, selection.index), mesh: () => meshCard(app, selection.index), clip: () => clipCard(app, selection.index), node: () => boneCard(app, selection.index), triangle: () => meshCard(app, selection.index), texture: () => textureCard(app, selection.index) }
  return h('div', { 'data-test': 'inspector' }, selection ? cards[selection.kind]() : modelCard(model), probe ? probeCard(app, probe) : null)
}

// ---- findings ----

// What a path is about: objects[3].parts[1] an object, meshes[0].indices[7] a triangle, clips[0].channels[2].keys[5] a key.
export function subjectOf(path) {
  const found = /(objects|meshes|materials|nodes|bones|animations|clips|textures)\[(\d+)\]/.exec(path ?? '')
  if (!found) return null
  const kinds = { objects: 'mesh', meshes: 'mesh', materials: 'material', nodes: 'node', bones: 'node', animations: 'clip', clips: 'clip', textures: 'texture' }
  const subject = { kind: kinds[found[1]], index: Number(found[2]) }
  const corner = subject.kind === 'mesh' && /\.indices\[(\d+)\]/.exec(path), key = subject.kind === 'clip' && /\.channels\[(\d+)\]\.keys\[(\d+)\]/.exec(path)
  if (corner) return { ...subject, kind: 'triangle', second: Math.floor(Number(corner[1]) / 3) }
  return key ? { ...subject, channel: Number(key[1]), key: Number(key[2]) } : subject
}

const hasOffset = (finding) => finding.offset !== null && finding.offset !== undefined

export function worstFirst(list) {
  const order = ['console-crash', 'error', 'warning', 'note']
  return [...list].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

export function findings(app) {
  const model = app.current()
  const list = model?.check?.findings ?? []
  if (!model?.check) return h('p.soft', {}, 'Checking…')
  if (list.length === 0) return h('div', { 'data-test': 'findings' }, h('p', {}, h('span.sev-good', {}, icon('good')), ' Every value was checked, and nothing is wrong.'))
  const sorted = worstFirst(list)
  return h('div', { 'data-test': 'findings' }, sorted.slice(0, 300).map((f) => {
    const more = h('div.more', {})
    const show = async (open) => {
      app.openFindings[open ? 'add' : 'delete'](f) // stays open when the panel is made again
      more.classList.toggle('hidden', !open)
      toggle.setAttribute('aria-expanded', String(open))
      if (!open || more.childElementCount > 0) return
      const rule = await app.explain(f.code)
      more.replaceChildren(h('p', {}, h('b', {}, 'Cause: '), rule?.cause ?? 'not documented'), h('p', {}, h('b', {}, 'Fix: '), rule?.cure ?? 'not documented'), hasOffset(f) ? h('button.link', { type: 'button', 'data-test': 'show-bytes', onclick: () => app.showBytes(f.offset) }, 'Show the bytes') : '')
    }
    const toggle = h('button', { type: 'button', onclick: () => {
      show(!app.openFindings.has(f))
      app.showSubject(subjectOf(f.path), f)
    } }, h(`span.sev-${f.severity}`, {}, icon(f.severity)), h('span', {}, h('span.what', {}, h(`span.sev-${f.severity}`, {}, `${f.severity[0].toUpperCase()}${f.severity.slice(1).replace('-', ' ')}. `), sentence(f.text)), h('div.where', {}, [f.code, f.path, hasOffset(f) && `0x${f.offset.toString(16).toUpperCase()}`].filter(Boolean).join(' · '))))
    show(app.openFindings.has(f))
    return h('div.finding', { 'data-severity': f.severity, 'data-code': f.code }, toggle, more)
  }), sorted.length > 300 ? h('p.soft', {}, `and ${count(sorted.length - 300)} more`) : null)
}

// ---- cost ----

function bar(value, limit) {
  return h('div.bar', {}, h(value > limit ? 'i.over' : 'i', { style: `width:${Math.min(100, (100 * value) / (limit || 1))}%` }))
}

function meter(label, value, limit, text) {
  return [h('div.measure', {}, h('span', {}, label), h('span.number', {}, text)), bar(value, limit)]
}

// What counts: the time of the RSP, or where no microcode is known whose times were measured, what it reads.
function costOf({ microseconds, rsp_bytes: bytes }, timed) {
  return timed ? [microseconds, `${count(Math.round(microseconds))} µs`] : [bytes, size(bytes)]
}

function budgetBar(app, microseconds) {
  const { budget } = app.state
  const input = h('input', { type: 'number', min: '100', step: '100', value: String(budget), 'aria-label': 'Budget in microseconds', style: 'width:96px', onchange: () => app.setBudget(Number(input.value) || 4000) })
  return [h('div.measure.budget', {}, h('label', {}, 'Budget', input, 'µs'), h('b.number', {}, `${((100 * microseconds) / budget).toFixed(0)} %`)), bar(microseconds, budget)]
}

export function cost(app) {
  const model = app.current()
  const c = model?.cost
  if (!c) return h('p.soft', {}, model?.costError ?? 'Counting…')
  const f = c.figures
  const timed = f.microseconds > 0
  const objects = c.objects.map((o, i) => ({ i, title: c.objects.length === model.info.meshes.length ? objectName(model.info, i) : name(o, 'object', i), cost: costOf(o, timed) })).sort((a, b) => b.cost[0] - a.cost[0])
  const share = (m) => m.tmem / m.tmem_limit
  const [fullest] = c.materials.filter((m) => m.tmem > 0).sort((a, b) => share(b) - share(a))
  return h('div', { 'data-test': 'cost' },
    h('h2', {}, costOf(f, timed)[1]), h('p.soft', {}, timed ? `of the RSP, estimated${c.converted ? ', once it is T3DM' : ''}` : 'read by the RSP per frame'),
    timed ? budgetBar(app, f.microseconds) : null,
    h('dl', {}, row('triangles', count(f.triangles)), row('vertices loaded', count(f.vertices)), row('batches', count(f.loads)), row('material changes', count(f.material_changes)), row('texture uploads', count(f.uploads)), row('bytes per frame', size(f.frame_bytes)), row('RAM', size(f.ram)), row('ROM', size(f.rom))),
    fullest ? [h('h3', {}, 'Texture memory'), meter('fullest material', fullest.tmem, fullest.tmem_limit, `${count(fullest.tmem)} of ${count(fullest.tmem_limit)} bytes`)] : null,
    h('h3', {}, 'Objects'),
    objects.slice(0, 30).map(({ i, title, cost: [value, text] }) => h('button.row-item', { type: 'button', style: 'padding:2px 0;display:block', onclick: () => app.select({ kind: 'mesh', index: i }) }, meter(title, value, Math.max(1, objects[0].cost[0]), text))),
    c.hints.length ? h('h3', {}, 'What would help') : null, c.hints.map((hint) => h('p', {}, sentence(hint.text))))
}

// ---- textures ----

export function paint(canvas, image) {
  Object.assign(canvas, { width: image.width, height: image.height })
  canvas.getContext('2d').putImageData(new ImageData(image.pixels, image.width, image.height), 0, 0)
}

function textureCard(app, i) {
  const model = app.current()
  const t = model.info.textures[i]
  const c = model.cost?.textures?.find((x) => x.path === t.path) ?? model.cost?.textures?.[i]
  const canvas = h('canvas.check', { width: 1, height: 1, role: 'img', 'aria-label': `Texture ${t.name || t.path || i}` })
  if (model.drawable) app.viewer.call('texture', { key: model.key, index: i }).then((image) => image && paint(canvas, image), () => null)
  return h('div.texture', {}, canvas, h('div', {}, h('b', {}, (t.name || t.path || `texture ${i}`).split('/').pop()), h('div.soft.number', {}, [c?.texels && c.texels !== 'unknown' ? c.texels : t.kind, t.width ? `${t.width} × ${t.height}` : null].filter(Boolean).join(', ')), c?.tmem ? h('div.soft.number', {}, `${count(c.tmem)} bytes of TMEM`) : null, c?.uploads ? h('div.soft.number', {}, plural(c.uploads, 'upload')) : null, c?.smaller && c.smaller !== 'unknown' ? h('div.sev-note', {}, `${c.smaller} would show the same`) : null))
}

export function textures(app) {
  const model = app.current()
  const list = model?.info?.textures ?? []
  if (list.length === 0) return h('p.soft', { 'data-test': 'textures' }, 'This model has no textures.')
  return h('div', { 'data-test': 'textures' }, list.map((t, i) => textureCard(app, i)), h('p.row', {}, h('button.button', { type: 'button', 'data-test': 'palettes', onclick: (event) => app.comparePalettes(event.target.closest('.panel')) }, 'CI4 against CI8'), h('button.button', { type: 'button', 'data-test': 'compare-formats', onclick: (event) => app.compareFormats(event.target.closest('.panel')) }, 'All texel formats')), h('div', { id: 'formats' }))
}

// ---- bytes ----

// Fields with their offsets, from the lines of `trilobite dump`.
export function readDump(text) {
  const fields = []
  for (const line of text.split('\n')) {
    const found = /^0x([0-9A-F]+)( +)(.*)$/.exec(line)
    if (found) fields.push({ at: parseInt(found[1], 16), depth: (found[2].length - 2) / 2, text: found[3] })
  }
  return fields
}

// The record of what is selected, as an index into the fields; -1: none.
export function recordOf(fields, selection) {
  const chunks = { mesh: 'O', material: 'M', clip: 'A' }[selection?.kind]
  const lists = { mesh: /^(meshes|objects) \[/, material: /^materials \[/, clip: /^(clips|animations) \[/, node: /^(bones|nodes) \[/, texture: /^(textures|images) \[/ }[selection?.kind]
  if (!lists) return -1
  const typed = fields.flatMap((f, i) => (chunks && f.text === `type: "${chunks}"` ? [i] : []))
  if (typed.length > 0) return typed[selection.index] ?? -1
  const list = fields.findIndex((f) => lists.test(f.text))
  return list < 0 ? -1 : fields.findIndex((f, i) => i > list && f.depth === fields[list].depth + 1 && f.text === `[${selection.index}]`)
}

// The field that a byte belongs to: the last that begins at or before it, and of those at one place the innermost.
export function fieldAt(fields, at) {
  return Math.max(0, fields.reduce((best, f, i) => (f.at <= at && (best < 0 || f.at >= fields[best].at) ? i : best), -1))
}

export function bytes(app) {
  const model = app.current()
  if (!model) return h('p.soft', {}, 'No file is open.')
  if (!model.fields) return h('p.soft', {}, 'Reading the records…')
  const { fields, raw } = model
  const at = app.state.field ?? 0
  const field = fields[at] ?? { at: app.state.byte ?? 0 } // a file that cannot be read has no fields
  const next = fields[at] ? fields.slice(at + 1).find((f) => f.at > field.at) : { at: field.at + 1 }
  const end = Math.min(next ? next.at : raw.length, field.at + 4096)
  const from = Math.max(0, (field.at & ~7) - 32)
  const lines = []
  for (let line = from; line < Math.min(raw.length, from + 256); line += 8) {
    const cells = Array.from(raw.subarray(line, line + 8), (b, k) => h(line + k >= field.at && line + k < end ? 'span.on' : 'span', { 'data-at': String(line + k) }, b.toString(16).padStart(2, '0')))
    lines.push(h('div', {}, `${line.toString(16).toUpperCase().padStart(6, '0')}  `, cells.flatMap((c) => [c, ' ']), ' ', Array.from(raw.subarray(line, line + 8), (b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : '·')).join('')))
  }
  const first = Math.max(0, at - 40)
  return h('div', { 'data-test': 'bytes' },
    fields.length === 0 ? null : h('div.hex.records', { tabindex: '0', 'aria-label': 'Fields of the file' }, fields.slice(first, first + 160).map((f, i) => h('div', {}, h(first + i === at ? 'button.on' : 'button', { type: 'button', onclick: () => app.showField(first + i) }, `${'  '.repeat(Math.min(f.depth, 6))}${f.text.slice(0, 60)}`)))),
    h('div.hex', { tabindex: '0', 'aria-label': 'Bytes of the field, and what surrounds them', onclick: (event) => event.target.dataset.at && app.showBytes(Number(event.target.dataset.at)) }, lines))
}
