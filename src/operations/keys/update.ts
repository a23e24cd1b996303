import { isDeepStrictEqual } from 'node:util'
import { type Database, updateApiKey } from '#persistence'
import { Refusal } from '../refusal.ts'
import { readName } from '../social-sets/create.ts'
import { changeKey } from './change.ts'
import { readScopes, readSocialSets } from './create.ts'

/** What is left out stays. */
export interface UpdateKeyInput {
  name?: string
  /** Empty: the key only reads. */
  scopes?: readonly string[]
  /** Null: all social sets of the account, those that come later included. */
  socialSetIds?: readonly string[] | null
}

/**
 * Changes what a key is called and what it opens, from its next request on. Its secret stays, and so does the name that
 * history already tells. A change that changes nothing writes nothing.
 *
 * @throws Refusal
 */
export async function updateKey(deps: { db: Database }, id: string, input: UpdateKeyInput): Promise<void> {
  await changeKey(deps.db, id, async (trx, key) => {
    if (key.revoked) throw new Refusal('A revoked key cannot be changed. Make a new one.')
    const { name, scopes, socialSetIds } = key
    const before = { name, scopes, socialSetIds }
    const after = {
      name: input.name === undefined ? name : readName(input.name, 'A key'),
      scopes: input.scopes === undefined ? scopes : readScopes(input.scopes),
      socialSetIds:
        input.socialSetIds === undefined ? socialSetIds : await readSocialSets(trx, key.accountId, input.socialSetIds),
    }
    if (!isDeepStrictEqual(before, after)) await updateApiKey(trx, key.id, after)
  })
}
