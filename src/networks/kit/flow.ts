import type { Attempt, Handles, PublishOutcome } from '../network.ts'
import type { Called } from './api.ts'
import type { Classification } from './errors.ts'
import type { HttpAnswer } from './http.ts'
import { failedPublishing, whilePublishing } from './outcomes.ts'
import { fromPrepare, keepPending, spendTry } from './pending.ts'

/**
 * What the answer to the visible call leads to. One that proves nothing is kept, and the network is looked up; another
 * try begins in `prepare`, which obeys what was kept.
 */
export async function afterVisibleCall<T, C extends Classification>(
  attempt: Attempt,
  answer: Called<T>,
  network: {
    classify(answer: HttpAnswer, now: Date): C
    /** The message of an answer that has none. */
    unclear: string
    /** Handles that forget what was prepared. */
    dropped?: Handles
    made(value: T): PublishOutcome | Promise<PublishOutcome>
    /** What a refusal leads to on this network alone, once it is certain that nothing was made. */
    refused?(classified: C): Promise<PublishOutcome | null>
  },
): Promise<PublishOutcome> {
  switch (answer.kind) {
    case 'ok':
      return network.made(answer.value)
    case 'failed':
      return fromPrepare(failedPublishing(answer))
    case 'refused': {
      const classified = network.classify(answer.answer, attempt.now())
      if (!classified.certain) return keepPending(attempt, classified, network.unclear)
      const own = (await network.refused?.(classified)) ?? null
      if (own) return own
      const dropped = classified.spent ? (network.dropped ?? {}) : {}
      return (await spendTry(attempt, classified, dropped)) ?? fromPrepare(whilePublishing(classified.meaning))
    }
  }
}

/** When to ask again: the longer it takes, the longer the pauses. `steps`: up to which age which pause holds. */
export function askAgain(
  { now }: Pick<Attempt, 'now'>,
  since: Date | null,
  steps: readonly (readonly [upToMs: number, pauseMs: number])[],
): Date {
  const time = now().getTime()
  const age = time - (since?.getTime() ?? time)
  const [, pause = 60_000] = steps.find(([upTo]) => age < upTo) ?? []
  return new Date(time + pause)
}
