// client.mjs: calls the workers. The code and the module are inside the page.

let workerUrl = null
let compiled = null

async function compileModule() {
  const bytes = Uint8Array.from(atob(document.getElementById('module').textContent.trim()), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return WebAssembly.compile(await new Response(stream).arrayBuffer())
}

export class Client {
  constructor() {
    this.restart()
  }

  // Also ends what the worker is doing: there is no other way to cancel.
  restart() {
    this.worker?.terminate()
    for (const { reject } of this.waiting?.values() ?? []) reject(new Error('cancelled'))
    this.waiting = new Map()
    this.next = 0
    workerUrl ??= URL.createObjectURL(new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' }))
    this.worker = new Worker(workerUrl)
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject, onProgress } = this.waiting.get(data.id)
      if (data.progress) return onProgress?.(data.progress.done, data.progress.total)
      this.waiting.delete(data.id)
      if (data.error) reject(Object.assign(new Error(data.error.message), { code: data.error.code }))
      else resolve(data.result)
    }
    compiled ??= compileModule()
    this.ready = compiled.then((module) => this.post('start', { module }))
  }

  post(method, args, onProgress) {
    return new Promise((resolve, reject) => {
      const id = this.next++
      this.waiting.set(id, { resolve, reject, onProgress })
      this.worker.postMessage({ id, method, args })
    })
  }

  async call(method, args = {}, onProgress = null) {
    await this.ready
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
