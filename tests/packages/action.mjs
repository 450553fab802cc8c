// action.mjs ACTION.yml MODULES [NAME=VALUE...]: prints the steps of a composite action as a shell script, with the inputs in
// place. `uses` steps become comments; the outputs of a step are read back before the next.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [file, modules, ...pairs] = process.argv.slice(2)
const action = createRequire(`${modules}/x.js`)('js-yaml').load(readFileSync(file, 'utf8'))
const inputs = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']))
for (const pair of pairs) {
  const [name, value] = pair.split(/=(.*)/s)
  if (!(name in inputs)) throw new Error(`${name} is no input`)
  inputs[name] = value
}
if (action.runs.using !== 'composite') throw new Error('not composite')
const quote = (text) => `'${text.replace(/'/g, `'\\''`)}'`
const expand = (text) => String(text).split(/(\$\{\{.*?\}\})/).filter(Boolean).map((part) => {
  const inner = part.match(/^\$\{\{ *(.*?) *\}\}$/)?.[1]
  if (!inner) return quote(part)
  if (inner.startsWith('inputs.')) {
    if (!(inner.slice(7) in inputs)) throw new Error(`${inner} is not declared`)
    return quote(inputs[inner.slice(7)])
  }
  const [, id, name] = inner.match(/^steps\.(\w+)\.outputs\.(\w+)$/) ?? (() => { throw new Error(inner) })()
  return `"$(sed -n 's/^${name}=//p' outputs.${id})"`
}).join('')

console.log('set -eu')
for (const step of action.runs.steps) {
  if (step.if && !step.if.match(/^inputs\.[\w-]+ != ''$/)) throw new Error(step.if)
  if (step.if && inputs[step.if.slice(7).split(' ')[0]] === '') continue
  if (step.uses) {
    console.log(`# uses ${step.uses}`)
    continue
  }
  if (step.shell !== 'bash') throw new Error(`${step.name}: a composite step needs a shell`)
  const env = Object.entries(step.env ?? {}).map(([name, value]) => `${name}=${expand(value) || "''"}`).join(' ')
  const id = step.id ?? 'none'
  console.log(`: > outputs.${id}\nenv GITHUB_OUTPUT="$PWD/outputs.${id}" ${env} bash -e -c ${quote(step.run)}`)
}
