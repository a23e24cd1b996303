import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { anyRate, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { demoConnection } from '../_util/browser/demo-connection.ts'

/** What an account may do at this moment, as the form of a post asks it. */

let api: Api
let simulators: Awaited<ReturnType<typeof startSimulators>>
let owner: Person

beforeAll(async () => {
  simulators = await startSimulators(await loadNetworks())
  api = await startApi({ rate: anyRate, connections: simulators })
  owner = await signInAs(api, 'owner')
})
afterAll(async () => {
  await api.close()
  await simulators.close()
})

const ask = async (name: string, person = owner) => {
  const { id } = await demoConnection(api, owner, { accountType: 'TIKTOK', name })
  return person.request('GET', `/connections/${id}/capabilities`)
}

test('names, audiences, switches and seconds are as the network has them', async () => {
  const answer = await ask('Corner Bakery')
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body).toEqual({
    name: 'Corner Bakery',
    username: expect.stringMatching(/^corner_bakery/),
    offered: [{ option: 'privacy', values: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] }],
    switchedOff: [],
    maxVideoSeconds: 600,
    refusal: null,
    spared: false,
  })
})

test('what the account has switched off is named, and a private account has other audiences', async () => {
  const { body } = await ask('Mill [[account:private]] [[account:no-duets]] [[account:no-stitches]]')
  expect(body).toMatchObject({
    name: 'Mill',
    offered: [{ option: 'privacy', values: ['MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] }],
    switchedOff: ['allowDuet', 'allowStitch'],
  })
})

test('where posts go into the inbox by default nothing has to be decided here, even if the network does not say more', async () => {
  const { id } = await demoConnection(api, owner, { accountType: 'TIKTOK', name: 'Inbox' })
  const change = (defaults: object) => owner.request('PUT', `/connections/${id}/defaults`, { body: { defaults } })
  expect((await change({ mode: 'INBOX' })).status).toBeLessThan(300)
  const read = () => owner.request('GET', `/connections/${id}/capabilities`)
  expect((await read()).body).toMatchObject({ name: 'Inbox', spared: true })
  expect((await change({ mode: 'DIRECT' })).status).toBeLessThan(300)
  expect((await read()).body).toMatchObject({ spared: false })
})

test('a member who writes posts asks without the right to connect accounts', async () => {
  const writer = await signInAs(api, 'author')
  expect((await ask('Market', writer)).status).toBe(200)
})

test.each([
  ['too-many-posts', 'why:account_posts', /accepts no more posts from this account/],
  ['banned', 'why:account_banned', /does not let this account publish/],
  ['too-many-users', 'why:account_app', /app of this installation/],
])('an account that cannot post now says why (%s), and stays connected', async (word, code, message) => {
  const { id, socialSetId } = await demoConnection(api, owner, {
    accountType: 'TIKTOK',
    name: `Kiosk [[account:${word}]]`,
  })
  const { status, body } = await owner.request('GET', `/connections/${id}/capabilities`)
  expect([status, body.refusal]).toEqual([
    200,
    { code, message: expect.stringMatching(message), values: { title: 'TikTok' } },
  ])
  const { connections } = (await owner.request('GET', `/connections?socialSetId=${socialSetId}`)).body
  expect(connections).toMatchObject([{ id, state: 'CONNECTED' }])
})
