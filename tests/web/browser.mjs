// browser.mjs PROGRAM MASCOT WASM CORPUS chrome|firefox: the page in a browser. One browser for everything: to start it, and to
// load the page in it, takes longer than most tests.
import { testFeatures } from './features.mjs'
import { testPage } from './page.mjs'
import { finish } from './person.mjs'

await testPage()
await testFeatures()
await finish()
