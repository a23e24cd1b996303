import type { AskedBody, Label, LabelBody } from '#contract'
import { newId } from '#domain'
import { type Database, type DatedLabel, insertLabel, type LabelRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { accountOrRefusal, Refusal } from '../refusal.ts'
import { readLabelName, requireFreeName } from './free-name.ts'
import { answerLabel } from './serialize.ts'

/**
 * Creates a label for the operator, in any color.
 *
 * @throws Refusal
 * @throws ProblemError `label:name_taken`
 */
export async function createLabel(
  deps: { db: Database },
  input: { accountId: string; name: string; color: string | null },
): Promise<LabelRow> {
  if (input.color !== null && !/^#[0-9a-f]{6}$/i.test(input.color)) {
    throw new Refusal('The color of a label is written as #rrggbb.')
  }
  const { id, name, color } = await addLabel(deps.db, input)
  return { id, name, color }
}

/**
 * Creates a label for a member, in one of our colors or none.
 *
 * @throws Refusal
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`, `label:name_taken`
 */
export async function createLabelByMember(
  deps: { db: Database },
  caller: Caller,
  body: AskedBody<LabelBody>,
): Promise<Label> {
  requireRight(caller, 'labels:manage')
  const { name, color = null } = body.read()
  return answerLabel(await addLabel(deps.db, { accountId: caller.accountId, name, color }))
}

async function addLabel(
  db: Database,
  input: { accountId: string; name: string; color: string | null },
): Promise<DatedLabel> {
  const name = readLabelName(input.name)
  return db.transaction().execute(async (trx) => {
    const { id: accountId } = await accountOrRefusal(trx, input.accountId, { lock: true })
    await requireFreeName(trx, { accountId, id: null, name })
    return insertLabel(trx, accountId, { id: newId(), name, color: input.color })
  })
}
