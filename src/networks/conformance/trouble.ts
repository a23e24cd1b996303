import { expect } from 'vitest'
import { WHOLE } from '../../../test/_util/run/whole.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, page } from '../kit/testing.ts'
import type { Exchange, Step } from './delivery.ts'

/** What may come back instead of the network's answer, when the request did arrive. */
export const LOST_ANSWERS: Record<string, HttpResult> = {
  'a connection that breaks after the request': lost,
  'a server error': page(500),
  'a gateway that gave up': page(504),
  'a success that is not JSON': page(200),
  'a success of another shape': answer(200, { surprise: [] }),
  'an empty success': answer(200),
}

/** Never more than this many requests are made for one post of the suite. */
export const MANY = 100

/** What comes back of the first request that is meant, in place of its answer. `struck`: it has happened. */
export function once(isMeant: (exchange: Exchange) => boolean, instead: (exchange: Exchange) => Promise<HttpResult>) {
  const trouble = {
    struck: false,
    async intercept(exchange: Exchange) {
      if (trouble.struck || !isMeant(exchange)) return exchange.send()
      trouble.struck = true
      return instead(exchange)
    },
  }
  return trouble
}

/** The same, when the request did arrive. */
export const lostOnce = (isMeant: (exchange: Exchange) => boolean, answer: HttpResult = lost) =>
  once(isMeant, async ({ send }) => {
    await send()
    return answer
  })

/** The answer of the first part that is sent is lost, and with it that of every look for it. */
export function unseen(looks: readonly Step[]) {
  let isSent = false
  return {
    async intercept({ step, send }: Exchange) {
      if (isSent && looks.includes(step)) return page(500)
      const result = await send()
      if (step !== 'send') return result
      isSent = true
      return page(500)
    },
  }
}

/**
 * The first turn that nothing happened to: the trouble came behind the last request.
 *
 * @param every where a part is run, only every third of the many requests is struck, say
 */
export async function untilSpared(turn: (nth: number) => Promise<boolean>, every = 1): Promise<number> {
  for (let nth = 1; nth < MANY; nth += WHOLE ? 1 : every) if (!(await turn(nth))) return nth
  return expect.unreachable(`More than ${MANY} requests were made for one post.`)
}
