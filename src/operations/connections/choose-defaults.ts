import { Value } from 'typebox/value'
import type { AccountType, Picker } from '#contract'
import { isId } from '#domain'
import {
  type ConnectContext,
  type DefaultField,
  type DefaultOptions,
  type Defaults,
  defaultsOf,
  missingDefaults,
  type Network,
  networkNamed,
  valueAdvice,
} from '#networks'
import { findOpenConnection, readSealedIdentity, writeDefaults } from '#persistence'
import { readToken, refreshToken, type TokenDeps } from '#publishing'
import { Refusal, refusal } from '../refusal.ts'

/** What a network asks of an account may take this long, a refresh included. */
const ASKING_MS = 60_000

export interface DefaultsDeps extends TokenDeps {
  now(): Date
}

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
 * The publishing defaults that a connection can have, with what was chosen and what the network offers.
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
 * Chooses publishing defaults of a connection: those that are named change, null takes one away. All or nothing.
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
      `${title} has no publishing default ${name}. ${names ? `There are: ${names}.` : 'There are none.'}`,
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
  const connection = isId(connectionId) ? await findOpenConnection(deps.db, connectionId, { lock: false }) : null
  const identity = connection && (await readSealedIdentity(deps.db, connection.identityId))
  if (!connection || !identity) throw noConnection(connectionId)
  const network = networkNamed(deps.networks, identity.network)
  const context: ConnectContext = {
    endpoint: (name) => deps.endpoint(identity.network, name, identity),
    setting: (name) => deps.setting(identity.network, name, identity),
    http: deps.httpFor(identity),
    signal: AbortSignal.timeout(ASKING_MS),
    now: deps.now,
  }
  return { connection, network, options: await askOptions(deps, network, context, { ...identity, ...connection }) }
}

/** Asks the network, again with a fresh token when it does not accept the one that there is. */
async function askOptions(
  deps: DefaultsDeps,
  { connect }: Network,
  context: ConnectContext,
  who: { identityId: string; externalId: string; accountType: AccountType },
): Promise<DefaultOptions> {
  if (!connect.options) return {}
  let token = await readToken(deps, who.identityId)
  for (let turn = 0; token; turn++) {
    const outcome = await connect.options(context, { ...who, credentials: token.credentials })
    if (outcome.kind === 'options') return outcome.options
    if (outcome.kind === 'failed' || !outcome.mayRefresh || turn > 0) throw new Refusal(outcome.message)
    const refreshed = await refreshToken(deps, who.identityId, token)
    if (refreshed.kind !== 'token') throw new Refusal(refreshed.message)
    token = refreshed.token
  }
  throw refusal('why:connection_over')
}

const noConnection = (id: string) => new Refusal(`There is no open connection ${id}.`)
