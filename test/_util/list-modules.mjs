// Loaded with `node --import`: writes the addresses of all modules that a process loaded to a file, at its end.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const loaded = new Set()
registerHooks({
  load(url, context, next) {
    loaded.add(url)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES_FILE, [...loaded].join('\n')))
