import { connectAgainMessage } from '#domain'
import type { Attempt, Network } from '#networks'
import { type DeliveryContent, type DeliveryRow, databaseNow, readDeliveryContents } from '#persistence'
import { canRefresh, settledAttempt } from './run.ts'
import { type Refreshed, refreshToken, tokenOf } from './token-refresher.ts'
import type { DeliverDeps } from './turn.ts'

/** A look at a post whose delivery has ended, for what comes behind its result. */
export interface Look {
  row: DeliveryRow
  /** Undefined: its post is gone. */
  content: DeliveryContent | undefined
  now: Date
}

/**
 * Looks at posts until none is due. Several processes may look at once.
 *
 * @param steps.claim takes some that are due
 * @param steps.look null: another one comes
 * @param steps.end stores what ended
 * @returns how many have ended
 */
export async function lookAtDue<End>(
  { db }: DeliverDeps,
  stopping: AbortSignal,
  steps: {
    claim(): Promise<DeliveryRow[]>
    look(look: Look): Promise<End | null>
    end(ends: End[]): Promise<number>
  },
): Promise<number> {
  let ended = 0
  while (!stopping.aborted) {
    const claimed = await steps.claim()
    if (claimed.length === 0) break
    const contents = await readDeliveryContents(db, claimed)
    const now = await databaseNow(db)
    const ends = await Promise.all(claimed.map((row) => steps.look({ row, content: contents.get(row.id), now })))
    ended += await steps.end(ends.filter((end) => end !== null))
  }
  return ended
}

/**
 * The way to the network of a post; or why there is none now, in words.
 *
 * @param options.begin gives what ends the look, whose time begins when the token is good
 */
export async function wayOfLook(
  deps: DeliverDeps,
  { row, content, now }: Look & { content: DeliveryContent },
  network: Network,
  { identityId, begin, options }: { identityId: string; begin(): AbortSignal; options?: AttemptOptions },
): Promise<{ attempt: Attempt } | { attempt: null; message: string }> {
  const { pause } = content
  if (pause && pause.until > now) return { attempt: null, message: pause.message }
  const fresh = await freshToken(deps, content, { identityId, now, network })
  if (fresh.kind !== 'token') return { attempt: null, message: fresh.message }
  const run = { deps, row, content, token: fresh.token, now: () => now }
  return { attempt: await settledAttempt(run, network, begin(), options) }
}

type AttemptOptions = Parameters<typeof settledAttempt>[3]

/** Renewed where it is over soon: what comes behind results goes on for longer than many a token lasts. */
async function freshToken(
  deps: DeliverDeps,
  content: DeliveryContent,
  { identityId, now, network }: { identityId: string; now: Date; network: Network },
): Promise<Refreshed> {
  const token = tokenOf(deps, content.identity)
  if (!token) return { kind: 'dead', message: connectAgainMessage }
  const lastsMs = (token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()
  const lasts = lastsMs > deps.settings.refreshAheadMs
  return lasts || !canRefresh({ refreshed: false, network, token })
    ? { kind: 'token', token }
    : refreshToken(deps, identityId, token)
}
