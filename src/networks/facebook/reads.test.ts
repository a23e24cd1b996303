import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { World } from '../conformance/delivery.ts'
import { lost, openStage, type Stage, worldOf } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { network } from './index.ts'
import { sample } from './testing-posts.ts'

const TYPES = ['TEXT', 'IMAGE', 'CAROUSEL', 'VIDEO', 'REEL', 'STORY']

let stage: Stage
/** A Page whose reads the network refuses to its own token. */
let page: World
/** The same Page as older sign-ins have stored it. */
let older: World
beforeAll(async () => {
  stage = await openStage(network, 'FACEBOOK', { base: 'graph/v25.0' })
  const found = (await stage.signIn.accounts()).find(({ name }) => name === 'Pretend Tea Room')
  if (!found) throw new Error('The Page is not among the accounts.')
  page = worldOf(stage, found)
  const { accessToken = '' } = found.credentials
  older = worldOf(stage, { ...found, credentials: { accessToken } })
  // The older shape refuses, so that what follows proves something.
  const { endpoints, account } = page.backend
  const read = async (path: string, token: string) => {
    const address = `${endpoints.graph}/v25.0/${path}`
    return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status
  }
  expect(await read(`${account.externalId}/published_posts`, accessToken)).toBe(400)
  expect(await read(`${account.externalId}/published_posts`, found.credentials.userToken ?? '')).toBe(200)
})
afterAll(() => stage?.close())

/** Cards need links. */
const post = (type: string, caption: string) => {
  const cards = type === 'CAROUSEL' ? { fields: { type: 'MULTI_IMAGE' } } : {}
  return sample(type, { caption: type === 'STORY' ? '' : caption, ...cards })
}
const made = async (before: ReadonlySet<string>) => (await stage.world.backend.posts(before)).length
const ids = async () => new Set((await stage.posts()).map(({ id }) => id))

describe("with the person's token, where reads are refused to the Page's", () => {
  test.each(TYPES)('%s is published', async (type) => {
    const before = await ids()
    const sent = await deliver(page, post(type, `Tea ${type}`))
    expect(sent.post).toMatchObject({ kind: 'made', permalink: expect.stringMatching(/^https?:/) })
    expect(await made(before)).toBe(1)
  })

  test.each(['TEXT', 'IMAGE', 'REEL', 'STORY'])('%s is found when its answer was lost', async (type) => {
    const before = await ids()
    const sent = await deliver(page, post(type, `Lost ${type}`), {
      async intercept({ step, send }) {
        const real = await send()
        return step === 'publish' ? lost : real
      },
    })
    expect(sent.post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect(await made(before)).toBe(1)
  })

  test('a refusal repeats neither token', async () => {
    const { accessToken = '', userToken = '' } = page.backend.credentials
    const json = { error: { message: `No ${accessToken} ${userToken}`, code: 1 } }
    const text = JSON.stringify(json)
    const sent = await deliver(page, post('TEXT', 'Secrets'), {
      intercept: async ({ step, request, send }) =>
        step === 'prepare' && request.method === 'GET'
          ? { kind: 'answer', status: 400, headers: {}, text, json }
          : send(),
    })
    expect(sent.log.length).toBeGreaterThan(0)
    expect(JSON.stringify(sent.log)).toContain('No … …')
  })
})

describe("with the Page's token alone, as older sign-ins have it", () => {
  test.each(['TEXT', 'IMAGE'])('%s is published', async (type) => {
    const before = await ids()
    expect((await deliver(older, post(type, `Old ${type}`))).post).toMatchObject({ kind: 'made' })
    expect(await made(before)).toBe(1)
  })

  test('a text whose answer was lost stays unknown, and is there once', async () => {
    const before = await ids()
    const sent = await deliver(older, post('TEXT', 'Old and lost'), {
      async intercept({ step, send }) {
        const real = await send()
        return step === 'publish' ? lost : real
      },
    })
    expect(sent.post.kind).toBe('unknown')
    expect(await made(before)).toBe(1)
  })

  test('a text that was published without a look before is not taken for an older one', async () => {
    const before = await ids()
    let refused = true
    await stage.deliver(post('TEXT', 'Twice'))
    const sent = await stage.deliver(post('TEXT', 'Twice'), {
      async intercept({ step, request, send }) {
        if (step === 'prepare' && request.method === 'GET' && refused) return graphError(10, null)
        if (step !== 'publish') return send()
        refused = false
        return lost
      },
    })
    expect(sent.post.kind).toBe('unknown')
    expect(await made(before)).toBe(1)
  })
})

test('a dead token is noticed by the visible call', async () => {
  const sent = await deliver(page, post('TEXT', 'Dead'), { intercept: async () => graphError(190, 460) })
  expect(sent.post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
})

test.each([
  [100, 33],
  [10, null],
] as const)('reads of a video that answer %s/%s are made again for long', async (code, subcode) => {
  let refusals = 8
  const before = await ids()
  const sent = await stage.deliver(post('REEL', `Patience ${code}`), {
    intercept: async ({ step, request, send }) =>
      step === 'prepare' && request.method === 'GET' && refusals-- > 0 ? graphError(code, subcode) : send(),
  })
  expect(sent.post).toMatchObject({ kind: 'made' })
  expect(await made(before)).toBe(1)
})
