import {
  type AskedBody,
  defaultNewsChoice,
  entryAt,
  NEWS_CAUSES,
  type NewsCause,
  type NewsChoice,
  type NewsChoices,
  type NewsChoicesBody,
  refuseBody,
} from '#contract'
import { listSocialSetNames, type NewsChosen, readNewsChoices, writeNewsChoices } from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'

type Deps = Pick<OperationDeps, 'db' | 'mailer'>

/** News of the account as a whole: they can be chosen for no social set. */
const OF_ACCOUNT: readonly NewsCause[] = ['PLAN']

/**
 * The member's notification settings.
 *
 * @throws ProblemError `auth:not_signed_in`
 */
export async function listNewsChoices({ db, mailer }: Deps, caller: Caller): Promise<NewsChoices> {
  const { userId, role } = requireMember(caller)
  const { timezone, choices } = await readNewsChoices(db, caller, userId)
  const socialSets = await listSocialSetNames(db, caller)
  const inBrands = NEWS_CAUSES.filter((cause) => !OF_ACCOUNT.includes(cause))
  return {
    mail: mailer !== null,
    timezone: timezone ?? 'UTC',
    defaults: NEWS_CAUSES.map((cause) => ({
      cause,
      choice: defaultNewsChoice(cause, role, { concerned: false }),
      concerned: defaultNewsChoice(cause, role, { concerned: true }),
    })),
    account: chosenOf(choices, null, NEWS_CAUSES),
    socialSets: socialSets.map(({ id, name }) => ({
      socialSetId: id,
      name,
      choices: chosenOf(choices, id, inBrands),
    })),
  }
}

const chosenOf = (choices: readonly NewsChosen[], socialSetId: string | null, causes: readonly NewsCause[]) =>
  causes.map((cause) => {
    const found = choices.find((choice) => choice.cause === cause && choice.socialSetId === socialSetId)
    return { cause, choice: found?.choice ?? null }
  })

/**
 * Changes the member's notification settings, for one social set or for all; omitted causes stay.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function putNewsChoices(
  deps: Deps,
  caller: Caller,
  body: AskedBody<NewsChoicesBody>,
): Promise<NewsChoices> {
  const { userId } = requireMember(caller)
  await placeNamed(deps.db, caller, body)
  const { socialSetId, choices } = body.read()
  const given = Object.entries(choices) as [NewsCause, NewsChoice | null][]
  refuseBody(
    given
      .filter(([cause]) => socialSetId !== null && OF_ACCOUNT.includes(cause))
      .map(([cause]) => {
        const words = `${cause} is about the whole account: choose it without a social set.`
        return entryAt(['choices', cause], 'request:invalid_body', words)
      }),
  )
  await deps.db.transaction().execute((trx) =>
    writeNewsChoices(
      trx,
      { accountId: caller.accountId, userId, socialSetId },
      given.map(([cause, choice]) => ({ cause, choice })),
    ),
  )
  return listNewsChoices(deps, caller)
}
