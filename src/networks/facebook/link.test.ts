import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { graphError, openStage, type Stage, sample } from './testing-stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const text = (caption: string) => sample('TEXT', { caption })

test('a text whose address the network cannot read goes out without a preview', async () => {
  const { post } = await deliver(stage.world, text('See https://bakery.invalid/bread'))
  expect(post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
  expect(stage.calls('me/feed').map(({ json }) => json)).toEqual([
    { message: 'See https://bakery.invalid/bread', link: 'https://bakery.invalid/bread', published: true },
    { message: 'See https://bakery.invalid/bread', published: true },
  ])
  expect(await stage.world.backend.posts()).toHaveLength(1)
})

test.each([
  [1500, null],
  [2061006, null],
  [100, 1609005],
  [100, 1609008],
  [100, 1609010],
])('refusal %s/%s of the link alone is tried without one, once', async (code, subcode) => {
  const refusal = graphError(code, subcode)
  const { post, log } = await deliver(stage.world, text('See https://bakery.example'), answering(refusal, 9))
  expect(post).toMatchObject({ kind: 'failed' })
  expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'retry', 'ready', 'refused'])
  expect(stage.sent.filter(({ path }) => path === 'me/feed')).toEqual([])
})

test('it stays without a link when another try follows', async () => {
  let nth = 0
  const answers = [graphError(1500, null), graphError(17, null)]
  const { post } = await deliver(stage.world, text('See https://bakery.example'), {
    intercept: async ({ step, send }) => (step === 'publish' ? (answers[nth++] ?? send()) : send()),
  })
  expect(post.kind).toBe('made')
  expect(stage.calls('me/feed').map(({ json }) => json.link)).toEqual([undefined])
})

test('a text without an address is refused at once', async () => {
  const { post, log } = await deliver(stage.world, text('See'), answering(graphError(1500, null), 9))
  expect(post).toMatchObject({ kind: 'failed' })
  expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'refused'])
})

/** Answers the visible call so many times in place of the network. */
function answering(answer: HttpResult, times: number) {
  let left = times
  return {
    intercept: async ({ step, send }: { step: string; send(): Promise<HttpResult> }) =>
      step === 'publish' && left-- > 0 ? answer : send(),
  }
}
