import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FindOutcome, PrepareOutcome, PublishOutcome, RefreshOutcome } from '#networks'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import type { RestartWorker } from './restart-worker.ts'
import { scriptedNetwork } from './scripted-network.ts'

/** What the network says to one call after the other; the last answer repeats. `never`: nothing at all. */
export interface Answers {
  prepare?: (PrepareOutcome | 'never')[]
  publish: (PublishOutcome | 'never')[]
  find: FindOutcome[]
  refresh?: (RefreshOutcome | 'never')[]
}

/** Workers in processes of their own, on one folder and one database. */
export interface Restarts {
  engine: Engine
  /** What was asked of the network. */
  calls: string[]
  /** Resolves when it is ready. */
  start(): Promise<ChildProcess>
  kill(worker: ChildProcess): Promise<void>
  close(): Promise<void>
}

export async function openRestarts(answers: Answers, settings: EngineOptions['settings'] = {}): Promise<Restarts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-restarts-'))
  const engine = await createEngine({ networks: [scriptedNetwork({})] })
  const calls: string[] = []
  const server = createServer((request, response) => {
    const step = (request.url ?? '').slice(1) as keyof Answers
    calls.push(step)
    const list = answers[step] ?? [{ kind: 'ready' }]
    const answer = list[Math.min(calls.filter((call) => call === step).length, list.length) - 1]
    if (answer !== 'never') response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const networkUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const setup: RestartWorker = { databaseUrl: engine.databaseUrl, dataDir, networkUrl, settings }
  const running = new Set<ChildProcess>()
  const kill = async (worker: ChildProcess) => {
    if (!running.delete(worker)) return
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
  return {
    engine,
    calls,
    kill,
    async start() {
      const path = join(import.meta.dirname, 'restart-worker.ts')
      const worker = fork(path, [JSON.stringify(setup)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      running.add(worker)
      await once(worker, 'message')
      return worker
    },
    async close() {
      for (const worker of running) await kill(worker)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await engine.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
