import { describe, expect, test } from 'vitest'
import { part } from '../../../test/_util/run/whole.ts'
import type { ErrorTable } from '../kit/errors.ts'
import { type HttpAnswer, type HttpResult, isRead } from '../kit/http.ts'
import type { Network, RefreshOutcome } from '../network.ts'
import { type Delivered, deliver } from './deliver.ts'
import type { Trouble, World } from './delivery.ts'
import type { ConformanceHarness, HeldPost, Sample } from './harness.ts'

/** What the suite gives to the tests of one kind. */
export interface Sending {
  world(): World
  /** The sample with a number of its own. */
  numbered(sample: Sample): Sample
  /** Posts that the network holds and that no test before has made. */
  newPosts(): Promise<readonly HeldPost[]>
  forgetPosts(): Promise<void>
}

/**
 * Reads may be refused while publishing works, so a refusal of one never ends a connection; a token that is dead for every
 * call does. Played with the network's own words, as its error table has them.
 */
export function describeReads({ samples, errors }: ConformanceHarness, sending: Sending): void {
  const refusals = errors ? refusalsOf(errors) : []
  if (refusals.length === 0) return
  const [first] = samples

  /** Delivers with this refresh, and gives the posts of this text that the network holds since. */
  async function send(
    original: Sample,
    refresh: RefreshOutcome['kind'],
    intercept: Trouble['intercept'],
  ): Promise<Delivered & { made: readonly HeldPost[] }> {
    const sample = sending.numbered(original)
    await sending.forgetPosts()
    const delivered = await deliver(withRefresh(sending.world(), refresh), sample, intercept ? { intercept } : {})
    // One that nobody could ask about may come to light much later.
    const made = (await sending.newPosts()).filter(({ text }) => text === sample.caption)
    return { ...delivered, made }
  }

  describe.each(refusals)('%s', (_, refusal) => {
    test.each(part(samples, 2).map((sample) => [sample.title, sample] as const))(
      'to every read does not end the connection: %s',
      async (_, sample) => {
        const { post, made, log } = await send(sample, 'refreshed', async (exchange) =>
          isRead(exchange.request) ? refusal : exchange.send(),
        )
        expect(post).not.toMatchObject({ reason: 'ACCOUNT_CONNECTION_EXPIRED' })
        for (const { outcome } of log) if (outcome.kind === 'reconnect') expect(outcome.byRead).toBe(true)
        expect(made.length).toBeLessThanOrEqual(1)
        if (post.kind !== 'unknown') expect(made).toHaveLength(post.kind === 'made' ? 1 : 0)
      },
    )

    test('to a single read does not keep the post from going out', async () => {
      let struck = false
      const { post, made } = await send(first, 'refreshed', async (exchange) => {
        if (struck || !isRead(exchange.request)) return exchange.send()
        struck = true
        return refusal
      })
      expect(post.kind).toBe('made')
      expect(made).toHaveLength(1)
    })

    test('to every call ends the connection', async () => {
      const { post, log, made } = await send(first, 'dead', async () => refusal)
      expect(made).toEqual([])
      expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
      expect(log.at(-1)?.outcome.kind).toBe('reconnect')
    })
  })
}

/** The first answer of the table that a refresh may help, and the first that it may not. */
function refusalsOf(errors: ErrorTable): [string, HttpResult][] {
  const found = new Map<boolean, [string, HttpResult]>()
  for (const { title, example } of errors.rows) {
    const answer = answerOf(example)
    const { meaning } = errors.lookUp(answer, new Date())
    if (meaning.kind !== 'reconnect' || found.has(meaning.mayRefresh)) continue
    found.set(meaning.mayRefresh, [title, answer])
  }
  return [...found.values()]
}

/** The example of a row as the answer that it is. */
export function answerOf({ status, headers = {}, body }: ErrorTable['rows'][number]['example']): HttpAnswer {
  const words = typeof body === 'string'
  return { kind: 'answer', status, headers, text: words ? body : JSON.stringify(body), json: words ? undefined : body }
}

/** A refresh that gives the same credentials again, or none. */
function withRefresh(world: World, kind: RefreshOutcome['kind']): World {
  const { connect } = world.network
  if (!connect.refresh) return world
  const refresh: Network['connect']['refresh'] = async (_, { credentials }) =>
    kind === 'refreshed' ? { kind, credentials, expiresAt: null } : { kind, message: 'The sign-in is over.' }
  return { ...world, network: { ...world.network, connect: { ...connect, refresh } } }
}
