// Making elements, icons, and text from numbers.

// h('button.button.main', { onclick, 'aria-label': 'x' }, ...children)
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.')
  const element = document.createElement(name)
  if (classes.length) element.className = classes.join(' ')
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (key in element && typeof value !== 'string') element[key] = value
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false))
  return element
}

const ICONS = {
  logo: 'M12 3c-5 0-7 3-7 7v4c0 4 3 7 7 7s7-3 7-7v-4c0-4-2-7-7-7z M5 10h14 M5.5 14h13 M7 18h10 M10 10v10.8 M14 10v10.8',
  open: 'M3 7v11a1 1 0 0 0 1 1h15l2.5-9H7L4 18 M3 7V5h6l2 2h8v3',
  save: 'M12 4v11 M7.5 11l4.5 4.5 4.5-4.5 M4 19h16', share: 'M8 12H5v8h14v-8h-3 M12 15V3 M8 7l4-4 4 4',
  help: 'M9.5 9a2.6 2.6 0 1 1 3.6 2.4c-.8.3-1.1.9-1.1 1.8v.3 M12 17v.1 M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  theme: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  good: 'M5 12.5l4.5 4.5L19 7.5', note: 'M12 11v6 M12 7.5v.1 M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  warning: 'M12 4L2.5 20h19z M12 10v5 M12 17.6v.1', error: 'M8.2 3h7.6L21 8.2v7.6L15.8 21H8.2L3 15.8V8.2z M9 9l6 6 M15 9l-6 6',
  'console-crash': 'M13 2L5 13h6l-1 9 9-12h-6z', busy: 'M12 3a9 9 0 1 1-9 9',
  play: 'M7 4.5v15l12-7.5z', pause: 'M8 5v14 M16 5v14', next: 'M6 5l9 7-9 7z M18 5v14', previous: 'M18 5l-9 7 9 7z M6 5v14',
  loop: 'M4 11a6 6 0 0 1 6-6h7 M14 2l3 3-3 3 M20 13a6 6 0 0 1-6 6H7 M10 22l-3-3 3-3', pingpong: 'M3 8h15 M15 5l3 3-3 3 M21 16H6 M9 13l-3 3 3 3', once: 'M4 12h13 M13 8l4 4-4 4 M20 6v12',
  frame: 'M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5', wireframe: 'M12 3L3 19h18z M12 3v16 M7.5 11h9 M7.5 11L12 19l4.5-8',
  bones: 'M6 18L18 6 M4.5 16.5a2 2 0 1 0 3 3 M16.5 4.5a2 2 0 1 1 3 3', normals: 'M4 19h16 M7 19V9 M5 11l2-2 2 2 M12 19V5 M10 7l2-2 2 2 M17 19V9 M15 11l2-2 2 2',
  batches: 'M3 3h8v8H3z M13 3h8v8h-8z M3 13h8v8H3z M13 13h8v8h-8z', heat: 'M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-2 0-5 1-9z',
  bvh: 'M3 3h18v18H3z M6 6h6v6H6z M14 10h5v8h-5z', uv: 'M4 20V4h16 M4 4l12 12 M16 8v8H8', measure: 'M3 16L16 3l5 5L8 21z M7 12l2 2 M10 9l3 3 M13 6l2 2',
  turn: 'M3 12c0-2.5 4-4.500 9-4.500s9 2 9 4.500-4 4.500-9 4.500 M12 13.500l-3 3 3 3', light: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.500 1.500 M17.500 17.500L19 19 M5 19l1.500-1.500 M17.500 6.500L19 5',
  compare: 'M12 3v18 M4 6h5v12H4z M15 6h5v12h-5z', wall: 'M3 4h5v5H3z M10 4h5v5h-5z M17 4h4v5h-4z M3 12h5v5H3z M10 12h5v5h-5z M17 12h4v5h-4z',
  down: 'M6 9l6 6 6-6', left: 'M4 4h16v16H4z M9.500 4v16', right: 'M4 4h16v16H4z M14.500 4v16',
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', ICONS[name])
  svg.append(path)
  return svg
}

// A button with an icon; `label` is read aloud, the tooltip names the key.
export function iconButton(name, label, key, onclick, attributes = {}) {
  return h('button.button', { type: 'button', 'aria-label': label, title: key ? `${label} (${key})` : label, onclick, ...attributes }, icon(name))
}

export function count(n) {
  return Number(n).toLocaleString('en')
}

export function size(bytes) {
  return bytes < 10000 ? `${count(bytes)} bytes` : bytes < 1e6 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(2)} MiB`
}

// The library's findings begin with a small letter, since a name precedes them.
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`
}

export function rgba(color) {
  return `rgb(${color.slice(0, 3).map((v) => Math.round(v * 255)).join(' ')} / ${color[3] ?? 1})`
}

// Settings of the user; a page from a file may have no storage.
export const memory = {
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`trilobite.${key}`)) ?? otherwise
    } catch {
      return otherwise
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`trilobite.${key}`, JSON.stringify(value))
    } catch {}
  },
}
