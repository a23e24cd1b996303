import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { openStage, type Stage, worldOf } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import { sample } from './testing-posts.ts'

/** An app that is set to refuse calls without a proof of its secret. */
let stage: Stage
beforeAll(async () => {
  const strict: Network = { ...network, simulate: (deps) => simulate(deps, { requireProof: true }) }
  stage = await openStage(strict, 'INSTAGRAM', { base: 'graph/v25.0' })
})
afterAll(() => stage?.close())

const commented = (caption: string) =>
  sample('IMAGE', { caption, fields: { type: 'IMAGE', firstComment: 'First', collaborators: [] } })

test('every call proves that the secret of the app is known', async () => {
  expect((await stage.api('GET {me}?fields=id')).status).toBe(400)
  const [account] = await stage.signIn.accounts()
  const sent = await deliver(worldOf(stage, account), commented('Proven'))
  expect(sent).toMatchObject({ post: { kind: 'made' }, followUp: { kind: 'made' } })
})

test('a token without the permission for comments publishes, and does not comment', async () => {
  const outcome = await stage.signIn.run(undefined, (url) => {
    url.search = url.search.replace(/(%2C|,)instagram_manage_comments/, '')
  })
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  const sent = await deliver(worldOf(stage, outcome.accounts[0]), commented('Silent'))
  expect(sent).toMatchObject({
    post: { kind: 'made' },
    followUp: { kind: 'failed', message: expect.stringContaining('not allowed') },
  })
})
