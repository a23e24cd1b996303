import { MINUTE_MS } from '#contract/durations'
import { correctedParts, type KnownLate, knownLate, posted } from '#domain'
import { type Network, type Part, plainPost, rulesOfPart, runStep } from '#networks'
import {
  claimLooks,
  type DeliveryContent,
  endedParts,
  endPartLooks,
  liveParts,
  type PartLookEnd,
  partsToStore,
} from '#persistence'
import { type Look, lookAtDue, wayOfLook } from './late-looks.ts'
import type { TurnDeps } from './turn.ts'

/** When a part is looked for, since the result was given. */
const LOOKS_MS = [15, 30, 60, 120, 240, 480, 1_440].map((minutes) => minutes * MINUTE_MS)
/** Then it stays unsure, also when the last look broke off. */
const OVER_MS = 1_560 * MINUTE_MS
/** Posts that are looked after side by side. */
const AT_ONCE = 10
const LOOK_MS = MINUTE_MS

/**
 * Looks for parts that were unsure when the result of their post was given, as long as the network may still tell: it sends nothing. What goes
 * wrong is left to the next look.
 *
 * @returns how many results have changed
 */
export function lookForParts(deps: TurnDeps, stopping: AbortSignal): Promise<number> {
  return lookAtDue(deps, stopping, {
    claim: () => claimLooks(deps.db, 'part', { limit: AT_ONCE, pausesMs: [...LOOKS_MS, OVER_MS] }),
    look: (look) => lookAfter(deps, look, stopping),
    end: (ends) => endPartLooks(deps.db, ends),
  })
}

/** One look. Null: another one comes. */
async function lookAfter(deps: TurnDeps, look: Look, stopping: AbortSignal): Promise<PartLookEnd | null> {
  const { row } = look
  const ends = { id: row.id, postSetId: row.post_set_id }
  const wanted = wantedOf(deps, look)
  if (!wanted) return { ...ends, known: null }
  const looks = row.part_looks ?? 0
  const known =
    looks > LOOKS_MS.length
      ? null
      : await lookFor(deps, wanted, stopping).catch((error: unknown) => {
          if (!stopping.aborted) deps.log.error({ delivery: row.id, error }, 'A part of a post could not be looked for')
          return null
        })
  if (known) return { ...ends, known: corrected(wanted, known) }
  return looks < LOOKS_MS.length || stopping.aborted ? null : { ...ends, known: null }
}

interface Wanted extends Look {
  content: DeliveryContent
  network: Network
  /** What its network makes behind the post. */
  parts: readonly Part[]
  part: Part
  identityId: string
}

/** Null: no look will tell more. */
function wantedOf(deps: TurnDeps, { row, content, now }: Look): Wanted | null {
  const network = deps.networks.serving(row.account_type)
  const connection = content?.connection
  // Without what was noted on the way, what is found proves too little.
  const isNoted = Object.keys(row.handles).length > 0
  if (!network || !content || !connection || connection.closed || !isNoted) return null
  // Another account shows nothing of this one.
  if (row.identity_id !== null && row.identity_id !== connection.identityId) return null
  const parts = network.connector.parts?.(plainPost(content.post)) ?? []
  const part = parts[endedParts(row).length - 2]
  return part ? { row, content, now, network, parts, part, identityId: connection.identityId } : null
}

async function lookFor(deps: TurnDeps, wanted: Wanted, stopping: AbortSignal): Promise<KnownLate | null> {
  const { row, network, part, identityId } = wanted
  const begin = () => AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS)])
  const way = await wayOfLook(deps, wanted, network, { identityId, begin })
  if (!way.attempt) return null
  const attempt = { ...way.attempt, before: endedParts(row).slice(0, -1) }
  const { sinceCallMs } = await deps.calls.look(row)
  const outcome = await runStep(part.find, attempt, { asks: true })
  const listingDelayMs = deps.settings.listingDelayMs ?? network.manifest.listingDelayMs
  return knownLate(outcome, { sinceCallMs, listingDelayMs })
}

function corrected({ row, parts, now }: Wanted, known: KnownLate): NonNullable<PartLookEnd['known']> {
  const rules = parts.map(rulesOfPart)
  const [post, ...others] = liveParts(row)
  // The network may have named the address of the post only later.
  const named = { ...post, permalink: row.result?.permalink ?? null }
  const before = { ended: [named, ...others], warnings: row.result?.warnings ?? [], rules, now }
  const { ended, warnings } = correctedParts(before, known)
  const { thread, stories, warnings: shown } = posted([named, ...ended.slice(1)], warnings)
  return {
    parts: partsToStore(ended, [{ title: 'post' }, ...rules]).slice(0, ended.length),
    result: {
      ...(thread ? { thread } : {}),
      ...(stories ? { stories } : {}),
      ...(shown ? { warnings: shown } : {}),
    },
  }
}
