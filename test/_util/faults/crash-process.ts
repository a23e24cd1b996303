import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Step } from '#publishing'
import type { WorkerSetup } from '../engine/worker.ts'
import type { WorkerNews, WorkerOrder } from './crash-worker.ts'

/** How long anything in a scene may take. */
export const DEADLINE_MS = 60_000

/** A process in which workers of several scenes run, and which is killed or stopped with all of them. */
export interface WorkerProcess {
  /** Runs a worker. Resolves when it has come to its step, for the given time, and waits there. */
  work(setup: WorkerSetup, step: Step, occurrence: number): Promise<WaitingWorker>
  /** Runs a worker that waits at no step. */
  run(setup: WorkerSetup): void
  kill(): void
  pause(): void
  resume(): void
}

export interface WaitingWorker {
  /** Lets it go on, when its process does, and resolves when it has ended its turn at the delivery. */
  endTurn(): Promise<void>
}

/** @param program that of another checkout, whose workers run */
export function startWorkerProcess(program = join(import.meta.dirname, 'crash-worker.ts')): WorkerProcess {
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  // Every worker of the process listens.
  child.setMaxListeners(0)
  const order = (it: WorkerOrder) => void child.send(it)
  let last = 0

  function hear(wanted: (news: WorkerNews) => boolean, otherwise: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`In ${DEADLINE_MS} ms ${otherwise}.`)), DEADLINE_MS)
      child.once('exit', (code, signal) => {
        if (signal !== 'SIGKILL') reject(new Error(`The worker ended with ${code ?? signal}.`))
      })
      child.on('message', (news: WorkerNews) => {
        if (!wanted(news)) return
        clearTimeout(timer)
        resolve()
      })
    })
  }

  return {
    async work(setup, step, occurrence) {
      const id = ++last
      const of = (news: WorkerNews) => news.id === id
      order({ id, setup, step, occurrence })
      await hear((news) => of(news) && 'waiting' in news, `the worker did not come to ${step}`)
      return {
        async endTurn() {
          const over = hear(
            (news) => of(news) && 'step' in news && news.step === 'turn-over',
            'the worker did not end its turn',
          )
          order({ goOn: id })
          await over
        },
      }
    },
    run: (setup) => order({ id: ++last, setup, step: 'finished', occurrence: 0 }),
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}
