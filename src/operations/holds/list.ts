import { type Holds, type HoldWaiting, ProblemError } from '#contract'
import { isId } from '#domain'
import {
  countLateSets,
  countWithNetworks,
  type Database,
  findHold,
  type HoldRow,
  listHolds,
  readClockAhead,
  readHeldStart,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { holdAnswer, requireWholeAccount } from './place.ts'

/**
 * All holds that the caller sees, a held start, and a clock that has jumped ahead. Only operators get the details of
 * a held start.
 */
export async function readHolds({ db }: { db: Database }, caller: Caller): Promise<Holds> {
  const [holds, start, aheadMs] = await Promise.all([listHolds(db, caller), readHeldStart(db), readClockAhead(db)])
  const { member } = caller
  return {
    data: holds.map(holdAnswer),
    start: start && {
      since: start.since.toISOString(),
      copy: start.why === 'COPY',
      signs: member?.operator ? start.signs : [],
    },
    clock: aheadMs > 0 ? { aheadMs } : null,
  }
}

/**
 * What releasing a hold would decide about.
 *
 * @throws ProblemError `hold:not_found`; what `requireWholeAccount` throws
 */
export async function readHoldWaiting({ db }: { db: Database }, caller: Caller, id: string): Promise<HoldWaiting> {
  const hold = await requireHold(db, caller, id)
  if (hold.scope === 'ACCOUNT') requireWholeAccount(caller)
  const [late, withNetworks] = await Promise.all([countLateSets(db, hold), countWithNetworks(db, hold)])
  return { ...late, withNetworks }
}

/**
 * The open hold with that id, if the caller may see it.
 *
 * @throws ProblemError `hold:not_found` for one that is absent, released, another account's or outside of what is seen
 */
export async function requireHold(db: Database, caller: Caller, id: string): Promise<HoldRow> {
  const found = isId(id) ? await findHold(db, caller, id) : null
  if (!found) throw holdNotFound()
  return found
}

export function holdNotFound(): ProblemError {
  return new ProblemError('hold:not_found', 'There is no such hold any more: publishing was resumed.')
}
