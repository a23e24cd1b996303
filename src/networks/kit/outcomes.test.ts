import { expect, test } from 'vitest'
import type { Attempt, FindOutcome, PublishOutcome } from '../network.ts'
import { confirmByLookup } from './outcomes.ts'

const live = { providerId: 'p1', permalink: null }
const accepted = { kind: 'accepted', askAgainAt: new Date(0) } as const

test.each<[FindOutcome, PublishOutcome]>([
  [
    { kind: 'found', ...live },
    { kind: 'published', ...live },
  ],
  // No proof before the listing delay, which only looks are counted from: sent again at once, it might be there twice.
  [{ kind: 'absent' }, { kind: 'unknown', message: 'Not there.' }],
  [
    { kind: 'cannot-tell', message: 'No list.' },
    { kind: 'unknown', message: 'No list.' },
  ],
  [accepted, accepted],
])('what confirms by a lookup that answers %j', async (found, confirmed) => {
  expect(await confirmByLookup(async () => found, 'Not there.')({} as Attempt)).toEqual(confirmed)
})
