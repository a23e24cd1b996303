import { expect, test } from 'vitest'
import type { Attempt, FindOutcome, Handles, PublishOutcome } from '../network.ts'
import type { Called } from './api.ts'
import { type Classification, errorTable, few, type Meaning } from './errors.ts'
import { afterVisibleCall, askAgain } from './flow.ts'
import { confirmByLookup } from './outcomes.ts'
import { answer } from './testing.ts'

const NOW = new Date('2026-11-21T10:00:00Z')
const verdict = { kind: 'refused', reason: 'UNKNOWN', message: 'No.' } as const
const refused: Classification = { meaning: verdict, known: true, certain: true }
const again = (more: Partial<Classification> = {}): Classification => ({
  ...refused,
  meaning: { kind: 'again', from: 'publish', message: 'Later.' },
  ...more,
})

async function judged(called: Called<string>, classified = refused, kept: Handles = {}) {
  const stored: Handles[] = []
  const attempt = {
    handles: kept,
    now: () => NOW,
    store: async (more: Handles) => void stored.push(more),
  } as Partial<Attempt>
  const outcome = await afterVisibleCall(attempt as Attempt, called, {
    classify: () => classified,
    unclear: 'Unclear.',
    dropped: { upload: null },
    made: (providerId) => ({ kind: 'published', providerId, permalink: null }),
  })
  return { outcome, stored }
}
const no = { kind: 'refused', answer: answer(400) } as const

test.each<[string, Parameters<typeof judged>, object, Handles[]]>([
  ['a success', [{ kind: 'ok', value: '7' }], { kind: 'published', providerId: '7' }, []],
  ['no answer', [{ kind: 'failed', sent: true, message: 'Lost.' }], { kind: 'unknown' }, []],
  ['nothing sent', [{ kind: 'failed', sent: false, message: 'Lost.' }], { kind: 'retry', from: 'prepare' }, []],
  ['a certain refusal', [no], verdict, []],
  ['one that proves nothing', [no, { ...refused, certain: false }], { kind: 'unknown', message: 'No.' }, [{ verdict }]],
  ['a fault', [no, again()], { kind: 'retry', from: 'prepare' }, []],
  ['what is spent', [no, again({ spent: true })], { kind: 'retry' }, [{ upload: null }]],
  ['a try of a few', [no, again(few('UNKNOWN', 1))], { kind: 'retry' }, [{ tries: 1 }]],
  ['the last of them', [no, again(few('UNKNOWN', 1)), { tries: 1 }], { kind: 'refused', message: 'Later.' }, []],
])('after the visible call: %s', async (_, given, outcome, stored) => {
  const reported = await judged(...given)
  expect(reported.outcome).toMatchObject(outcome)
  expect(reported.stored).toEqual(stored)
})

test.each([
  [null, 2_000],
  [9, 2_000],
  [10, 5_000],
  [60, 60_000],
])('what was begun %i s ago is asked for again in %i ms', (age, pause) => {
  const since = age === null ? null : new Date(NOW.getTime() - age * 1000)
  const steps = [
    [10_000, 2_000],
    [60_000, 5_000],
  ] as const
  expect(askAgain({ now: () => NOW }, since, steps).getTime() - NOW.getTime()).toBe(pause)
})

const live = { providerId: 'p1', permalink: null }
const accepted = { kind: 'accepted', askAgainAt: NOW } as const
test.each<[FindOutcome, PublishOutcome]>([
  [
    { ...live, kind: 'found' },
    { ...live, kind: 'published' },
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

test.each<[true | undefined, number, Meaning, boolean]>([
  [true, 400, verdict, true],
  [true, 500, verdict, false],
  [true, 400, { kind: 'ambiguous', message: '?' }, false],
  [undefined, 400, verdict, false],
])('unknownProves %s: a refusal with %i that no row knows', (unknownProves, status, meaning, certain) => {
  const proves = unknownProves ? { unknownProves } : {}
  const { classify } = errorTable({ rows: [], parse: (given) => given, otherwise: () => meaning, ...proves })
  expect(classify(answer(status), NOW)).toMatchObject({ known: false, certain })
})
