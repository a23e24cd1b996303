import type { Connector, FindOutcome, PrepareOutcome, PublishOutcome, Retry } from '../network.ts'
import type { Meaning } from './errors.ts'
import type { HttpFailure } from './http.ts'

/** Certain that nothing visible happened: again from `from`, counted, when the retry policy says. */
export function retryFrom(from: Retry['from'], message: string): Retry {
  return { kind: 'retry', notBefore: null, from, countsAsAttempt: true, message }
}

/** What a meaning leads to in `prepare`, where nothing visible can happen: what may have been done is done again. */
export function whilePreparing(meaning: Meaning): Extract<PrepareOutcome, { kind: 'retry' | 'refused' | 'reconnect' }> {
  switch (meaning.kind) {
    case 'refused':
    case 'reconnect':
      return meaning
    case 'wait':
      return waiting('prepare', meaning)
    case 'again':
    case 'ambiguous':
      return retryFrom('prepare', meaning.message)
  }
}

/** What a meaning leads to when it answers the visible call. */
export function whilePublishing(
  meaning: Meaning,
): Extract<PublishOutcome, { kind: 'retry' | 'refused' | 'reconnect' | 'unknown' }> {
  switch (meaning.kind) {
    case 'refused':
    case 'reconnect':
      return meaning
    case 'wait':
      return waiting('publish', meaning)
    case 'again':
      return retryFrom(meaning.from, meaning.message)
    case 'ambiguous':
      return { kind: 'unknown', message: meaning.message }
  }
}

/** What a meaning leads to while looking: whatever went wrong, it proves nothing about the post. */
export function whileFinding(meaning: Meaning): Extract<FindOutcome, { kind: 'reconnect' | 'cannot-tell' }> {
  if (meaning.kind === 'reconnect') return meaning
  return { kind: 'cannot-tell', message: meaning.message }
}

/** A request that brought no answer, by what it was for. */
export function failedPreparing(failure: HttpFailure): Retry {
  return retryFrom('prepare', failure.message)
}

export function failedPublishing(failure: HttpFailure): Retry | { kind: 'unknown'; message: string } {
  return failure.sent ? { kind: 'unknown', message: failure.message } : retryFrom('publish', failure.message)
}

/** A look without an answer does not count as one. */
export function failedFinding(failure: HttpFailure): Extract<FindOutcome, { kind: 'cannot-tell' }> {
  return { kind: 'cannot-tell', message: failure.message, unanswered: true }
}

/** A wait that the network named does not count; one without a time is left to the policy and counts. */
function waiting(from: Retry['from'], meaning: Extract<Meaning, { kind: 'wait' }>): Retry {
  return {
    kind: 'retry',
    notBefore: meaning.until,
    from,
    countsAsAttempt: meaning.until === null,
    message: meaning.message,
    ...(meaning.scope ? { scope: meaning.scope } : {}),
  }
}

/**
 * `confirm` of networks that never leave publishing to be asked for later: the lookup in other words.
 *
 * @param absent what people read while the network does not list the post
 */
export function confirmByLookup(find: Connector['find'], absent: string): Connector['confirm'] {
  return async (attempt) => {
    const found = await find(attempt)
    switch (found.kind) {
      case 'found':
        return { ...found, kind: 'published' }
      case 'absent':
        // Proof only behind the listing delay, which a look counts.
        return { kind: 'unknown', message: absent }
      case 'cannot-tell':
      case 'repeatable':
        return { kind: 'unknown', message: found.message }
      case 'accepted':
      case 'reconnect':
        return found
    }
  }
}
