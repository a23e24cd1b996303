import { Value } from 'typebox/value'
import type { Picker } from '#contract'
import {
  type DefaultField,
  type DefaultOptions,
  type Defaults,
  defaultsOf,
  missingDefaults,
  valueAdvice,
} from '#networks'
import { findOpenConnection, writeDefaults } from '#persistence'
import { Refusal, refusal } from '../refusal.ts'
import { type AccountDeps, accountBehind, askAccount, noConnection } from './ask-account.ts'

export type DefaultsDeps = AccountDeps

/** A publishing default of a connection, as a person chooses it. */
interface ChosenDefault extends Pick<DefaultField, 'name' | 'title' | 'description' | 'schema' | 'required'> {
  /** How a person chooses it; null: by its schema. */
  picker: Picker | null
  /** Undefined when none was chosen. */
  value: unknown
  /** What the network offers this account, or the named values of the schema; null when that says all. */
  options: readonly { value: string; title: string }[] | null
}

/**
 * The publishing defaults of a connection, with the current choices and what the network offers.
 *
 * @throws Refusal
 */
export async function readDefaults(deps: DefaultsDeps, connectionId: string): Promise<ChosenDefault[]> {
  const { connection, network, options } = await look(deps, connectionId)
  return defaultsOf(network.manifest, connection.accountType).map((field) => ({
    name: field.name,
    title: field.title,
    description: field.description,
    schema: field.schema,
    required: field.required,
    picker: field.picker ?? null,
    value: connection.defaults[field.name],
    options: options[field.name] ?? namedValues(field),
  }))
}

function namedValues({ titles }: DefaultField): ChosenDefault['options'] {
  return titles ? Object.entries(titles).map(([value, title]) => ({ value, title })) : null
}

/**
 * Sets publishing defaults of a connection: only the given ones change, null removes one. All or nothing.
 *
 * @throws Refusal
 */
export async function chooseDefaults(
  deps: DefaultsDeps,
  input: { connectionId: string; defaults: Defaults },
): Promise<{ defaults: Defaults; missingDefaults: string[] }> {
  const { connection, network, options } = await look(deps, input.connectionId)
  const { manifest } = network
  const fields = defaultsOf(manifest, connection.accountType)
  const wanted = Object.entries(input.defaults).map(
    ([name, value]) => [name, readValue(manifest.title, fields, options, name, value)] as const,
  )
  return deps.db.transaction().execute(async (trx) => {
    const locked = await findOpenConnection(trx, connection.id, { lock: true })
    if (!locked) throw noConnection(input.connectionId)
    const chosen = Object.entries({ ...locked.defaults, ...Object.fromEntries(wanted) }).filter(
      ([, value]) => value !== null,
    )
    const defaults = Object.fromEntries(chosen)
    await writeDefaults(trx, connection.id, defaults)
    const missing = missingDefaults(manifest, connection.accountType, defaults).map(({ name }) => name)
    return { defaults, missingDefaults: missing }
  })
}

/** A value as its schema has it; `true` of a command line becomes a boolean. @throws Refusal */
function readValue(
  title: string,
  fields: readonly DefaultField[],
  options: DefaultOptions,
  name: string,
  given: unknown,
): unknown {
  const field = fields.find((each) => each.name === name)
  if (!field) {
    const names = fields.map((each) => each.name).join(', ')
    throw new Refusal(
      `${title} has no publishing default ${name}. ${names ? `Available: ${names}.` : 'There are none.'}`,
    )
  }
  if (given === null) return null
  const value = Value.Convert(field.schema, given)
  const offered = options[name]
  if (!Value.Check(field.schema, value)) {
    throw new Refusal(`${field.title} (${name}) cannot be ${JSON.stringify(value)}. ${valueAdvice(field)}`)
  }
  if (offered && !offered.some((option) => option.value === value)) {
    const words = offered.map((option) => `${option.value} (${option.title})`).join(', ')
    throw refusal('why:default_not_offered', { title, value: JSON.stringify(value), name, offered: words })
  }
  return value
}

async function look(deps: DefaultsDeps, connectionId: string) {
  const { connection, network, who, context } = await accountBehind(deps, connectionId)
  const { options } = network.connect
  if (!options) return { connection, network, options: {} }
  const asked = await askAccount(deps, who.identityId, (credentials) => options(context, { ...who, credentials }))
  return { connection, network, options: asked.options }
}
