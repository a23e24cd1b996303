import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/durations'
import { crossed } from '../../../test/_util/run/whole.ts'
import { page } from '../kit/testing.ts'
import { type Delivered, deliver } from './deliver.ts'
import type { Exchange, Trouble } from './delivery.ts'
import type { Sending } from './describe-reads.ts'
import type { ConformanceHarness, HeldPost } from './harness.ts'
import { LOST_ANSWERS, lostOnce, unseen, untilSpared } from './trouble.ts'

const MANY_STORIES = 10

type Sent = Delivered & { made: readonly HeldPost[] }

/** A post of several stories: each is there once, in their order, or the result names the first that is not. */
export function describeStories({ stories }: ConformanceHarness, sending: Sending): void {
  if (!stories) return
  const all = stories.media?.length ?? 0

  let turns = 0
  async function send(trouble?: Trouble): Promise<Sent> {
    // Stories last for a day, and an account has no more of them at a time than can be looked through.
    const { clock } = sending.world()
    if (turns++ % MANY_STORIES === 0) clock.jumpTo(new Date(clock.now().getTime() + DAY_MS))
    await sending.forgetPosts()
    const delivered = await deliver(sending.world(), stories ?? expect.unreachable(), trouble)
    return { ...delivered, made: await sending.newPosts() }
  }

  /** The first so many are there and in the result, in their order; what is missing has a warning. */
  function expectMade(many: number, { result, made }: Sent): void {
    expect(result).toMatchObject({ status: 'POSTED', providerId: made[0]?.id })
    expect(result.stories?.map(({ providerId }) => providerId)).toEqual(made.map(({ id }) => id))
    expect(made.map(({ media, replyTo }) => ({ media, replyTo }))).toEqual(Array(many).fill({ media: 1 }))
    if (many === all) expect(result.warnings ?? []).toEqual([])
    else expect(result.warnings?.[0]?.message).toContain(`story ${many + 1} `)
  }

  describe(stories.title, () => {
    test('are there once, one behind the other', async () => {
      const sent = await send()
      expectMade(all, sent)
      expect(sent.result.stories?.every(({ permalink }) => /^https?:/.test(permalink ?? ''))).toBe(true)
    })

    test.each(['dieAfterRequest', 'dieAfterStore'] as const)(
      'are there once whenever the process ends: %s',
      async (at) => {
        const turns = await untilSpared(async (nth) => {
          const sent = await send({ [at]: nth })
          expectMade(all, sent)
          return sent.died
        }, 3)
        expect(turns).toBeGreaterThan(all)
      },
    )

    const losses = crossed(Object.entries(LOST_ANSWERS), ['publish', 'preparePart', 'send', 'confirmPart'] as const)
    test.each(losses.map(([[title, instead], step]) => ({ title, instead, step })))(
      'are there once after $title in place of any one answer of $step',
      async ({ instead, step }) => {
        await untilSpared(async (nth) => {
          let seen = 0
          const trouble = lostOnce((exchange) => exchange.step === step && ++seen === nth, instead)
          expectMade(all, await send(trouble))
          return trouble.struck
        })
      },
    )

    test('one whose looks bring nothing is not sent again, and stops the rest', async () => {
      const sent = await send(unseen(['findFollowUp', 'confirmPart']))
      expect(sent.result).toMatchObject({ status: 'POSTED', stories: [{ providerId: sent.made[0]?.id }] })
      expect(sent.result.warnings?.[0]?.message).toContain('story 2 ')
      // It is there and no one knows: behind it nothing is.
      expect(sent.made).toHaveLength(2)
    })

    test('the first that cannot be made stops the rest, and says so; the first of all fails the post', async () => {
      const refusing = (steps: readonly Exchange['step'][], many: number): Trouble => {
        let calls = 0
        return {
          async intercept({ step, send: real }) {
            return steps.includes(step) && ++calls > many ? page(400) : real()
          },
        }
      }
      expectMade(1, await send(refusing(['preparePart'], 0)))
      const failed = await send(refusing(['prepare'], 0))
      expect(failed).toMatchObject({ result: { status: 'FAILED' }, made: [] })
      expect(failed.result).not.toHaveProperty('stories')
    })
  })
}
