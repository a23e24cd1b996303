import { rightsOf, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import type { Caller } from '#operations'
import type { Engine } from '../engine/engine.ts'
import { accountOf } from '../engine/holds.ts'

/** A member of the engine's account, an editor by default. */
export async function callerOf(engine: Engine, role: 'editor' | 'author' = 'editor'): Promise<Caller> {
  const userId = newId()
  return {
    accountId: await accountOf(engine),
    actor: { type: 'USER', id: userId, name: 'Ada' },
    rights: rightsOf(role),
    socialSetIds: null,
    plan: SHIPPED_PLANS.SCALE,
    member: { userId, sessionId: newId(), role, operator: false },
  }
}
