import { expect } from 'vitest'
import type { ApprovalRuleBody } from '#contract'
import { newId } from '#domain'
import { setStates } from '../engine/set-state.ts'
import type { Answer, Api } from './api.ts'
import { setRule } from './approvals.ts'
import { type Person, signInAs } from './members.ts'

/** Numbers that look random and come again with the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Fixture {
  api: Api
  person: Person
  ids: string[]
  labels: string[]
  random(): number
}

/** What was done, and how it is taken back. */
interface Done {
  what: string
  undo: { action: object; ids: { id: string; version?: number }[] }
}

const DECISIONS = ['approval', 'request for changes']

/**
 * Does things to post sets in a random order, takes each back, last first, and holds the rows of all sets against what
 * they were before each: they must be the same, all columns of them. Now and then something is taken back, done again by
 * taking that back, and taken back again. Answers how often each thing was done.
 */
export async function runSequences(
  api: Api,
  options: { sequences: number; seed: number; rule?: Partial<ApprovalRuleBody> },
): Promise<Map<string, number>> {
  const fixture = await openFixture(api, numbersFrom(options.seed), options.rule)
  const counts = new Map<string, number>()
  const state = () => setStates(api.db, fixture.ids)
  for (let sequence = 0; sequence < options.sequences; sequence++) {
    const stack: { done: Done; before: unknown[]; after: unknown[] }[] = []
    const story = () => `seed ${options.seed}, sequence ${sequence}: ${stack.map(({ done }) => done.what).join(', ')}`
    let now = await state()
    const length = 1 + Math.floor(fixture.random() * 5)
    for (let step = 0; step < length; step++) {
      const done = await doSomething(fixture, now)
      const before = now.states
      now = await state()
      if (!done) {
        expect(now.states, `${story()}; then something refused has changed something`).toEqual(before)
        continue
      }
      counts.set(done.what, (counts.get(done.what) ?? 0) + 1)
      stack.push({ done, before, after: now.states })
    }
    const reported = story()
    for (const { done, before, after } of stack.reverse()) {
      const taken = await bulk(fixture, done.undo.ids, done.undo.action)
      expect(taken.refused, `${reported}; taking back ${done.what}`).toEqual([])
      expect((await state()).states, `${reported}; after taking back ${done.what}`).toEqual(before)
      // Once a decision was undone, an approval is given again by reviewing alone.
      if (!('undo' in done.undo.action) || DECISIONS.includes(done.what) || fixture.random() > 0.1) continue
      const again = await bulk(fixture, taken.done, { undo: true })
      expect((await state()).states, `${reported}; after doing ${done.what} again`).toEqual(after)
      await bulk(fixture, again.done, { undo: true })
      expect((await state()).states, `${reported}; after taking back ${done.what} twice`).toEqual(before)
    }
  }
  return counts
}

async function openFixture(api: Api, random: () => number, rule: Partial<ApprovalRuleBody> = {}): Promise<Fixture> {
  const person = await signInAs(api, 'editor')
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM'] })
  await setRule(api, rule, socialSetId)
  const labels = [newId(), newId(), newId()]
  for (const id of labels) {
    await api.db.insertInto('labels').values({ id, account_id: api.accountId, name: id, color: null }).execute()
  }
  // Around the beginning of summer time, at an hour that it skips.
  const repeat = { interval: 'DAY', occurrences: 2 }
  const at = '2030-03-30T02:30:00+01:00'
  const media = [{ mediaLibraryId: await api.newMedia({ socialSetId }) }]
  const post = { accountType: 'INSTAGRAM', caption: 'hello', media, type: 'IMAGE', collaborators: [] }
  const { seriesId } = await api.create({ socialSetId, scheduledAt: at, repeat, posts: [post], status: 'SCHEDULED' })
  await api.create({ socialSetId, scheduledAt: '2030-04-02T10:00:00Z', approval: 'APPROVED' })
  await api.create({ socialSetId, scheduledAt: '2030-04-03T10:00:00Z', status: 'SCHEDULED', approval: 'PENDING' })
  const sets = await api.db
    .selectFrom('post_sets')
    .select('id')
    .where('social_set_id', '=', socialSetId)
    .orderBy('id')
    .execute()
  expect([sets.length, typeof seriesId]).toEqual([4, 'string'])
  return { api, person, ids: sets.map(({ id }) => id), labels, random }
}

