import { type Decision, entryAt, refuseBody } from '#contract'
import { messageProblem } from './review.ts'

/** What a reviewer decides, with their words as they are kept; null for none. */
export interface Decided {
  decision: Decision
  message: string | null
  /** Of an approval alone: why an admin gives it for the whole team. */
  reason: string | null
}

/**
 * Reads the decision that a member or a guest has sent. A request for changes needs a message.
 *
 * @throws ProblemError `request:invalid_body`
 */
export function readDecision({
  decision,
  ...said
}: {
  decision: Decision
  message?: string | null
  reason?: string | null
}): Decided {
  const message = wordsOf(said.message)
  const reason = wordsOf(said.reason)
  const sendsBack = decision === 'request-changes'
  const wrong = {
    message: sendsBack && message === null ? 'Say what is to be changed.' : messageProblem(message),
    reason:
      sendsBack && reason !== null ? 'Only an approval has a reason. Write a message instead.' : messageProblem(reason),
  }
  refuseBody(
    (['message', 'reason'] as const).flatMap((name) => {
      const words = wrong[name]
      return words === null ? [] : [entryAt([name], 'request:invalid_body', words)]
    }),
  )
  return { decision, message, reason }
}

const wordsOf = (text: string | null | undefined) => text?.replaceAll('\r\n', '\n').trim() || null
