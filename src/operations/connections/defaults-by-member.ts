import type { AskedBody, ChooseDefaultsBody, ChosenDefaults, ConnectionChoices, ConnectionDefaults } from '#contract'
import { type Caller, requireRight } from '../caller.ts'
import { chooseDefaults, readDefaults } from './choose-defaults.ts'
import { type MemberConnectionDeps, requireConnection } from './guards.ts'

/**
 * The publishing defaults of a connection as a form. Asks the network what it offers this account.
 *
 * @throws Refusal when the network does not say
 * @throws ProblemError `connection:not_found`
 */
export async function readConnectionDefaults(
  deps: MemberConnectionDeps,
  caller: Caller,
  id: string,
): Promise<ConnectionDefaults> {
  requireRight(caller, 'connections:manage')
  await requireConnection(deps.db, caller, id)
  return formOf(deps, id)
}

async function formOf(deps: MemberConnectionDeps, id: string): Promise<ConnectionDefaults> {
  const fields = await readDefaults(deps, id)
  return {
    fields: fields.map(({ value, options, schema, ...field }) => ({
      ...field,
      schema: { ...schema },
      value: typeof value === 'string' || typeof value === 'boolean' ? value : null,
      options: options === null ? null : options.map((option) => ({ value: option.value, title: option.title })),
    })),
  }
}

/**
 * What the network offers the account of a connection for a post: boards, categories, audiences. For those who write posts.
 *
 * @throws Refusal when the network does not say
 * @throws ProblemError `connection:not_found`
 */
export async function readConnectionChoices(
  deps: MemberConnectionDeps,
  caller: Caller,
  id: string,
): Promise<ConnectionChoices> {
  requireRight(caller, 'post-sets:write')
  await requireConnection(deps.db, caller, id)
  const { fields } = await formOf(deps, id)
  return {
    lists: fields.flatMap(({ name, picker, value, options }) => (options ? [{ name, picker, value, options }] : [])),
  }
}

/**
 * Sets publishing defaults of a connection: only the given ones change, null removes one.
 *
 * @throws Refusal
 * @throws ProblemError `connection:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function chooseConnectionDefaults(
  deps: MemberConnectionDeps,
  caller: Caller,
  id: string,
  body: AskedBody<ChooseDefaultsBody>,
): Promise<ChosenDefaults> {
  requireRight(caller, 'connections:manage')
  await requireConnection(deps.db, caller, id)
  const { defaults } = body.read()
  const { missingDefaults } = await chooseDefaults(deps, { connectionId: id, defaults })
  return { missingDefaults }
}
