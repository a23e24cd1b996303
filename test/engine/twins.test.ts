import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountType, PostResult } from '#contract'
import { type Answer, newMark, openTwinStage, SAMPLES, type TwinStage } from '../_util/engine/twin-stage.ts'
import { crossed } from '../_util/run/whole.ts'

/** Two posts of the same words on one account, and answers that are lost: none is taken for the other. */

/** These refuse a text that the account has published shortly before; spaces make it another one for them, and none for a look. */
const REFUSE_AGAIN: readonly string[] = ['FACEBOOK', 'TWITTER', 'LINKEDIN_PAGE', 'LINKEDIN_PERSONAL']
/** No listing of theirs proves that a post is not there. */
const UNTOLD: readonly string[] = ['TIKTOK', 'LINKEDIN_PERSONAL']

const WAYS = Object.keys(SAMPLES).flatMap((accountType) => [
  [accountType, 'to the letter'] as const,
  ...(REFUSE_AGAIN.includes(accountType) ? [[accountType, 'but for spaces'] as const] : []),
])

type Case = [first: Answer, secondsLater: number, second: Answer]
const CASES: Case[] = [
  ['never arrived', 0, 'answered'],
  ['never arrived', 58, 'answered'],
  ['lost', 58, 'answered'],
  ['lost', 58, 'lost'],
  ['never arrived', 58, 'lost'],
  ['answered', 0, 'lost'],
  ['answered', 0, 'never arrived'],
]

const ALL = crossed(WAYS, CASES)

describe.each(WAYS)('%s, the same words %s', (accountType, same) => {
  let stage: TwinStage
  beforeAll(async () => {
    stage = await openTwinStage(accountType as AccountType)
  })
  afterAll(() => stage?.close())

  const cases = ALL.filter(([way]) => way[0] === accountType && way[1] === same).map(([, each]) => each)
  test.each(cases)('one %s, and %d s later one %s', async (first, later, second) => {
    const mark = newMark()
    const caption = `Fresh bread every morning ${mark}`
    const sets = [await stage.schedule(caption, first)]
    if (later > 0) await stage.pass(later * 1_000)
    sets.push(await stage.schedule(same === 'to the letter' ? caption : caption.replace(' ', '  '), second))
    await stage.settle()
    const results: PostResult[] = []
    const unsure: string[] = []
    for (const set of sets) {
      results.push(...(await stage.engine.set(set)).results.flatMap((result) => result ?? []))
      if ((await stage.engine.delivery(set)).surely_absent === false) unsure.push(set)
    }
    const ledger = (await stage.ledger(mark)).map(({ id }) => id)
    const posted = results.filter(({ status }) => status === 'POSTED')
    const ids = posted.flatMap(({ providerId }) => providerId ?? [])
    // Each id is the result of one of them, and is there.
    expect(new Set(ids).size).toBe(ids.length)
    expect(ledger).toEqual(expect.arrayContaining(ids))
    // What is there is what is told, but for what may be live as its result says.
    expect(ledger.length).toBeGreaterThanOrEqual(posted.length)
    expect(ledger.length).toBeLessThanOrEqual(posted.length + unsure.length)
    if (UNTOLD.includes(accountType)) return
    expect(unsure).toEqual([])
    const sendsAgain = first === 'never arrived' && second === 'lost'
    if (REFUSE_AGAIN.includes(accountType) && (same === 'to the letter' || sendsAgain)) {
      expect(posted.length).toBeGreaterThan(0)
      return
    }
    expect(results).toMatchObject([{ status: 'POSTED' }, { status: 'POSTED' }])
    expect(ids).toHaveLength(2)
  })
})
