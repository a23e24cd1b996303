// Loaded with `node --import`: writes the addresses of all modules that a process loaded to a file, at its end. Of a file of the
// server as it is built, those that it was made of.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const project = new URL('../../', import.meta.url)
const loaded = new Set()
registerHooks({
  load(url, context, next) {
    loaded.add(url)
    if (url.startsWith(`${project.href}dist/`)) for (const made of madeOf(url)) loaded.add(made)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES_FILE, [...loaded].join('\n')))

function madeOf(url) {
  const map = fileURLToPath(`${url}.map`)
  // A file that only hands on what others export has none.
  if (!existsSync(map)) return []
  const { sources } = JSON.parse(readFileSync(map, 'utf8'))
  return sources.map((path) => new URL(path, url).href)
}
