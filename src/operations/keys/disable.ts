import { type Database, setKeyDisabled } from '#persistence'
import { changeKey } from './change.ts'

/**
 * Disables a key: it opens nothing until it is enabled again. Does nothing if it is already disabled.
 *
 * @throws Refusal
 */
export async function disableKey(deps: { db: Database }, id: string): Promise<void> {
  await changeKey(deps.db, id, async (trx, key) => {
    if (!key.disabled) await setKeyDisabled(trx, key.id, true)
  })
}
