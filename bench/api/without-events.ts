import { registerHooks } from 'node:module'

/** Loaded before the server: one that creates post sets without saying it to programs. */

const SAYS = /from made_history(\s*\), counted)/

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const source = loaded.source?.toString()
    if (!source || !SAYS.test(source)) return loaded
    return { ...loaded, source: source.replace(SAYS, 'from made_history where false$1') }
  },
})
