import {
  type AccountType,
  type AskedQuery,
  accountTypes,
  type ConnectableType,
  type Connection,
  type ConnectionOverview,
  type ConnectionState,
  type ConnectionsAttention,
  type SocialSetQuery,
} from '#contract'
import { WEEK_MS } from '#contract/durations'
import { defaultsOf, missingDefaults, type Network, networkNamed, signInNamed, signInsOf } from '#networks'
import {
  type ConnectionRow,
  countScheduledSets,
  lastPublishedTimes,
  listConnectionRows,
  listOperatorNames,
  listWorryingConnections,
  readHoldsOfSet,
} from '#persistence'
import { readToken } from '#publishing'
import { readPlacedQuery } from '../asked.ts'
import type { Caller } from '../caller.ts'
import type { MemberConnectionDeps } from './guards.ts'
import { missingSettings, variableOf } from './start-authorization.ts'

/** People hear so long before that an account must be reconnected. */
const SOON_MS = WEEK_MS

/**
 * The open connections of a social set, and which account types can be connected.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readConnections(
  deps: MemberConnectionDeps,
  caller: Caller,
  query: AskedQuery<SocialSetQuery>,
): Promise<ConnectionOverview> {
  const { socialSet } = await readPlacedQuery(deps.db, caller, query)
  const rows = await listConnectionRows(deps.db, socialSet.id)
  const scheduled = await countScheduledSets(deps.db, socialSet.id)
  const published = await lastPublishedTimes(
    deps.db,
    rows.map(({ id }) => id),
  )
  const holds = await readHoldsOfSet(deps.db, { accountId: caller.accountId, socialSetId: socialSet.id })
  const holdOf = new Map(holds.connections.map(({ id, hold }) => [id, hold]))
  const connections = await Promise.all(
    rows.map(async (row): Promise<Connection> => {
      const standing = await standingOf(deps, row)
      const network = networkNamed(deps.networks, row.network)
      return {
        id: row.id,
        accountType: row.accountType,
        name: row.name,
        username: row.username,
        profileUrl: row.profileUrl,
        sandbox: row.sandbox,
        state: standing.state,
        message: standing.message,
        warning: row.status === 'CONNECTED' ? row.statusReason : null,
        signIn: signInNamed(network, row.signIn)?.name ?? null,
        connectedAt: row.connectedAt.toISOString(),
        hold: holdOf.get(row.id) ?? null,
        expiresAt: standing.expiresAt?.toISOString() ?? null,
        missingDefaults: standing.missing,
        scheduledSets: scheduled.get(row.accountType) ?? 0,
        lastPublishedAt: published.get(row.id)?.toISOString() ?? null,
        hasDefaults: defaultsOf(network.manifest, row.accountType).length > 0,
      }
    }),
  )
  const order = (accountType: AccountType) => accountTypes.indexOf(accountType)
  return {
    connections: connections.sort((a, b) => order(a.accountType) - order(b.accountType)),
    accountTypes: accountTypes.flatMap((accountType) => connectable(deps, caller, accountType)),
    operators: await listOperatorNames(deps.db, caller.accountId),
  }
}

/** The connections that must be reconnected, now or soon, in all social sets that the caller sees. */
export async function readConnectionsAttention(
  deps: MemberConnectionDeps,
  caller: Caller,
): Promise<ConnectionsAttention> {
  const rows = await listWorryingConnections(deps.db, caller, new Date(deps.now().getTime() + SOON_MS))
  const all = await Promise.all(rows.map(async (row) => ({ row, ...(await standingOf(deps, row)) })))
  return {
    connections: all.flatMap(({ row, state, message, expiresAt }) => {
      if (state !== 'RECONNECT_REQUIRED' && state !== 'EXPIRES_SOON') return []
      const { id, socialSetId, socialSetName, accountType, name } = row
      const ends = expiresAt?.toISOString() ?? null
      return [{ id, socialSetId, socialSetName, accountType, name, state, message, expiresAt: ends }]
    }),
  }
}

interface Standing {
  state: ConnectionState
  message: string
  expiresAt: Date | null
  missing: { name: string; title: string }[]
}

async function standingOf(deps: MemberConnectionDeps, row: ConnectionRow): Promise<Standing> {
  const network = networkNamed(deps.networks, row.network)
  const fields = missingDefaults(network.manifest, row.accountType, row.defaults)
  const missing = fields.map(({ name, title }) => ({ name, title }))
  const expiresAt = await endOf(deps, network, row)
  const found = { expiresAt, missing }
  const { title } = network.manifest
  const now = deps.now().getTime()
  if (row.status === 'RECONNECT_REQUIRED') {
    return { ...found, state: 'RECONNECT_REQUIRED', message: row.statusReason ?? `${title} wants a new sign-in.` }
  }
  if (expiresAt !== null && expiresAt.getTime() <= now) {
    return { ...found, state: 'RECONNECT_REQUIRED', message: `What ${title} has allowed has ended.` }
  }
  if (missing.length > 0) {
    const names = missing.map((field) => `“${field.title}”`).join(' and ')
    return { ...found, state: 'DEFAULTS_MISSING', message: `Choose ${names} before posts can be scheduled.` }
  }
  if (expiresAt !== null && expiresAt.getTime() <= now + SOON_MS) {
    return { ...found, state: 'EXPIRES_SOON', message: `${title} allows it only until then.` }
  }
  return { ...found, state: 'CONNECTED', message: row.statusReason ?? 'Posts go out through it.' }
}

/** When only a new sign-in helps. Credentials that can be refreshed are, without anybody. */
async function endOf(deps: MemberConnectionDeps, { connect }: Network, row: ConnectionRow): Promise<Date | null> {
  if (row.expiresAt === null || connect.refresh === null) return row.expiresAt
  if (!connect.canRefresh) return null
  const token = await readToken(deps, row.identityId)
  return token && !connect.canRefresh(token.credentials) ? token.expiresAt : null
}

function connectable(deps: MemberConnectionDeps, { member }: Caller, accountType: AccountType): ConnectableType[] {
  const network = deps.networks.serving(accountType)
  if (!network) return []
  const { name, title, settings } = network.manifest
  const context = { setting: (wanted: string) => deps.setting(name, wanted, { sandbox: false }) }
  const ways = signInsOf(network).map((way) => {
    const missing = missingSettings(way.oauth, context)
    const named = missing.map((setting) => ({
      name: variableOf(network, setting),
      description: settings[setting]?.description ?? '',
    }))
    return { ...way, configured: missing.length === 0, missingSettings: member?.operator ? named : [] }
  })
  const ready = ways.find(({ configured }) => configured)
  return [
    {
      accountType,
      network: name,
      title,
      way: network.connect.oauth ? 'SIGN_IN' : 'PASSWORD',
      configured: ways.length === 0 || ready !== undefined,
      missingSettings: ready ? [] : (ways[0]?.missingSettings ?? []),
      sandbox: deps.withSandbox !== null,
      signIns: ways.flatMap(({ name: named, title: words, description, configured, missingSettings: unset }) =>
        named === null ? [] : [{ name: named, title: words, description, configured, missingSettings: unset }],
      ),
    },
  ]
}
