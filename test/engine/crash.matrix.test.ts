import { afterAll, beforeAll, describe, test } from 'vitest'
import { allCases, GROUP_MS, killAndTakeOver, nameOf, stopAndContinue } from '../_util/crash-cases.ts'
import { type CrashStage, openStage } from '../_util/crash-stage.ts'

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

describe('a worker that is killed while it sends to a real server', () => {
  const cases = allCases.filter(({ network }) => network === 'bluesky-server')
  const outcome = killAndTakeOver(() => stage, cases)
  test.each(cases.map((each) => [nameOf(each), each] as const))('at %s', (_, each) => outcome(each), GROUP_MS)
})

describe('a worker that is stopped past its lease and continued, at every step', () => {
  const outcome = stopAndContinue(() => stage, allCases)
  test.each(allCases.map((each) => [nameOf(each), each] as const))('at %s', (_, each) => outcome(each), GROUP_MS)
})
