import { openWorkers } from '../../../src/app/workers.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { type Script, scriptedNetwork } from './scripted-network.ts'

/** What the process of a worker is started with, as JSON. */
export interface RestartWorker {
  databaseUrl: string
  dataDir: string
  /** Answers what its network says, by `/prepare`, `/publish`, `/find` and `/refresh`. */
  networkUrl: string
  settings: NonNullable<EngineOptions['settings']>
}

/** A worker in a process of its own, whose network is the test. Says `ready` when its first look is done. */
const { databaseUrl, dataDir, networkUrl, settings } = JSON.parse(process.argv[2] ?? '') as RestartWorker
process.on('disconnect', () => process.exit())

const ask = (step: string) => async () => (await fetch(`${networkUrl}/${step}`)).json()
const network = scriptedNetwork({
  prepare: [ask('prepare')],
  publish: [ask('publish')],
  find: [ask('find')],
  refresh: [ask('refresh')],
} as Script)
const on = { databaseUrl, time: { monotonicMs: 0, wallMs: 0, suspendedMs: 0, databaseMs: 0, publishers: [] } }
const workers = await openWorkers({ dataDir, log: { info: () => {} } })
const engine = await createEngine({ networks: [network], settings, workers, on: on as unknown as Engine })
engine.start()
await engine.look()
process.send?.('ready')
