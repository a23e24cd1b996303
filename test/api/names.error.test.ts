import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'
import { ask, invite } from '../_util/api/invitations.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'

/** One rule for every name that people and programs choose. */

let api: Api
let owner: Person
/** What each name is sent to: a way to make the thing and a way to rename it. */
let ways: Record<string, (name: string) => Promise<Answer>>

beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  const { password } = owner
  const { body: label } = await owner.request('POST', '/labels', { body: { name: 'Named' } })
  const newKey = { scopes: [], socialSetIds: null, expiresAt: null, password }
  const { body: key } = await owner.request('POST', '/api-keys', { body: { ...newKey, name: 'Named' } })
  const { token } = await invite(owner, { email: 'named@example.com' })
  const accept = (name: string) =>
    ask(api, 'POST', '/invitations/accept', { body: { token, name, password: 'a long enough secret' } })
  ways = {
    'a file that is imported': (name) =>
      api.request('POST', '/v1/media-upload', {
        body: { socialSetId: api.socialSetId, url: 'https://example.com/a.png', name },
      }),
    'a label': (name) => owner.request('POST', '/labels', { body: { name } }),
    'a label, renamed': (name) => owner.request('PATCH', `/labels/${label.id}`, { body: { name } }),
    'a key': (name) => owner.request('POST', '/api-keys', { body: { ...newKey, name } }),
    'a key, renamed': (name) => owner.request('PATCH', `/api-keys/${key.id}`, { body: { name, password } }),
    'a social set': (name) => owner.request('POST', '/social-sets', { body: { name, timezone: 'UTC' } }),
    'a social set, renamed': (name) => owner.request('PATCH', `/social-sets/${api.socialSetId}`, { body: { name } }),
    'a person': (name) => owner.request('PATCH', '/profile', { body: { name } }),
    'an invited person': accept,
  }
})
afterAll(() => api.close())

const namesOf = async () => {
  const tables = ['media_uploads', 'labels', 'api_keys', 'social_sets', 'users'] as const
  const rows = await Promise.all(tables.map((table) => api.db.selectFrom(table).select('name').execute()))
  return rows
    .flat()
    .map(({ name }) => name)
    .toSorted()
}

test.each([
  ['a line break', 'Ada\nLovelace', /must not have line breaks or invisible control characters/],
  ['a bell', 'Ada\u0007', /must not have line breaks/],
  ['a control character of C1', 'Ada\u009b31m', /must not have line breaks/],
  ['text turned round', 'photo\u202egpj.exe', /must not have line breaks/],
  ['an isolate', 'Ada\u2066x\u2069', /must not have line breaks/],
  ['a separator of paragraphs', 'Ada\u2029x', /must not have line breaks/],
  ['nothing but spaces', '   ', /needs a name/],
  ['201 characters', 'é'.repeat(201), /at most (200|60) characters/],
])('%s is refused wherever a name is given', async (_, name, words) => {
  const before = await namesOf()
  for (const [thing, send] of Object.entries(ways)) {
    const { status, body } = await send(name)
    expect(status, thing).toBeGreaterThanOrEqual(400)
    expect(status, thing).toBeLessThan(500)
    const text = [body.message, ...body.errors.map(({ message }: { message: string }) => message)].join('\n')
    expect(text, thing).toMatch(words)
  }
  expect(await namesOf()).toEqual(before)
})

test('spaces around a name go, and scripts that need joiners and marks of direction keep them', async () => {
  const name = 'مثال\u200f 👩\u200d🍳 é'
  for (const [thing, send] of Object.entries(ways)) {
    const answer = await send(` ${name}  `)
    // One label of a name, and so on: the second way of a thing meets the first one's.
    if (thing === 'a label, renamed') expect(answer.body.code).toBe('label:name_taken')
    else expect(answer.status, `${thing}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  }
  expect((await namesOf()).filter((one) => one === name)).toHaveLength(8)
})
