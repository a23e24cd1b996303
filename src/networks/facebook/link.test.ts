import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import type { Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { openStage, sample } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const text = (caption: string) => sample('TEXT', { caption })

test('a text whose address the network cannot read goes out without a preview', async () => {
  const { post } = await stage.deliver(text('See https://bakery.invalid/bread'))
  expect(post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
  expect(stage.calls('POST {me}/feed').map(({ json }) => json)).toEqual([
    { message: 'See https://bakery.invalid/bread', link: 'https://bakery.invalid/bread', published: true },
    { message: 'See https://bakery.invalid/bread', published: true },
  ])
  expect(await stage.posts()).toHaveLength(1)
})

test.each([
  [1500, null],
  [2061006, null],
  [100, 1609005],
  [100, 1609008],
  [100, 1609010],
])('refusal %s/%s of the link alone is tried without one, once', async (code, subcode) => {
  const refusal = graphError(code, subcode)
  const { post, log } = await stage.deliver(text('See https://bakery.example'), answering(refusal, 9))
  expect(post).toMatchObject({ kind: 'failed' })
  expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'retry', 'ready', 'refused'])
  expect(stage.exchanged.filter(({ call }) => call === 'POST {me}/feed')).toEqual([])
})

test('it stays without a link when another try follows', async () => {
  let nth = 0
  const answers = [graphError(1500, null), graphError(17, null)]
  const { post } = await stage.deliver(text('See https://bakery.example'), {
    intercept: async ({ step, send }) => (step === 'publish' ? (answers[nth++] ?? send()) : send()),
  })
  expect(post.kind).toBe('made')
  expect(stage.calls('POST {me}/feed').map(({ json }) => json.link)).toEqual([undefined])
})

test('a text without an address is refused at once', async () => {
  const { post, log } = await stage.deliver(text('See'), answering(graphError(1500, null), 9))
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
