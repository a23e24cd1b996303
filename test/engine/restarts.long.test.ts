import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openRestarts } from '../_util/engine/restarts.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** Real workers that live shorter than a proof takes, in real time. What they are told by a clock of a test is in restarts.test.ts. */

const unknown = { kind: 'unknown', message: 'No answer.' } as const
const LEASE = 40_000

describe.concurrent.each([8_000, 5_000])('a worker that is replaced %d ms after it is ready', (everyMs) => {
  test.each([
    ['whose answer was lost', unknown, 30_000],
    ['in which the first worker was killed', 'never', 30_000 + LEASE],
  ] as const)('sends a post behind a call %s, once', async (_, first, withinMs) => {
    const restarts = await openRestarts(
      { publish: [first, published], find: [{ kind: 'absent' }] },
      { listingDelayMs: 10_000 },
    )
    const { engine, calls, start, kill } = restarts
    try {
      let worker = await start()
      const set = await engine.schedule()
      await expect.poll(() => calls, { timeout: 10_000 }).toContain('publish')
      const calledAt = performance.now()
      /** A machine that has much to do takes long to start a process. */
      let startingMs = 0
      if (first === 'never') await kill(worker)
      else await expect.poll(async () => (await engine.delivery(set)).state).toBe('LOOKING_UP')
      const isDone = async () => (await engine.set(set)).results[0] != null
      while (performance.now() - calledAt < 180_000 && !(await isDone())) {
        await kill(worker)
        const killedAt = performance.now()
        worker = await start()
        startingMs += performance.now() - killedAt
        for (const until = performance.now() + everyMs; performance.now() < until && !(await isDone()); )
          await pause(100)
      }
      expect(performance.now() - calledAt - startingMs).toBeLessThan(withinMs)
      expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
      expect(calls.filter((call) => call === 'publish')).toHaveLength(2)
    } finally {
      await restarts.close()
    }
  })
})

/** Namespaces of time need root. */
test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'the clocks of a time namespace are those of the machine',
  async () => {
    const clock = join(import.meta.dirname, '../../src/publishing/clock.ts')
    const program = `const { machineClock } = await import(${JSON.stringify(clock)}); const { readBoot } = await import(${JSON.stringify(clock.replace('clock.ts', 'boot.ts'))});
      const clock = machineClock(); console.log(JSON.stringify([readBoot().id, clock.monotonic(), clock.boottime()]))`
    const node = [process.execPath, '--input-type=module', '-e', program]
    const read = async (...command: string[]) => {
      const { stdout } = await promisify(execFile)(command[0] ?? '', command.slice(1))
      return JSON.parse(stdout) as [string, number, number]
    }
    const [boot, monotonic, boottime] = await read(...node)
    const inside = await read('unshare', '--time', '--fork', '--monotonic', '86400', '--boottime', '3600', ...node)
    expect(inside[0]).toBe(boot)
    expect(inside[1] - monotonic).toBeGreaterThan(0)
    expect(inside[1] - monotonic).toBeLessThan(60_000)
    expect(Math.abs(inside[2] - boottime)).toBeLessThan(60_000)
  },
)
