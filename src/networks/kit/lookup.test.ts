import { expect, test } from 'vitest'
import type { Attempt } from '../network.ts'
import type { Called, Listing } from './api.ts'
import { comparable, goesBackBehind, type Lookup, lookUp } from './lookup.ts'
import { answer } from './testing.ts'

const FENCE = new Date('2026-11-21T10:00:00Z')
const at = (seconds: number) => new Date(FENCE.getTime() + seconds * 1000)
const attempt = { fencedAt: FENCE, now: () => at(60) } as Attempt

const entry = (text: string, seconds: number | null = 1) => ({ text, at: seconds === null ? null : at(seconds) })
type Entry = ReturnType<typeof entry>
const looked = (listed: Called<Listing<Entry>>, more: Partial<Lookup<Entry>> = {}) =>
  lookUp(attempt, {
    title: 'Demo',
    skewMs: 30_000,
    list: async () => listed,
    at: (post) => post.at,
    match: ({ text }) => (text === 'Bread' ? 'same' : text.startsWith('Bread') ? 'similar' : null),
    meaningOf: () => ({ kind: 'reconnect', mayRefresh: true, message: 'Sign in.' }),
    ...more,
  })
const among = (entries: Entry[], whole = true) => looked({ kind: 'ok', value: { entries, whole } })

const bread = entry('Bread')
test.each<[string, Entry[], boolean, unknown]>([
  ['the one entry that is it', [entry('Cake'), bread], true, { kind: 'entry', entry: bread }],
  ['it beside one that may be it', [entry('Bread …'), bread], true, { kind: 'entry', entry: bread }],
  ['it in a listing that was not read to its end', [bread], false, { kind: 'entry', entry: bread }],
  ['one without a time', [entry('Bread', null)], true, { kind: 'entry', entry: entry('Bread', null) }],
  ['one from just before, as clocks differ', [entry('Bread', -30)], true, { kind: 'entry' }],
  ['nothing', [entry('Cake')], true, { kind: 'absent' }],
  ['an older one', [entry('Bread', -31)], true, { kind: 'absent' }],
  ['two', [bread, entry('Bread', 2)], true, { kind: 'cannot-tell' }],
  ['one that may be it', [entry('Bread …')], true, { kind: 'cannot-tell' }],
  ['nothing, in a listing that was not read to its end', [], false, { kind: 'cannot-tell' }],
])('among entries: %s', async (_, entries, whole, reported) => {
  expect(await among(entries, whole)).toMatchObject(reported as object)
})

test('a listing that was not read proves nothing', async () => {
  expect(await looked({ kind: 'refused', answer: answer(401) })).toMatchObject({ kind: 'reconnect' })
  const failed = { kind: 'failed', sent: true, message: 'No.' } as const
  expect(await looked(failed)).toEqual({ kind: 'cannot-tell', message: 'No.', unanswered: true })
})

test('it may be asked for since another moment', async () => {
  let from = FENCE
  const list = async (since: Date) => {
    from = since
    return { kind: 'ok' as const, value: { entries: [], whole: true } }
  }
  await looked({ kind: 'ok', value: { entries: [], whole: true } }, { since: at(-100), list })
  expect(from).toEqual(at(-130))
})

test.each([
  [[5, 4, -40], true],
  [[5, 4, -20], false],
  [[4, 5, -40], false],
  [[5, null, -40], false],
  [[], false],
])('entries of %j go back behind the moment: %s', (times, expected) => {
  const entries = times.map((time) => entry('', time))
  expect(goesBackBehind(entries, at(-30), (post) => post.at)).toBe(expected)
})

test('texts are compared without what networks change in them', () => {
  expect(comparable(' Cafe\u0301 \n au lait ')).toBe('Café au lait')
})
