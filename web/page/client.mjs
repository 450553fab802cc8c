// client.mjs: calls the workers. The code and the module are inside the page.

let parts = null

// Text of an element of the page: gzip in base64.
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
}

async function readParts() {
  const [code, module] = await Promise.all([unpacked('worker'), unpacked('module').then((bytes) => WebAssembly.compile(bytes))])
  return { url: URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), module }
}

export class Client {
  constructor() {
    this.restart()
  }

  // Also ends what the worker is doing: there is no other way to cancel.
  restart() {
    this.worker?.terminate()
    this.worker = null
    for (const { reject } of this.waiting?.values() ?? []) reject(new Error('cancelled'))
    this.waiting = new Map()
    this.next = 0
    parts ??= readParts()
    const ready = parts.then(({ url, module }) => ready === this.ready && this.start(url, module))
    this.ready = ready
  }

  start(url, module) {
    const worker = (this.worker = new Worker(url))
    worker.onmessage = ({ data }) => {
      if (worker !== this.worker) return // said before it was ended
      const { resolve, reject, onProgress } = this.waiting.get(data.id)
      if (data.progress) return onProgress?.(data.progress.done, data.progress.total)
      this.waiting.delete(data.id)
      if (data.error) reject(Object.assign(new Error(data.error.message), { code: data.error.code }))
      else resolve(data.result)
    }
    return this.post('start', { module })
  }

  post(method, args, onProgress) {
    return new Promise((resolve, reject) => {
      const id = this.next++
      this.waiting.set(id, { resolve, reject, onProgress })
      this.worker.postMessage({ id, method, args })
    })
  }

  async call(method, args = {}, onProgress = null) {
    const { ready } = this
    await ready
    if (ready !== this.ready) throw new Error('cancelled') // while the worker was starting
    return this.post(method, args, onProgress)
  }

  // A command line; what it printed as JSON.
  async json(key, args) {
    const result = await this.call('run', { key, args })
    try {
      return JSON.parse(result.stdout)
    } catch {
      throw Object.assign(new Error(result.stderr.trim() || `${args[0]} failed`), { code: result.code })
    }
  }
}
