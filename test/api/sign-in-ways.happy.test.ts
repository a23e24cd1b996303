import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Connection, ConnectionOverview } from '#contract'
import { loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInThere, start } from '../_util/api/connecting.ts'
import { anyRate, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

/** A network with two ways to sign in: Instagram, with an account's Page or without. */

let api: Api
let simulators: Awaited<ReturnType<typeof startSimulators>>
let owner: Person
let socialSetId: string

beforeAll(async () => {
  simulators = await startSimulators(await loadNetworks())
  const settings = { instagram: { LOGIN_CLIENT_ID: 'the Instagram app', LOGIN_CLIENT_SECRET: 'its secret' } }
  api = await startApi({ rate: anyRate, connections: { ...simulators, settings } })
  owner = await signInAs(api, 'owner')
})
afterAll(async () => {
  await api.close()
  await simulators.close()
})
beforeEach(async () => {
  socialSetId = await api.newSocialSet()
})

const overview = async (): Promise<ConnectionOverview> => {
  const { status, body } = await owner.request('GET', `/connections?socialSetId=${socialSetId}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const only = async (): Promise<Connection> => {
  const { connections } = await overview()
  expect(connections).toHaveLength(1)
  return connections[0] as Connection
}

test('a network with several ways to sign in says which are set up, and goes the one that is asked for', async () => {
  // Operators alone learn which settings are missing.
  await api.db.updateTable('users').set({ is_operator: true }).where('email', '=', owner.email).execute()
  const types = new Map((await overview()).accountTypes.map((type) => [type.accountType, type]))
  expect(types.get('PINTEREST')?.signIns).toEqual([])
  const { signIns, configured } = types.get('INSTAGRAM') ?? { signIns: [] }
  expect(configured).toBe(true)
  expect(signIns.map(({ name, configured: ready }) => [name, ready])).toEqual([
    ['facebook', false],
    ['instagram', true],
  ])
  expect(signIns[0]?.missingSettings.map(({ name }) => name)).toEqual([
    'ALMANAC_INSTAGRAM_CLIENT_ID',
    'ALMANAC_INSTAGRAM_CLIENT_SECRET',
  ])
  const wanted = { socialSetId, accountType: 'INSTAGRAM', sandbox: true }
  expect(await signInThere(api, owner, { ...wanted, signIn: 'instagram' })).toMatchObject({ status: 'CONNECTED' })
  expect(await only()).toMatchObject({
    name: 'Demo Pottery',
    signIn: 'instagram',
    state: 'CONNECTED',
    expiresAt: null,
  })
  const unknown = await owner.request('POST', '/connections/authorizations', { body: { ...wanted, signIn: 'myspace' } })
  expect(unknown).toMatchObject({ status: 409 })
  expect(unknown.body.detail).toContain('Available: facebook, instagram.')
})

test('a renewal goes the way that the connection came', async () => {
  await signInThere(api, owner, { socialSetId, accountType: 'INSTAGRAM', sandbox: true, signIn: 'instagram' })
  const { id } = await only()
  const begun = await owner.request('POST', `/connections/${id}/reconnect`)
  expect(begun.body.signIn.address).toContain('/loginWeb/oauth/authorize')
})

test('a reel with a track is a problem on an account that came without a Page, and on no other', async () => {
  const reel = { accountType: 'INSTAGRAM', type: 'REEL', caption: 'Reel', collaborators: [], media: [], audio: '1' }
  const isProblem = async () => {
    const at = { scheduledAt: '2030-06-12T10:00:00Z', status: 'SCHEDULED', approval: 'NONE' }
    const checked = await api.request('POST', '/v1/post-sets/validate', { body: { socialSetId, ...at, posts: [reel] } })
    expect(checked.status).toBe(200)
    return JSON.stringify(checked.body).includes('without a Facebook Page')
  }
  await signInThere(api, owner, { socialSetId, accountType: 'INSTAGRAM', sandbox: true, signIn: 'instagram' })
  expect(await isProblem()).toBe(true)
  const connection = await only()
  const body = { password: owner.password, scheduledSets: 'LEAVE' }
  await owner.request('DELETE', `/connections/${connection.id}`, { body })
  await owner.request('POST', '/connections/sandbox', { body: { socialSetId, accountTypes: ['INSTAGRAM'] } })
  expect(await isProblem()).toBe(false)
})

test('without a name the way is the one that is set up', async () => {
  const { address } = await start(owner, { socialSetId, accountType: 'INSTAGRAM', sandbox: false })
  expect(new URL(address).href).toMatch(/^https:\/\/www\.instagram\.com\/oauth\/authorize\?/)
  expect(new URL(address).searchParams.get('client_id')).toBe('the Instagram app')
  const body = { socialSetId, accountType: 'INSTAGRAM', sandbox: false, signIn: 'facebook' }
  const refused = await owner.request('POST', '/connections/authorizations', { body })
  expect(refused.body.detail).toContain('Instagram is not set up on this installation')
})
