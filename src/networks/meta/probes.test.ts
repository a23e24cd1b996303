import { beforeAll, expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import { login } from '../facebook/connect.ts'
import { network } from '../facebook/index.ts'
import { asDocumented, differs, type Look, type Probe, type Settled } from '../kit/checks.ts'
import { isRead } from '../kit/http.ts'
import { answer, openStage } from '../kit/testing.ts'
import { listingProbe, pagesProbe, permissionsProbe, personTokenProbe } from './probes.ts'

/** The questions of the Graph API, to an account of a real sign-in: it has a token of the person. */

const stage = stageFor('all', () => openStage(network, 'FACEBOOK', { base: 'graph/v25.0' }))
let look: Look
beforeAll(async () => {
  const [{ externalId, username, credentials }] = await stage.signIn.accounts()
  const account = { externalId, username, defaults: {} }
  look = { ...stage.context(), accountType: 'FACEBOOK', account, credentials }
})

const ask = (probe: Probe, more: Partial<Look> = {}): Promise<Settled> => probe.ask({ ...look, ...more })

test('permissions are asked for with the token of the person, and a missing one is named', async () => {
  expect(await ask(permissionsProbe(login))).toEqual(
    asDocumented(expect.stringContaining('pages_manage_posts granted')),
  )
  expect(await ask(permissionsProbe({ required: ['read_insights'] }))).toEqual(differs('Not granted: read_insights.'))
  const { accessToken = '' } = look.credentials
  expect(await ask(permissionsProbe(login), { credentials: { accessToken } })).toMatchObject({ result: 'not tried' })
})

test('Pages without a token and tasks of every name are reported', async () => {
  const words = expect.stringMatching(/^\d+ Pages, \d+ without a token\. Tasks: .*CREATE_CONTENT/)
  expect(await ask(pagesProbe)).toEqual(asDocumented(words))
})

test('a token tells its end, that of the access to data and its scopes; an invalid one differs', async () => {
  const at = (days: number) => Math.floor(look.now().getTime() / 1000) + days * 86_400
  const data = { is_valid: true, expires_at: 0, data_access_expires_at: at(89), scopes: ['pages_show_list'] }
  const reported = (body: object) => {
    const { http } = stage.context(stage.on('GET debug_token', answer(200, body)))
    return ask(personTokenProbe, { http })
  }
  const words = 'The token has no end. The access to data ends in 89 d. Scopes: pages_show_list.'
  expect(await reported({ data })).toEqual(asDocumented(words))
  expect(await reported({ data: { ...data, is_valid: false } })).toMatchObject({ result: 'differs' })
  expect(await reported({ error: { code: 190 } })).toMatchObject({ detail: expect.stringContaining('another shape') })
})

test('a listing that is refused says what that leads to', async () => {
  const posts = listingProbe({
    name: 'posts',
    settles: 'whether posts can be listed',
    path: ({ account }) => `${account.externalId}/published_posts`,
    fields: 'id',
    documented: ['data[].id'],
    parse: (entry) => entry,
    whenRefused: 'Then nothing can be looked up.',
  })
  const refused = answer(403, { error: { code: 10, message: '(#10) This endpoint requires a permission.' } })
  const { http } = stage.context(stage.on('GET /published_posts', refused, { times: 2 }))
  const words = 'The network refuses (status 403). Then nothing can be looked up.'
  expect(await ask(posts, { http })).toEqual(differs(words))
  expect(await ask(posts)).toMatchObject({ result: 'works as documented' })
  expect(stage.sent.filter((request) => !isRead(request) && !/oauth/.test(request.url))).toEqual([])
})
