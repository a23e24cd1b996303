import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  allCases,
  GROUP_MS,
  inEveryRun,
  killAndTakeOver,
  nameOf,
  stopAndContinue,
} from '../_util/faults/crash-cases.ts'
import { type CrashStage, openStage } from '../_util/faults/crash-stage.ts'

/** The steps that crash.test.ts leaves out, and all of them before a real server. */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage({ withServer: true })
}, 60_000)
afterAll(() => stage.close())

describe('a worker that is killed', () => {
  const cases = allCases.filter((each) => !inEveryRun.includes(each))
  const outcome = killAndTakeOver(() => stage, cases)
  test.each(cases.map((each) => [nameOf(each), each] as const))('at %s', (_, each) => outcome(each), GROUP_MS)
})

describe('a worker that is stopped past its lease and continued, at every step', () => {
  const outcome = stopAndContinue(() => stage, allCases)
  test.each(allCases.map((each) => [nameOf(each), each] as const))('at %s', (_, each) => outcome(each), GROUP_MS)
})
