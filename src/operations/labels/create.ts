import { newId } from '#domain'
import { type Database, insertLabel, type LabelRow } from '#persistence'
import { accountOrRefusal, Refusal } from '../refusal.ts'
import { readName } from '../social-sets/create.ts'

/** @throws Refusal */
export async function createLabel(
  deps: { db: Database },
  input: { accountId: string; name: string; color: string | null },
): Promise<LabelRow> {
  const name = readName(input.name, 'A label')
  if (input.color !== null && !/^#[0-9a-f]{6}$/i.test(input.color)) {
    throw new Refusal('The colour of a label is written as #rrggbb.')
  }
  await accountOrRefusal(deps.db, input.accountId)
  const label = { id: newId(), name, color: input.color }
  if (!(await insertLabel(deps.db, input.accountId, label))) {
    throw new Refusal(`The account has a label ${name} already.`)
  }
  return label
}
