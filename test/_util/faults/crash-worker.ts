import { flushCompileCache } from 'node:module'
import type { Step } from '#publishing'
import { startWorker, type WorkerSetup } from '../engine/worker.ts'

/** What the parent says: run a worker that waits at a step, or let the one of this id go on. */
export type WorkerOrder = { id: number; setup: WorkerSetup; step: Step; occurrence: number } | { goOn: number }

/** What the parent hears: a worker waits at its step, or passes one. */
export type WorkerNews = { id: number; waiting: Step } | { id: number; step: Step }

/**
 * A process of workers, one for each order. Each reports every step to the parent, and waits at the one that it was asked to
 * wait at until the parent lets it go on.
 */
const send = (news: WorkerNews) => process.send?.(news)
const goOn = new Map<number, () => void>()

process.on('message', (order: WorkerOrder) => {
  if ('goOn' in order) goOn.get(order.goOn)?.()
  else void work(order)
})
// Nothing is left behind when the parent is gone.
process.on('disconnect', () => process.exit())

async function work({ id, setup, step: waitAt, occurrence }: Extract<WorkerOrder, { id: number }>) {
  let passed = 0
  await startWorker(setup, async (step) => {
    if (step === waitAt) passed += 1
    if (step !== waitAt || passed !== occurrence) return void send({ id, step })
    const continued = new Promise<void>((resolve) => goOn.set(id, resolve))
    send({ id, waiting: step })
    await continued
  })
  // Most of these processes are killed, and would leave nothing compiled for the next.
  flushCompileCache()
}
