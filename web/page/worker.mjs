// worker.mjs: the module at work, away from the page. The page starts two: one draws, the other does what takes longer.
import { load } from '../core/trilobite.mjs'

let trilobite = null
const folders = new Map() // id -> files, which models share
const models = new Map() // key -> { model, stage }
const ACCENT = [255, 180, 84]

// Selected pixels faint, their border strong.
function outline(mask, width, height) {
  const out = new Uint8ClampedArray(4 * width * height)
  const inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height && mask[4 * (y * width + x)] > 127
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const self = inside(x, y)
      const edge = inside(x - 1, y) !== self || inside(x + 1, y) !== self || inside(x, y - 1) !== self || inside(x, y + 1) !== self
      if (!self && !edge) continue
      out.set(ACCENT, 4 * (y * width + x))
      out[4 * (y * width + x) + 3] = edge ? 255 : 64
    }
  return out
}

function stageOf(key) {
  const entry = models.get(key)
  if (!entry?.stage) throw new Error('there is no such model')
  return entry.stage
}

const methods = {
  async start({ module }) {
    trilobite = await load(module)
  },

  async mascot({ name }) {
    return trilobite.mascot(name)
  },

  async share({ id, files }) {
    folders.set(id, files)
  },

  async unshare({ id }) {
    folders.delete(id)
  },

  // A model among files that are given, or shared, or both.
  async put({ key, name, files, folder }) {
    const rest = new Map([...(folders.get(folder) ?? []), ...(files ?? [])])
    const bytes = rest.get(name)
    rest.delete(name)
    models.set(key, { model: await trilobite.open(bytes, rest, { name }), stage: null })
  },

  // Keeps the model but not what drawing it needs.
  async strike({ key }) {
    const entry = models.get(key)
    if (entry) entry.stage = null
  },

  async forget({ key }) {
    models.delete(key)
  },

  // A command line of the program on the files of a model; the answer has the files that it wrote.
  async run({ key, args, files = [] }, onProgress) {
    const before = new Map([...(key === null ? [] : models.get(key).model.files), ...files])
    const result = await trilobite.run(args, before, { onProgress })
    const written = new Map([...result.files].filter(([name, bytes]) => before.get(name) !== bytes))
    return { code: result.code, stdout: result.stdout, stderr: result.stderr, files: written }
  },

  async stage({ key, options }) {
    const entry = models.get(key)
    entry.stage = await entry.model.stage(options)
    return { messages: entry.stage.messages, nodes: entry.stage.nodes() }
  },

  async bytes({ key }) {
    return stageOf(key).bytes()
  },

  // One picture; with a selection also its outline.
  async draw({ key, options, selection, heat, fade }) {
    const stage = stageOf(key)
    if (options.parts) stage.colorBatches(heat)
    stage.fade(fade?.clip ?? 0, fade?.time ?? 0, fade?.weight ?? 0)
    const started = performance.now()
    const { width, height, pixels } = stage.draw(options)
    const answer = { width, height, pixels: pixels.slice(), view: stage.view(), milliseconds: performance.now() - started }
    if (selection) {
      const mask = stage.mask(selection.kind, selection.index, selection.second, width, height)
      answer.outline = mask && outline(mask, width, height)
    }
    return answer
  },

  async ray({ key, origin, direction }) {
    return stageOf(key).ray(origin, direction)
  },

  // What the combiner gets at a pixel of the picture with these options.
  async probe({ key, options, x, y }) {
    const stage = stageOf(key)
    stage.draw(options)
    return stage.probe(x, y)
  },

  async bounds({ key, selection }) {
    return stageOf(key).bounds(selection.kind, selection.index, selection.second)
  },

  async keyTimes({ key, clip }) {
    return stageOf(key).keyTimes(clip)
  },

  async keyTime({ key, clip, channel, number }) {
    return stageOf(key).keyTime(clip, channel, number)
  },

  async texture({ key, index }) {
    return stageOf(key).texture(index)
  },

  async textureAs({ key, index, format }) {
    return stageOf(key).textureAs(index, format)
  },

  async uvs({ key, material, width, height }) {
    return stageOf(key).uvs(material, width, height)
  },
}

// One after the other, in order.
let last = Promise.resolve()
self.onmessage = ({ data: { id, method, args } }) => {
  last = last.then(async () => {
    try {
      const result = await methods[method](args, (done, total) => self.postMessage({ id, progress: { done, total } }))
      const buffers = [result?.pixels?.buffer, result?.outline?.buffer].filter((b) => b instanceof ArrayBuffer)
      self.postMessage({ id, result }, buffers)
    } catch (error) {
      self.postMessage({ id, error: { message: error.message, code: error.code ?? 70 } })
    }
  })
}
