// The search over search-index.js, and the menu of narrow screens.
const root = document.body.dataset.root
const input = document.getElementById('search-input'), results = document.getElementById('search-results')
const MOST = 12

// A word in the heading counts more than one in the text; all words must be there.
function score([title, heading, , text], words) {
  const head = `${title} ${heading}`.toLowerCase(), body = text.toLowerCase()
  let sum = 0
  for (const word of words) {
    if (!head.includes(word) && !body.includes(word)) return 0
    sum += (heading.toLowerCase().includes(word) ? 10 : 0) + (head.includes(word) ? 5 : 0) + Math.min(body.split(word).length - 1, 5)
  }
  return sum
}

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length ? window.searchIndex.map((entry) => [score(entry, words), entry]).filter(([points]) => points).sort((a, b) => b[0] - a[0]).slice(0, MOST) : []
  results.replaceChildren(...found.map(([, [title, heading, address, text]]) => {
    const item = document.createElement('li'), link = document.createElement('a'), at = text.toLowerCase().indexOf(words[0])
    link.href = root + address
    const name = document.createElement('b'), sample = document.createElement('span')
    name.textContent = heading === title ? title : `${title}: ${heading}`
    sample.textContent = text.slice(Math.max(0, at - 40), at + 80)
    link.append(name, sample)
    item.append(link)
    return item
  }))
  if (words.length && !found.length) results.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.', className: 'none' }))
  results.hidden = !words.length
}

input.addEventListener('input', show)
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
  } else if (event.key === 'Escape') {
    input.value = ''
    show()
  } else if (event.key === 'Enter' && document.activeElement === input) {
    results.querySelector('a')?.click()
  }
})
results.addEventListener('click', () => { results.hidden = true })

const button = document.getElementById('site-menu-button')
button.addEventListener('click', () => button.setAttribute('aria-expanded', String(document.body.classList.toggle('menu-open'))))
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' })
