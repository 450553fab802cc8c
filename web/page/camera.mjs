// camera.mjs: a camera on a sphere around what it looks at, as `trilobite render` counts angles: azimuth 0 is in front
// (+z), 90 at +x.

const RADIANS = Math.PI / 180
export const FOV = 45

export const add = (a, b, factor = 1) => a.map((v, i) => v + b[i] * factor)
export const minus = (a, b) => a.map((v, i) => v - b[i])
export const length = (a) => Math.hypot(...a)
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
export const unit = (a) => a.map((v) => v / (length(a) || 1))

export class Camera {
  constructor() {
    Object.assign(this, { azimuth: 30, elevation: 15, distance: 3, target: [0, 0, 0], shift: 0 })
  }

  get back() {
    const [az, el] = [this.azimuth * RADIANS, this.elevation * RADIANS]
    return [Math.sin(az) * Math.cos(el), Math.sin(el), Math.cos(az) * Math.cos(el)]
  }

  get right() {
    return [Math.cos(this.azimuth * RADIANS), 0, -Math.sin(this.azimuth * RADIANS)]
  }

  get up() {
    return cross(this.back, this.right)
  }

  // Height of what is seen at the distance of the target.
  get high() {
    return 2 * this.distance * Math.tan((FOV / 2) * RADIANS)
  }

  // The middle of the picture. The target is `shift` of the height above it, clear of the tools below; the camera still
  // turns around the target.
  get middle() {
    return add(this.target, this.up, -this.shift * this.high)
  }

  get eye() {
    return add(this.middle, this.back, this.distance)
  }

  // As the option --camera; `scale` for a copy of the model in other units.
  text(scale = 1) {
    return [...this.eye, ...this.middle].map((v) => v * scale).join(',')
  }

  // From a view of the library.
  look(view) {
    const back = minus(view.eye, view.target)
    this.distance = length(back) || 1
    this.target = [...view.target]
    this.azimuth = Math.atan2(back[0], back[2]) / RADIANS
    this.elevation = Math.asin(Math.max(-1, Math.min(1, back[1] / this.distance))) / RADIANS
  }

  orbit(dx, dy) {
    this.azimuth -= dx
    this.elevation = Math.max(-89, Math.min(89, this.elevation + dy))
  }

  // In parts of the height of the picture.
  pan(dx, dy) {
    this.target = add(add(this.target, this.right, -dx * this.high), this.up, dy * this.high)
  }

  zoom(factor) {
    this.distance = Math.max(1e-6, this.distance * factor)
  }

  // Towards where the camera looks, without turning.
  fly(forward, sideways) {
    const step = this.distance * 0.06
    this.target = add(add(this.target, this.back, -forward * step), this.right, sideways * step)
  }

  frame({ min, max }) {
    this.target = min.map((v, i) => (v + max[i]) / 2)
    this.distance = Math.max((length(minus(max, min)) / 2 / Math.sin((FOV / 2) * RADIANS)) * 1.06, 1e-5)
  }

  // x and y from -1 to 1, y up.
  ray(x, y, aspect) {
    const tall = Math.tan((FOV / 2) * RADIANS)
    return { origin: this.eye, direction: unit(add(add(add([0, 0, 0], this.back, -1), this.right, x * tall * aspect), this.up, y * tall)) }
  }

  // Where a point is on the screen, x and y from -1 to 1; null behind the camera.
  project(point, aspect) {
    const from = minus(point, this.eye)
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    const depth = -dot(from, this.back)
    const tall = Math.tan((FOV / 2) * RADIANS) * depth
    return depth > 0 ? [dot(from, this.right) / (tall * aspect), dot(from, this.up) / tall] : null
  }
}
