import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { openStage as openAnyStage, type Sample, type Stage } from '../conformance/index.ts'
import type { Network } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import type { Behaviour } from './simulator-videos.ts'

/** The pretend network with one channel. For tests alone. */
export function openStage(behaviour: Behaviour = {}): Promise<Stage> {
  const behaving: Network = { ...network, simulate: (deps) => simulate(deps, behaviour) }
  return openAnyStage(behaving, 'YOUTUBE')
}

/** A post that the network takes. */
export function sample(more: Partial<Sample> = {}): Sample {
  return {
    title: 'video',
    accountType: 'YOUTUBE',
    caption: 'How we bake',
    media: [{ file: 'video-h264-aac.mp4' }],
    ...more,
    fields: { title: 'Bread', privacy: 'PUBLIC', ...more.fields },
  }
}

export function answer(status: number, json: unknown, headers: Record<string, string> = {}): HttpResult {
  return { kind: 'answer', status, headers, text: json === undefined ? '' : JSON.stringify(json), json }
}

export const apiError = (status: number, reason: string, headers: Record<string, string> = {}): HttpResult =>
  answer(
    status,
    { error: { code: status, message: 'No.', errors: [{ domain: 'youtube', reason, message: 'No.' }] } },
    headers,
  )

/** What a request is: `begin`, `probe`, `piece`, or the last part of its path. */
export function kindOf({ method, url, headers }: HttpRequest): string {
  const range = headers?.['content-range']
  if (range !== undefined) return range.startsWith('bytes *') ? 'probe' : 'piece'
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  return method === 'POST' && last === 'videos' ? 'begin' : last
}

/** Answers requests of a kind in a step with `instead`; `reached`: the network did it all the same. */
export function answers(
  step: string,
  kind: string,
  instead: HttpResult,
  { reached = false, times = 1 }: { reached?: boolean; times?: number } = {},
): Trouble {
  let left = times
  return {
    async intercept(exchange: Exchange) {
      if (exchange.step !== step || kindOf(exchange.request) !== kind || left-- <= 0) return exchange.send()
      if (reached) await exchange.send()
      return instead
    },
  }
}
/** A session that is over, whatever it is asked. */
export const gone = (times = 1_000): Trouble => ({
  async intercept(exchange) {
    if (kindOf(exchange.request) !== 'probe' || times-- <= 0) return exchange.send()
    return answer(404, undefined)
  },
})
export const both = (one: Trouble, other: Trouble): Trouble => ({
  async intercept(exchange) {
    const send = () => other.intercept?.(exchange) ?? exchange.send()
    return one.intercept?.({ ...exchange, send }) ?? send()
  },
})
export const lost: HttpResult = { kind: 'failed', sent: true, message: 'The connection broke.' }
