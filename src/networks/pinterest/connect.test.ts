import { expect, test } from 'vitest'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import { answer, openStage } from '../kit/testing.ts'
import { network } from './index.ts'

const stage = stageFor('all', () => openStage(network, 'PINTEREST', { base: 'api/v5' }))

test('a sign-in leads to the account; the app shows itself in the header and asks for what can be renewed', async () => {
  const [identity] = await stage.signIn.accounts()
  expect(identity).toMatchObject({
    externalId: '700000000000000001',
    name: 'Demo Bakery',
    username: 'demo_bakery',
    avatarUrl: null,
    profileUrl: expect.stringMatching(/\/www\/demo_bakery\/$/),
  })
  const { request } = stage.calls('POST oauth/token').at(-1) ?? {}
  const secret = stage.context().setting('CLIENT_SECRET')
  expect(request?.headers?.authorization).toBe(`Basic ${btoa(`sandbox-client:${secret}`)}`)
  expect(request?.form).toMatchObject({ continuous_refresh: 'true' })
  expect(JSON.stringify(request?.form)).not.toContain(secret)
})

test('older sign-ins without a refresh token are not ended by a renewal', async () => {
  const { accessToken = '' } = stage.world.backend.credentials
  expect(await stage.signIn.refresh({ accessToken })).toMatchObject({ kind: 'failed' })
  expect(network.connect.canRefresh?.({ accessToken })).toBe(false)
})

const boards = (trouble: Trouble = {}, credentials = stage.world.backend.credentials) =>
  network.connect.options?.(stage.context(trouble), { externalId: '1', credentials, accountType: 'PINTEREST' })

test('boards are read page by page: those of advertisements are left out, secret ones say so', async () => {
  const pages: Record<string, unknown> = {
    '': { items: [{ id: '2', is_ads_only: true }], bookmark: 'next' },
    next: { items: [{ id: '3', name: 'Three', privacy: 'SECRET' }, { id: '4' }], bookmark: null },
  }
  const asked = ({ request }: Exchange) => pages[new URL(request.url).searchParams.get('bookmark') ?? '']
  const boardId = [
    { value: '3', title: 'Three (secret)' },
    { value: '4', title: '4' },
  ]
  const paged = stage.on('GET boards', (exchange) => answer(200, asked(exchange)), { times: 2 })
  expect(await boards(paged)).toEqual({ kind: 'options', options: { boardId } })
})

test('a dead token and a list of boards without end are reported as what they are', async () => {
  expect(await boards({}, { accessToken: 'pina_nobody' })).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  const endless = stage.on('GET boards', answer(200, { items: [], bookmark: 'more' }), { times: 20 })
  expect(await boards(endless)).toEqual({ kind: 'options', options: { boardId: [] } })
})
