import { isDeepStrictEqual } from 'node:util'
import type { AgentOfKey } from '#contract'
import { type Database, updateApiKey } from '#persistence'
import { refused } from '../refused.ts'
import { readName } from '../social-sets/create.ts'
import { changeKey } from './change.ts'
import { readScopes, readSocialSets, requireRoomForKey } from './create.ts'
import { readExpiry } from './expiry.ts'

/** What is left out stays. */
interface UpdateKeyInput {
  name?: string
  /** Empty: the key only reads. */
  scopes?: readonly string[]
  /** Null: all social sets of the account, those that come later included. */
  socialSetIds?: readonly string[] | null
  /** As `readExpiry` reads it. Null: never. */
  expiresAt?: string | null
  /** Null: it is for a program. */
  agent?: AgentOfKey | null
}

/**
 * Changes the name and access of a key, effective with its next request. Its secret stays, and so does the name in
 * existing history. A change that changes nothing writes nothing. An expired key works again with a later expiry.
 *
 * @throws ProblemError `request:refused`
 * @throws ProblemError `api-key:limit_reached` when an expired key would be one too many
 */
export async function updateKey(deps: { db: Database }, id: string, input: UpdateKeyInput): Promise<void> {
  await changeKey(deps.db, id, async (trx, key) => {
    if (key.revoked) throw refused('why:key_revoked')
    const { name, scopes, socialSetIds, expiresAt, agent } = key
    const before = { name, scopes, socialSetIds, expiresAt, agent }
    const after = {
      name: input.name === undefined ? name : readName(input.name, 'A key'),
      scopes: input.scopes === undefined ? scopes : readScopes(input.scopes),
      socialSetIds:
        input.socialSetIds === undefined ? socialSetIds : await readSocialSets(trx, key.accountId, input.socialSetIds),
      expiresAt: keeps(expiresAt, input.expiresAt) ? expiresAt : await readExpiry(trx, input.expiresAt ?? null),
      agent: input.agent === undefined ? agent : input.agent,
    }
    if (isDeepStrictEqual(before, after)) return
    if (key.expired && !key.disabled && after.expiresAt !== expiresAt) await requireRoomForKey(trx, key.accountId)
    await updateApiKey(trx, key.id, after)
  })
}

/** One that has passed may be sent back as it was read. */
function keeps(before: Date | null, wanted: string | null | undefined): boolean {
  if (wanted === undefined) return true
  return wanted === null ? before === null : before?.toISOString() === wanted
}
