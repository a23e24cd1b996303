import type { Step, Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { answer, openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import type { Behaviour } from './simulator-videos.ts'

/** The pretend network with one channel. For tests alone. */
export function openStage(behaviour: Behaviour = {}): Promise<Stage> {
  const behaving: Network = { ...network, simulate: (deps) => simulate(deps, behaviour) }
  return openAnyStage(behaving, 'YOUTUBE', { base: 'api/youtube/v3' })
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

export const apiError = (status: number, reason: string, headers: Record<string, string> = {}) =>
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
  step: Step | null,
  kind: string,
  instead: HttpResult,
  { reached = false, times = 1 }: { reached?: boolean; times?: number } = {},
): Trouble {
  let left = times
  return {
    async intercept(exchange) {
      const meant = (step === null || exchange.step === step) && kindOf(exchange.request) === kind
      if (!meant || left-- <= 0) return exchange.send()
      if (reached) await exchange.send()
      return instead
    },
  }
}
/** A session that is over, whatever it is asked. */
export const gone = (times = 1_000): Trouble => answers(null, 'probe', answer(404), { times })
