import { expect, test } from 'vitest'
import type { Attempt } from '../network.ts'
import type { Called, Listing } from './api.ts'
import { comparable, goesBackBehind, type Lookup, lookUp } from './lookup.ts'
import { answer } from './testing.ts'

const FENCE = new Date('2026-11-21T10:00:00Z')
const at = (seconds: number) => new Date(FENCE.getTime() + seconds * 1000)
const alone = { others: async () => ({ taken: new Set<string>(), twins: [] }), claim: async () => true }
const attempt = { fencedAt: FENCE, now: () => at(60), sentWords: [{ text: 'Bread' }], ...alone } as unknown as Attempt

const entry = (text: string, seconds: number | null = 1) => ({ text, at: seconds === null ? null : at(seconds) })
type Entry = ReturnType<typeof entry>
const lookup: Omit<Lookup<Entry>, 'list'> = {
  title: 'Demo',
  skewMs: 30_000,
  id: ({ text }) => text,
  at: (post) => post.at,
  match: ({ text }, words) => (text === words.text ? 'same' : text.startsWith('Bread') ? 'similar' : null),
  meaningOf: () => ({ kind: 'reconnect', mayRefresh: true, message: 'Sign in.' }),
}
const looked = (listed: Called<Listing<Entry>>, more: Partial<Lookup<Entry>> = {}) =>
  lookUp(attempt, { ...lookup, list: async () => listed, ...more })
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

test('what was sent by a clock that is ahead is neither there nor not', async () => {
  const list = async () => ({ kind: 'ok' as const, value: { entries: [], whole: true } })
  const sent = (seconds: number) => lookUp({ ...attempt, fencedAt: at(seconds) }, { ...lookup, list })
  expect(await sent(66)).toMatchObject({ kind: 'cannot-tell' })
  expect(await lookUp(attempt, { ...lookup, list, since: at(66) })).toMatchObject({ kind: 'cannot-tell' })
  // Clocks are corrected.
  expect(await sent(64)).toMatchObject({ kind: 'absent' })
})

const beside = (others: Partial<Awaited<ReturnType<Attempt['others']>>>, isFree = true): Attempt => ({
  ...attempt,
  others: async () => ({ taken: new Set(), twins: [], ...others }),
  claim: async () => isFree,
})
const twin = { state: 'unsure', isFirst: false, isListed: true } as const
const waits = { kind: 'cannot-tell', unanswered: true }
const later = entry('Bread', 2)
test.each<[string, Attempt, Entry[], object]>([
  ['what is another one’s is left out', beside({ taken: new Set(['Bread']) }), [bread], { kind: 'absent' }],
  ['also as what may be it', beside({ taken: new Set(['Bread …']) }), [entry('Bread …')], { kind: 'absent' }],
  ['of two the first one takes the older', beside({ twins: [twin] }), [later, bread], { kind: 'entry', entry: bread }],
  ['and the second one waits', beside({ twins: [{ ...twin, isFirst: true }] }), [later, bread], waits],
  ['what is not listed yet is waited for', beside({ twins: [{ ...twin, isListed: false }] }), [bread], waits],
  ['also where nothing is', beside({ twins: [{ ...twin, state: 'settled', isListed: false }] }), [], waits],
  [
    'nor is a call under way passed',
    beside({ twins: [{ ...twin, state: 'calling', isListed: false }] }),
    [bread],
    waits,
  ],
  [
    'one that nobody will tell of makes it doubtful',
    beside({ twins: [{ ...twin, state: 'vague' }] }),
    [bread],
    { kind: 'cannot-tell' },
  ],
  ['three for two are too many', beside({ twins: [twin] }), [bread, later, entry('Bread', 3)], { kind: 'cannot-tell' }],
  [
    'without times there is no order',
    beside({ twins: [twin] }),
    [bread, entry('Bread', null)],
    { kind: 'cannot-tell' },
  ],
  ['who comes second looks again', beside({}, false), [bread], waits],
])('beside others of the same words: %s', async (_, given, entries, reported) => {
  const looked = await lookUp(given, { ...lookup, list: async () => ({ kind: 'ok', value: { entries, whole: true } }) })
  expect(looked).toMatchObject(reported)
})

test('what holds a file of the post is its, whatever others have', async () => {
  const given = beside({ twins: [{ ...twin, state: 'calling' }] })
  const list = async () => ({ kind: 'ok' as const, value: { entries: [bread], whole: true } })
  const looked = await lookUp(given, { ...lookup, list, match: () => 'own' })
  expect(looked).toEqual({ kind: 'entry', entry: bread })
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
