import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#contract/durations'
import { crossed, part, WHOLE } from '../../../test/_util/run/whole.ts'
import { FAULTS, faultNames } from '../kit/faults.ts'
import { firstCommentOf } from '../kit/first-comment.ts'
import { type Delivered, deliver, type Ending } from './deliver.ts'
import type { Trouble } from './delivery.ts'
import { describeContinued } from './describe-continued.ts'
import type { Sending } from './describe-reads.ts'
import type { ConformanceHarness, HeldPost, Sample } from './harness.ts'
import { postsOf } from './made.ts'
import { LOST_ANSWERS, lostOnce, unseen, untilSpared } from './trouble.ts'

export type Sent = Delivered & { made: readonly HeldPost[] }

/** A thread whose parts are calls of their own: each is there once, behind the one before, or the result names the first that is not. */
export function describeThread({ network, thread, optOut = {} }: ConformanceHarness, sending: Sending): void {
  if (!thread) return
  const further = thread.thread ?? []
  const played = faultNames.filter((fault) => optOut.faults !== 'all' && !optOut.faults?.includes(fault))

  /** Each part has words of its own, so that no two are alike. */
  function numbered(original: Sample = thread as Sample): Sample {
    const sample = sending.numbered(original)
    const number = sample.caption.split(' ').at(-1) ?? ''
    const comment = firstCommentOf({ fields: original.fields ?? {} })
    return {
      ...sample,
      ...(comment === null ? {} : { fields: { ...sample.fields, options: { firstComment: `${comment} ${number}` } } }),
      thread: (original.thread ?? []).map((each) => ({
        ...each,
        caption: each.caption === '' ? '' : `${each.caption} ${number}`,
      })),
    }
  }

  async function send(sample: Sample, trouble?: Trouble): Promise<Sent> {
    await sending.forgetPosts()
    const delivered = await deliver(sending.world(), sample, trouble)
    return { ...delivered, made: await sending.newPosts() }
  }

  const places = (made: readonly HeldPost[]) =>
    made.map(({ id, text, media, replyTo }) => ({ id, text, media, replyTo }))

  /** It is a reply to the post, of which the result says nothing. */
  function commentOf({ fields = {} }: Sample, post: Ending) {
    const text = firstCommentOf({ fields })
    const replyTo = post.kind === 'made' ? post.providerId : null
    return text === null ? [] : [{ id: expect.any(String), text, media: 0, replyTo }]
  }

  function expectAll(sample: Sample, { post, made, result }: Sent): void {
    expect(post).toMatchObject({ kind: 'made' })
    expect(result.warnings ?? []).toEqual([])
    expect(places(made)).toEqual([...postsOf(sample, post), ...commentOf(sample, post)])
  }

  /** The parts before the nth are there and in the result, the others are not, and it says which is the first that is missing. */
  function expectUpTo(nth: number, sample: Sample, { post, made, result }: Sent): void {
    const rest = { ...sample, thread: (sample.thread ?? []).slice(0, nth - 2) }
    expect(places(made)).toEqual(postsOf(rest, post))
    expect(result).toMatchObject({ status: 'POSTED' })
    expect(result.warnings?.[0]?.message).toContain(`part ${nth} `)
  }

  describe(thread.title, () => {
    test('has half an hour for each part to begin, and an hour for all', () => {
      const { accountType, caption } = thread
      const post = {
        accountType,
        caption,
        fields: {},
        media: [],
        thread: further.map((each) => ({ ...each, media: [] })),
      }
      const limits = network.connector.parts?.(post).map(({ startsWithinMs, endsWithinMs, needs, stopsRest }) => ({
        ...{ startsWithinMs, endsWithinMs, needs, stopsRest },
      }))
      const ofEach = { startsWithinMs: 30 * MINUTE_MS, endsWithinMs: HOUR_MS, needs: 'previous', stopsRest: true }
      expect(limits).toEqual(further.map(() => ofEach))
    })

    test('is there once, each part below the one before', async () => {
      const sample = numbered()
      expectAll(sample, await send(sample))
    })

    test.each(['dieAfterRequest', 'dieAfterStore'] as const)(
      'is there once whenever the process ends: %s',
      async (at) => {
        const turns = await untilSpared(async (nth) => {
          const sample = numbered()
          const sent = await send(sample, { [at]: nth })
          expectAll(sample, sent)
          return sent.died
        }, 3)
        expect(turns).toBeGreaterThan(further.length)
      },
    )

    const losses = crossed(Object.entries(LOST_ANSWERS), ['preparePart', 'send', 'confirmPart'] as const)
    test.each(losses.map(([[title, instead], step]) => ({ title, instead, step })))(
      'is there once after $title in place of any one answer of $step',
      async ({ instead, step }) => {
        // Counted over all parts, so that each of them is struck.
        await untilSpared(async (nth) => {
          const sample = numbered()
          let seen = 0
          const trouble = lostOnce((exchange) => exchange.step === step && ++seen === nth, instead)
          expectAll(sample, await send(sample, trouble))
          return trouble.struck
        })
      },
    )

    test('a part whose looks bring nothing is not sent again', async () => {
      const sample = numbered()
      const sent = await send(sample, unseen(['findFollowUp']))
      expect(sent.result).toMatchObject({ status: 'POSTED' })
      expect(sent.result.warnings?.[0]?.message).toContain('part 2 ')
      // It is there and no one knows: behind it nothing is.
      expect(sent.made).toHaveLength(2)
    })

    test.each(WHOLE ? played : part(played, 3))(
      'fault %s of a part: at most once, and an honest result',
      async (fault) => {
        const last = further.length + 1
        const parts = further.map((each, at) =>
          at + 2 === last ? { ...each, caption: `${each.caption} [[fault:${fault}]]` } : each,
        )
        const sample = numbered({ ...(thread as Sample), thread: parts })
        let calls = 0
        const sent = await send(sample, { callLimitMs: () => ++calls * 1_000 })
        if (FAULTS[fault].lasting === null) expectAll(sample, sent)
        else expectUpTo(last, sample, sent)
      },
    )

    test('what cannot be refreshed in the middle ends it, and says so', async () => {
      const world = sending.world()
      const without = { ...world, network: { ...network, connect: { ...network.connect, refresh: null } } }
      const parts = further.map((each, at) =>
        at === 0 ? { ...each, caption: `${each.caption} [[fault:token-expired]]` } : each,
      )
      const sample = numbered({ ...(thread as Sample), thread: parts })
      await sending.forgetPosts()
      const delivered = await deliver(without, sample)
      expectUpTo(2, sample, { ...delivered, made: await sending.newPosts() })
    })
  })

  describeContinued({ network, thread, played, sending, numbered, expectAll, expectUpTo })
}
