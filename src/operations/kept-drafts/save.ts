import { ProblemError } from '#contract'
import {
  type DatabaseTransaction,
  endEditDraft,
  endSavedDraft,
  findPostSet,
  isIdTaken,
  type KeptDraftSave,
} from '#persistence'
import { type Caller, requireMember } from '../caller.ts'

/**
 * Ends an unsaved text with the request that creates the post set, in its transaction. True: the same text was saved
 * before, and the answer is the post set with that id.
 *
 * @throws ProblemError `kept-draft:changed`, `kept-draft:saved`, `kept-draft:id_taken`
 */
export async function wasSavedBefore(
  trx: DatabaseTransaction,
  caller: Caller,
  socialSetId: string,
  save: KeptDraftSave,
): Promise<boolean> {
  const owner = { accountId: caller.accountId, userId: requireMember(caller).userId }
  const found = await endSavedDraft(trx, owner, { ...save, socialSetId })
  if (found === 'saved before') return true
  if (found === 'changed') throw changedElsewhere()
  if (found === 'saved otherwise') throw savedOtherwise()
  // What was left of the draft has gone since.
  if (await findPostSet(trx, caller, save.id)) throw savedOtherwise()
  if (await isIdTaken(trx, owner, save.id)) {
    throw new ProblemError('kept-draft:id_taken', 'Another post has this id. Save the text under another one.')
  }
  return false
}

/**
 * Ends an unsaved text about a post set with the request that changes the set, in its transaction.
 *
 * @throws ProblemError `kept-draft:changed`
 */
export async function endEdit(trx: DatabaseTransaction, caller: Caller, save: KeptDraftSave): Promise<void> {
  const owner = { accountId: caller.accountId, userId: requireMember(caller).userId }
  if (!(await endEditDraft(trx, owner, save))) throw changedElsewhere()
}

const savedOtherwise = () => new ProblemError('kept-draft:saved', 'This text was already saved. Check that post first.')

export const changedElsewhere = () =>
  new ProblemError(
    'kept-draft:changed',
    'You have written something else of this post in another window. Choose what counts.',
  )
