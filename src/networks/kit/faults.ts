import type { ServerResponse } from 'node:http'
import type { Reason } from '#contract'
import type { SimulatorStore } from './simulation.ts'

/**
 * What a simulator can be asked to do wrong, by a word in the caption: `[[fault:500-before]]`. The list is
 * closed; the documentation is made of it.
 *
 * A passing fault strikes the first time that its post is tried and never again for that post, not even after a
 * restart of the simulator. A `lasting` one strikes every time and ends the post with its reason.
 */
export const FAULTS = {
  'timeout-after-accept': {
    does: 'The post is created, but no answer ever comes: the connection stays open until the caller gives up.',
    lasting: null,
  },
  'hang-30s': {
    does: 'Nothing is created. The connection stays open for 30 seconds without an answer, then it is cut.',
    lasting: null,
  },
  'slow-10s': { does: 'The post is created at once, and the answer comes 10 seconds later.', lasting: null },
  '500-before': { does: 'Nothing is created, and the answer is a server error.', lasting: null },
  '500-after-accept': { does: 'The post is created, but the answer is a server error.', lasting: null },
  'reset-after-accept': { does: 'The post is created, but the connection is cut instead of an answer.', lasting: null },
  garbled: { does: 'The post is created, and the answer is a success whose body is cut off.', lasting: null },
  'rate-limited': {
    does: 'Nothing is created; the network says that there were too many requests and when to try again.',
    lasting: null,
  },
  'token-expired': {
    does: 'Nothing is created; the network says that the access token has expired. A refreshed token works; where tokens cannot be refreshed, the account has to be reconnected.',
    lasting: null,
  },
  'media-rejected': { does: 'The network permanently refuses the media.', lasting: 'UNKNOWN_MEDIA_ERROR' },
  'caption-too-long': { does: 'The network permanently refuses the text as too long.', lasting: 'CAPTION_TOO_LONG' },
  'account-restricted': { does: 'The network says that the account is restricted.', lasting: 'ACCOUNT_RESTRICTED' },
  'account-suspended': { does: 'The network says that the account is suspended.', lasting: 'ACCOUNT_SUSPENDED' },
} as const satisfies Record<string, { does: string; lasting: Reason | null }>

export type FaultName = keyof typeof FAULTS
export const faultNames = Object.keys(FAULTS) as FaultName[]

/** The first fault that a text asks for; null without one. Unknown words are text like any other. */
export function faultIn(text: string): FaultName | null {
  for (const [, word] of text.matchAll(/\[\[fault:([a-z0-9-]+)\]\]/g)) {
    if (word !== undefined && Object.hasOwn(FAULTS, word)) return word as FaultName
  }
  return null
}

/** Faults that are the same on every network: no answer, a late one, or one that says nothing of the post that was made. */
const PLAYED = ['timeout-after-accept', 'slow-10s', '500-after-accept', 'reset-after-accept', 'garbled'] as const
type PlayedFault = (typeof PLAYED)[number]

/** Faults that are an answer in the network's own words. */
export type AnsweredFault = Exclude<FaultName, PlayedFault | 'hang-30s'>

/** An answer of a simulator; `body` is sent as JSON, a string as it is. */
export interface SimulatedAnswer {
  status: number
  headers?: Readonly<Record<string, string>>
  body: unknown
}

/** How a simulator says no. Thrown while a request is checked, and answered. */
export class SimulatedRefusal extends Error {
  override name = 'SimulatedRefusal'
  readonly answer: SimulatedAnswer

  constructor(answer: SimulatedAnswer) {
    super('The simulator refuses the request.')
    this.answer = answer
  }
}

/**
 * Answers one visible call of a simulator, with the fault that its text asks for. Resolves when the answer is sent or
 * the connection is gone.
 */
export async function answerVisibleCall(call: {
  store: SimulatorStore
  response: ServerResponse
  /** Tells this post from all others and is the same at every try: the key under which a passing fault has struck. */
  key: string
  text: string
  /** Makes the post, or refuses it (status 400 and above); called at most once. */
  accept(): SimulatedAnswer | Promise<SimulatedAnswer>
  /** The network's words for each fault that is an answer. One that is left out does not strike at this call. */
  answers: Partial<Record<AnsweredFault, SimulatedAnswer>> & { '500-before': SimulatedAnswer }
}): Promise<void> {
  const { response } = call
  const fault = strikingFault(call.store, call.key, call.text)
  if (fault === null) return sendAnswer(response, await call.accept())
  if (fault === 'hang-30s') {
    await openFor(response, 30_000)
    response.destroy()
    return
  }
  if (!isPlayedHere(fault)) {
    const answer = call.answers[fault]
    return sendAnswer(response, answer ?? (await call.accept()))
  }
  const accepted = await call.accept()
  // A post that the network refuses has no fault to suffer.
  if (accepted.status >= 400) return sendAnswer(response, accepted)
  switch (fault) {
    case 'timeout-after-accept':
      await openFor(response, 300_000)
      response.destroy()
      return
    case 'slow-10s':
      if (await openFor(response, 10_000)) sendAnswer(response, accepted)
      return
    case '500-after-accept':
      return sendAnswer(response, call.answers['500-before'])
    case 'reset-after-accept':
      response.socket?.resetAndDestroy()
      return
    case 'garbled':
      return sendAnswer(response, { ...accepted, body: JSON.stringify(accepted.body).slice(0, -4) })
  }
}

/** The fault to play now for the post of this key; it is noted down before it strikes, and a passing one only once. */
export function strikingFault(store: SimulatorStore, key: string, text: string): FaultName | null {
  const fault = faultIn(text)
  if (fault === null || FAULTS[fault].lasting !== null) return fault
  if (store.get('faults', key) !== undefined) return null
  store.put('faults', key, { fault })
  return fault
}

/** Sends an answer of a simulator. */
export function sendAnswer(response: ServerResponse, answer: SimulatedAnswer): void {
  const text = typeof answer.body === 'string'
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers })
  response.end(text ? answer.body : JSON.stringify(answer.body))
}

const isPlayedHere = (fault: FaultName): fault is PlayedFault => PLAYED.some((each) => each === fault)

/** Keeps a connection open for so many milliseconds. False when the caller left before. */
function openFor(response: ServerResponse, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (stillThere: boolean) => {
      clearTimeout(timer)
      response.off('close', left)
      resolve(stillThere)
    }
    const left = () => done(false)
    const timer = setTimeout(() => done(true), ms)
    if (response.destroyed) return left()
    response.once('close', left)
  })
}
