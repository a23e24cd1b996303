import { expect, test } from 'vitest'
import type { Hold } from '#contract'
import { placeOf, resumedWords, stoppedWords, whoWords } from './hold-words.ts'

const HOLD: Hold = {
  id: 'h',
  scope: 'SOCIAL_SET',
  socialSetId: 's',
  connectionId: null,
  accountType: null,
  name: 'Demo',
  since: '2030-06-12T10:00:00.000Z',
  by: 'Ada',
  reason: 'Wrong campaign',
}

test.each<[Partial<Hold>, string]>([
  [{}, 'Demo'],
  [{ scope: 'ACCOUNT', name: 'Bakery' }, 'all brands of Bakery'],
  [{ scope: 'CONNECTION', name: 'Corner', accountType: 'BLUESKY' }, 'Corner on Bluesky'],
])('what is stopped by %j is %s', (more, words) => {
  expect(placeOf({ ...HOLD, ...more })).toBe(words)
})

test('who stopped it, since when and why', () => {
  expect(whoWords(HOLD, '12 June')).toBe('Ada stopped it on 12 June: Wrong campaign')
  expect(whoWords({ ...HOLD, by: 'operator' }, '12 June')).toMatch(/^The operator stopped/)
})

test.each([
  [0, 'Publishing is stopped for Demo. No post was already with a network.'],
  [1, 'Publishing is stopped for Demo. 1 post is already with a network and cannot be stopped.'],
  [2, 'Publishing is stopped for Demo. 2 posts are already with a network and cannot be stopped.'],
])('with %i posts at networks the answer says so', (withNetworks, words) => {
  expect(stoppedWords({ hold: HOLD, withNetworks })).toBe(words)
})

test.each([
  [{ publishing: 0, parked: 0, failed: 0 }, 'Publishing resumed.'],
  [{ publishing: 2, parked: 0, failed: 0 }, 'Publishing resumed: 2 late posts are publishing now.'],
  [
    { publishing: 0, parked: 1, failed: 3 },
    'Publishing resumed: 1 late post is now a draft and 3 networks of partly published posts failed.',
  ],
])('a release that came to %j says so', (released, words) => {
  expect(resumedWords(released)).toBe(words)
})
