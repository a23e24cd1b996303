import type { BodyOf, Endpoints } from '#contract'
import { actingAs, startAnew } from './acting-as.ts'
import { errorOf } from './api-error.ts'
import { basePath } from './base.ts'
import { ask, makeClient, type Sent } from './make-client.ts'
import { isOurs, noteAnswer, noteNoAnswer } from './reachable.ts'

/** Method and path of an endpoint, as the contract has it: `PATCH /post-sets/:id`. */
export type EndpointName = keyof Endpoints

/** The body that an endpoint takes. */
export type Body<Name extends EndpointName> = Sent<BodyOf<Endpoints[Name]>>

const NOT_SIGNED_IN = 'auth:not_signed_in'
const ANOTHER = 'auth:acting_as_another'
/** Asks who is signed in, signs in and out: for any person. */
const SESSION = /^\w+ \/session$/
const listeners = new Set<() => void>()

/** Calls the listener whenever an answer says that the session has ended. Answers how to stop that. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const watch = {
  answered: (answer: Response) => (isOurs(answer) ? noteAnswer() : noteNoAnswer()),
  unanswered: noteNoAnswer,
}

/** Calls an endpoint of the server for the member: `makeClient`. */
export const call = makeClient<Endpoints>({
  base: () => `${basePath}/internal`,
  headers(name) {
    const drawnFor = SESSION.test(name) ? null : actingAs()
    return drawnFor === null ? {} : { 'almanac-acting-as': drawnFor }
  },
  watch,
  onRefused({ code }) {
    if (code === NOT_SIGNED_IN) for (const listener of listeners) listener()
    if (code === ANOTHER) startAnew()
  },
})

/** Reads a file that came with the page. Throws ApiError. */
export async function readAsset(address: string): Promise<Blob> {
  const answer = await ask(address, { credentials: 'same-origin' }, watch)
  if (!answer.ok) throw await errorOf(answer)
  return answer.blob()
}
