import { converse, endProgram, restingProcesses } from '#processes'
import { someAtATime } from './one-at-a-time.ts'
import type { Page, PageFacts } from './open-graph.ts'
import type { FromProgram, PageLimits, PageRequest } from './page-program.ts'

const MIB = 1024 * 1024
/** Measured: real pages take some 50 ms, 1 MiB of the smallest elements up to 3 s and 300 MB. Some take all memory that there is. */
const LIMITS: PageLimits = { heapMegabytes: 256, residentBytes: 512 * MIB, seconds: 3 }
/** A page that takes all of its time does not keep the others waiting. */
const AT_ONCE = 2

/**
 * What a page says of itself: none of it is parsed in this process.
 *
 * @throws Error the page takes too much, the process was ended from outside, or the machine is too busy
 * @throws the signal's reason
 */
export type ReadPage = (page: Page, signal: AbortSignal) => Promise<PageFacts>

/** Reads pages in processes of their own, which are ended when a page takes too much. */
export function openPageProcess(limits: PageLimits = LIMITS): ReadPage {
  const inTurn = someAtATime(AT_ONCE)
  const processes = restingProcesses(new URL('./page-program.ts', import.meta.url), 10_000)
  return (page, signal) =>
    inTurn(async () => {
      const child = processes.wake()
      let rests = false
      try {
        const request: PageRequest = { page, limits }
        const about = { seconds: limits.seconds, reads: 'pages', crashed: tookTooMuch, signal }
        for await (const answer of converse<FromProgram>(child, request, about)) {
          if (answer.kind !== 'read') throw tookTooMuch()
          rests = answer.residentBytes < limits.residentBytes / 2
          return answer.facts
        }
        throw new Error('The process that reads pages gave no answer.')
      } finally {
        if (rests) processes.rest(child)
        else endProgram(child)
      }
    }, signal)
}

const tookTooMuch = () => new Error('The page takes too much memory or time to read.')
