import { clockRules } from '#domain'
import type { Networks } from '#networks'
import { connectedNetworks, type Database, readDatabaseClock, readHeldStart } from '#persistence'
import { machineClock, readBoot } from '#publishing'
import { timeOf } from './outbound.ts'

/** Between this machine and the database. */
const APART_MS = 2_000
/** A network says the time in whole seconds, some time before it is read. */
const OUTSIDE_MS = 5_000
const ASK_MS = 5_000

/** What is wrong with the clocks, in one sentence. */
interface ClockFinding {
  ok: boolean
  message: string
}

/**
 * Compares the clock of this machine with that of the database, and both with what they cannot agree about: what a worker has counted
 * since it last believed the database, and the clock of a network. Networks are asked only where a real account is connected.
 *
 * @param database what the clock of the database said at that moment of this machine's
 */
export async function examineClocks(
  db: Database,
  networks: Networks,
  database: { atMs: number; machineMs: number },
): Promise<ClockFinding> {
  const behindMs = database.atMs - database.machineMs
  if (Math.abs(behindMs) > APART_MS) {
    const words = `${seconds(behindMs)} s ${behindMs > 0 ? 'behind' : 'ahead of'} the database's`
    return bad(`The clock of this machine is ${words}. Posts go by the database's; set the machine's clock (NTP).`)
  }
  const outside = await askOutside(db, networks)
  if (outside !== null && Math.abs(outside.aheadMs) > OUTSIDE_MS) {
    const words = `${seconds(outside.aheadMs)} s ${outside.aheadMs > 0 ? 'ahead of' : 'behind'} that of ${outside.title}`
    return bad(`The clocks of this machine and of the database agree, and are ${words}: set them right (NTP).`)
  }
  const jumpedMs = outside === null ? await jumpOf(db) : null
  if (jumpedMs !== null && jumpedMs > clockRules.toleranceMs) {
    return bad(
      `The clocks of this machine and of the database agree, and have jumped ahead by ${seconds(jumpedMs)} s since a worker last believed them. Set them right (NTP); if the new time is right, run "almanac clock believe".`,
    )
  }
  const with_ = outside === null ? 'No clock outside was asked.' : `So does that of ${outside.title}.`
  return { ok: true, message: `The clocks of this machine and of the database agree. ${with_}` }
}

const bad = (message: string): ClockFinding => ({ ok: false, message })
const seconds = (ms: number) => (Math.abs(ms) / 1_000).toFixed(1)

/** The first connected network that says what time it is; null where none does. */
async function askOutside(db: Database, networks: Networks): Promise<{ title: string; aheadMs: number } | null> {
  // A copy that waits for a person's answer calls no network.
  if (await readHeldStart(db).catch(() => null)) return null
  for (const name of await connectedNetworks(db).catch(() => [])) {
    const { manifest } = networks.named(name) ?? {}
    const address = Object.values(manifest?.endpoints ?? {})[0]?.default
    if (!manifest || !address?.startsWith('https:')) continue
    try {
      const answer = await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) })
      const time = timeOf(address, Object.fromEntries(answer.headers), new Set())
      if (time) return { title: manifest.title, aheadMs: Date.now() - time.getTime() }
    } catch {
      // Another one may answer.
    }
  }
  return null
}

/** How far the clock is ahead of what a worker of this boot would expect; null without one. */
async function jumpOf(db: Database): Promise<number | null> {
  // A database that is not of this version yet says nothing of it.
  const row = await readDatabaseClock(db).catch(() => null)
  const boot = readBoot()
  if (!row?.seenAt || row.boot === null || row.boot !== boot.id || row.boottimeMs === null) return null
  return row.now.getTime() - row.seenAt.getTime() - (machineClock(boot).boottime() - row.boottimeMs)
}
