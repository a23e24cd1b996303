import { flushCompileCache } from 'node:module'
import { startWorker, type WorkerSetup } from './worker.ts'

/**
 * A worker in a process of its own that tells every step to its parent, and waits at the one that it was told to wait
 * at until the parent lets it go on.
 */
const {
  setup,
  step: waitAt,
  occurrence,
} = JSON.parse(process.argv[2] ?? '') as {
  setup: WorkerSetup
  step: string
  occurrence: number
}

let passed = 0
await startWorker(setup, async (step) => {
  if (step === waitAt) passed += 1
  if (step === waitAt && passed === occurrence) {
    const goOn = new Promise((resolve) => process.once('message', resolve))
    process.send?.({ waiting: step })
    await goOn
    return
  }
  process.send?.({ step })
})
// Most of these processes are killed, and would leave nothing compiled for the next.
flushCompileCache()
process.send?.({ started: true })
