import type { ApiKeyRow } from '#persistence'
import { type Caller, maySee } from '../caller.ts'

/** Whether the member sees everything that a key opens. */
export function seesKey(caller: Caller, { socialSetIds }: Pick<ApiKeyRow, 'socialSetIds'>): boolean {
  if (caller.socialSetIds === null) return true
  return socialSetIds?.every((id) => maySee(caller, id)) ?? false
}
