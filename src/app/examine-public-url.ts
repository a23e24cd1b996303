import { setTimeout as pause } from 'node:timers/promises'
import { type Config, isLoopback } from '#config'
import { addressesOf } from './addresses.ts'
import type { Finding } from './finding.ts'

/** Health checks give up soon. A process that is not ready is asked so often again, since a busy machine is slow. */
const READY_AGAIN = 3
const READY_PAUSE_MS = 2_000

const ok = (message: string) => ({ status: 'ok', message }) as const
const warning = (message: string) => ({ status: 'warning', message }) as const
const problem = (message: string) => ({ status: 'problem', message }) as const

/**
 * Asks whether Almanac is reached, and ready, at its public address.
 *
 * @param about.fetching titles of the connected networks that fetch media there
 * @param about.busy whether a process that is not ready may be so for a moment: the database itself is well
 */
export async function examinePublicUrl(
  config: Config,
  { fetching, busy }: { fetching: readonly string[]; busy: boolean },
): Promise<Pick<Finding, 'status' | 'message'>> {
  const { publicUrl } = addressesOf(config, { port: config.port, together: true })
  if (fetching.length > 0 && isLoopback(new URL(publicUrl).hostname)) {
    return problem(
      `Real accounts are connected, but ${fetching.join(', ')} cannot fetch media from ${publicUrl}. Set ALMANAC_PUBLIC_URL to an address that the internet reaches.`,
    )
  }
  try {
    const ask = () => fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(8_000), redirect: 'manual' })
    let answer = await ask()
    for (let again = 0; busy && answer.status === 503 && again < READY_AGAIN; again++) {
      await answer.body?.cancel()
      await pause(READY_PAUSE_MS)
      answer = await ask()
    }
    const report = (await answer.json().catch(() => null)) as { problems?: string[] } | null
    if (answer.status === 200) return ok(`${publicUrl} answers.`)
    const words = report?.problems?.join(' ') ?? 'it is not Almanac, or an older version. Look at its log.'
    return problem(`${publicUrl}/readyz answers ${answer.status}: ${words}`)
  } catch {
    const words = `Nothing answers at ${publicUrl}: Almanac is not running, or ALMANAC_PUBLIC_URL is wrong.`
    return fetching.length > 0 ? problem(words) : warning(words)
  }
}
