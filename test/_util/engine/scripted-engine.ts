import { afterEach } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { type Script, scriptedNetwork } from './scripted-network.ts'

/** For a file of tests: engines on a scripted network each, which are closed after each test. */
export function scriptedEngines() {
  const engines: Engine[] = []
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close()
  })
  return async (script: Script = {}, options: Omit<EngineOptions, 'networks'> = {}) => {
    const network = scriptedNetwork(script)
    const engine = await createEngine({ networks: [network], ...options })
    engines.push(engine)
    return { engine, network }
  }
}
