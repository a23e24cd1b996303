import { LIMITS, ProblemError } from '#contract'
import { type DatabaseTransaction, listLabels } from '#persistence'
import { Refusal } from '../refusal.ts'
import { readName } from '../social-sets/create.ts'

/** @throws Refusal */
export function readLabelName(text: string): string {
  const name = readName(text, 'A label')
  if ([...name].length > LIMITS.labelCodePoints) {
    throw new Refusal(`The name of a label has at most ${LIMITS.labelCodePoints} characters.`)
  }
  return name
}

/**
 * Requires that no other label of the account has this name, ignoring case. The caller holds the account's lock.
 * `id` is the label that gets the name; null for a new one.
 *
 * @throws ProblemError `label:name_taken`
 */
export async function requireFreeName(
  trx: DatabaseTransaction,
  label: { accountId: string; id: string | null; name: string },
): Promise<void> {
  const labels = await listLabels(trx, label.accountId)
  const taken = labels.find(({ id, name }) => id !== label.id && foldedName(name) === foldedName(label.name))
  if (taken) throw new ProblemError('label:name_taken', `A label named “${taken.name}” already exists.`)
}

/** Folds a name so that differences in case, or in how accents are encoded, do not count. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
