import type { ApiKeyCalls } from '#contract'
import { budgetOfKey, type Database, listKeyCalls, noteKeyCall } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { requireKey } from './with-password.ts'

/**
 * The last tool calls of a key, and how much of its budget is used today.
 *
 * @throws ProblemError `auth:insufficient_role`, `api-key:not_found`
 */
export async function readKeyCalls(deps: { db: Database }, caller: Caller, id: string): Promise<ApiKeyCalls> {
  requireRight(caller, 'api-keys:manage')
  await requireKey(deps, caller, id)
  const [calls, budget] = await Promise.all([listKeyCalls(deps.db, id), budgetOfKey(deps.db, id)])
  return {
    data: calls.map(({ at, ...call }) => ({ at: at.toISOString(), ...call })),
    today: budget && { ...budget, freeAt: budget.freeAt.toISOString() },
  }
}

/**
 * Records that a key has called a tool.
 *
 * @param problem code of what it was refused with; null when it was done
 */
export async function noteToolCall(
  { db }: { db: Database },
  { actor }: Caller,
  call: { tool: string; problem: string | null },
): Promise<void> {
  if (actor.type === 'API_KEY' && actor.id !== null) await noteKeyCall(db, actor.id, call)
}