const pick = <T>({ random }: Fixture, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

/** Does one thing. Null when it was refused, or has changed nothing. */
async function doSomething(
  fixture: Fixture,
  now: { states: readonly unknown[]; versions: readonly (number | null)[] },
): Promise<Done | null> {
  const { person, ids, labels, random } = fixture
  const id = pick(fixture, ids)
  const some = ids.filter(() => random() < 0.5)
  const several = (some.length > 0 ? some : [id]).map((each) => ({ id: each }))
  const version = now.versions[ids.indexOf(id)]
  const time = () =>
    new Date(Date.parse('2030-03-20T00:00:00Z') + Math.floor(random() * 40 * 96) * 900_000).toISOString()
  const one = async (what: string, method: string, path: string, body: object): Promise<Done | null> => {
    const { status, body: set } = await person.request(method, `/post-sets/${id}${path}`, {
      body,
      headers: { 'if-match': '*' },
    })
    if (status >= 400 || set.version === version) return null
    return { what, undo: { action: { undo: true }, ids: [{ id, version: set.version }] } }
  }
  const many = async (what: string, action: object, back: object = { undo: true }): Promise<Done | null> => {
    const { done } = await bulk(fixture, several, action)
    if (done.length === 0) return null
    return {
      what,
      undo: { action: back, ids: 'undo' in back ? done : done.map(({ id: each }: { id: string }) => ({ id: each })) },
    }
  }
  const ways: [string, (what: string) => Promise<Done | null>][] = [
    ['move', (what) => one(what, 'PATCH', '', { scheduledAt: time() })],
    [
      'move of the series',
      async (what) => {
        const body = { scheduledAt: time(), scope: pick(fixture, ['following', 'all']) }
        const { status, body: answer } = await person.request('POST', `/post-sets/${id}/move`, { body })
        if (status >= 400 || answer.moved.length === 0) return null
        return { what, undo: { action: { undo: true }, ids: answer.moved } }
      },
    ],
    ['move of several', (what) => many(what, { move: { days: pick(fixture, [-7, -1, 1, 2, 7]) } })],
    ['lock', (what) => one(what, 'PUT', '/lock', { locked: random() < 0.5 })],
    ['lock of several', (what) => many(what, { lock: random() < 0.5 })],
    ['labels', (what) => one(what, 'PUT', '/labels', { labelsId: labels.filter(() => random() < 0.5) })],
    ['label of several', (what) => many(what, { addLabel: pick(fixture, labels) })],
    ['label off several', (what) => many(what, { removeLabel: pick(fixture, labels) })],
    ['approval', (what) => one(what, 'POST', '/review', { decision: 'approve' })],
    ['request for changes', (what) => one(what, 'POST', '/review', { decision: 'request-changes', message: 'No.' })],
    ['request for approval', (what) => many(what, { requestApproval: true })],
    ['parking', (what) => one(what, 'PATCH', '', { status: 'DRAFT' })],
    ['scheduling', (what) => one(what, 'PATCH', '', { status: 'SCHEDULED', scheduledAt: time() })],
    ['deletion', (what) => many(what, { delete: true }, { restore: true })],
    ['restoring', (what) => many(what, { restore: true }, { delete: true })],
  ]
  // What is deleted is brought back more often than others are deleted.
  const gone = now.states.includes(null)
  const [what, way] = gone && random() < 0.3 ? (ways.at(-1) ?? pick(fixture, ways)) : pick(fixture, ways)
  return way(what)
}

async function bulk(
  { person }: Fixture,
  ids: readonly { id: string; version?: number }[],
  action: object,
): Promise<Answer['body']> {
  const given = ids.map(({ id, version }) => ({ id, ...(version === undefined ? {} : { version }) }))
  const { status, body } = await person.request('POST', '/post-sets/change', { body: { ids: given, action } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
