import { sql } from 'kysely'
import type { AccountType, ConnectionStatus } from '#contract'
import { type Database, now } from './database.ts'
import { endHoldOfConnection } from './holds.ts'
import { isVisible, type Visible } from './visible.ts'

/** How an account of a network presents itself when it is connected. */
export interface ConnectionFace {
  name: string
  username: string | null
  profileUrl: string | null
  avatarUrl: string | null
  /** What may keep posts from going out although it is connected, for people. */
  statusReason: string | null
  /** The way by which its secrets came, on networks that have several; null and absent: the first one. */
  signIn?: string | null
}

interface NewConnection extends ConnectionFace {
  id: string
  accountId: string
  socialSetId: string
  identityId: string
  accountType: AccountType
  defaults: Readonly<Record<string, unknown>>
}

export interface ListedConnection extends ConnectionFace {
  id: string
  socialSetId: string
  accountType: AccountType
  network: string
  sandbox: boolean
  status: ConnectionStatus
  connectedAt: Date
  closedAt: Date | null
}

export async function insertConnection(trx: Database, connection: NewConnection): Promise<void> {
  await trx
    .insertInto('connections')
    .values({
      id: connection.id,
      account_id: connection.accountId,
      social_set_id: connection.socialSetId,
      identity_id: connection.identityId,
      account_type: connection.accountType,
      name: connection.name,
      username: connection.username,
      profile_url: connection.profileUrl,
      avatar_url: connection.avatarUrl,
      status_reason: connection.statusReason,
      sign_in: connection.signIn ?? null,
      defaults: JSON.stringify(connection.defaults),
      closed_at: null,
    })
    .execute()
}

interface OpenConnection {
  id: string
  accountType: AccountType
  identityId: string
  /** The network's own id of the account. */
  externalId: string
  name: string
  /** Publishing defaults. */
  defaults: Readonly<Record<string, unknown>>
}

/** The open connections of a social set. */
export async function openConnections(db: Database, socialSetId: string): Promise<OpenConnection[]> {
  return db
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .select([
      'connections.id',
      'connections.account_type as accountType',
      'connections.identity_id as identityId',
      'network_identities.external_id as externalId',
      'connections.name',
      'connections.defaults',
    ])
    .where('connections.social_set_id', '=', socialSetId)
    .where('connections.closed_at', 'is', null)
    .execute()
}

/** Whether an account of a network has an open connection that the caller does not see. */
export async function isConnectedUnseen(
  db: Database,
  wanted: { accountId: string; network: string; externalId: string },
  visible: Visible,
): Promise<boolean> {
  const columns = { account: 'connections.account_id', socialSet: 'connections.social_set_id' }
  const row = await db
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .select('connections.id')
    .where('network_identities.account_id', '=', wanted.accountId)
    .where('network_identities.network', '=', wanted.network)
    .where('network_identities.external_id', '=', wanted.externalId)
    .where('connections.closed_at', 'is', null)
    .where(sql<boolean>`not (${isVisible(visible, columns)})`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** After a new sign-in: every open connection of the identity works again and shows how the account presents itself. */
export async function reviveConnections(trx: Database, identityId: string, face: ConnectionFace): Promise<void> {
  await trx
    .updateTable('connections')
    .set({
      name: face.name,
      username: face.username,
      profile_url: face.profileUrl,
      avatar_url: face.avatarUrl,
      status: 'CONNECTED',
      status_reason: face.statusReason,
      sign_in: face.signIn ?? null,
      connected_at: now,
    })
    .where('identity_id', '=', identityId)
    .where('closed_at', 'is', null)
    .execute()
}

/** An open connection with what choosing its publishing defaults needs; its row stays locked with `lock`. */
export async function findOpenConnection(
  db: Database,
  id: string,
  options: { lock: boolean },
): Promise<{
  id: string
  accountId: string
  identityId: string
  accountType: AccountType
  name: string
  defaults: Readonly<Record<string, unknown>>
} | null> {
  const query = db
    .selectFrom('connections')
    .select([
      'id',
      'account_id as accountId',
      'identity_id as identityId',
      'account_type as accountType',
      'name',
      'defaults',
    ])
    .where('id', '=', id)
    .where('closed_at', 'is', null)
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst()
  return row ?? null
}

/** Whether a connection is open; if so, it stays open until the transaction ends. */
export async function keepOpen(trx: Database, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Takes over what a network reports for an account into the publishing defaults of its open connections. */
export async function storeFacts(
  db: Database,
  identityId: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const known = sql`${JSON.stringify(facts)}::jsonb`
  await db
    .updateTable('connections')
    .set({ defaults: sql`defaults || ${known}` })
    .where('identity_id', '=', identityId)
    .where('closed_at', 'is', null)
    // A row that says so already is no change that screens hear of.
    .where(sql<boolean>`not defaults @> ${known}`)
    .execute()
}

/** Replaces the publishing defaults of a connection. */
export async function writeDefaults(
  trx: Database,
  id: string,
  defaults: Readonly<Record<string, unknown>>,
): Promise<void> {
  await trx
    .updateTable('connections')
    .set({ defaults: JSON.stringify(defaults) })
    .where('id', '=', id)
    .execute()
}

/**
 * Closes an open connection. Its hold ends with it; with `keepHold` it stays open, for `moveHold` in the same transaction.
 * False when there is no open connection of that id.
 */
export async function closeConnection(
  trx: Database,
  id: string,
  { keepHold = false }: { keepHold?: boolean } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('connections')
    .set({ closed_at: now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!keepHold) await endHoldOfConnection(trx, id)
  return numUpdatedRows === 1n
}

/** The connections of an account, open ones first, then by social set and account type. */
export async function listConnections(
  db: Database,
  accountId: string,
  options: { socialSetId: string | null; closed: boolean },
): Promise<ListedConnection[]> {
  let query = db
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .select([
      'connections.id',
      'connections.social_set_id as socialSetId',
      'connections.account_type as accountType',
      'network_identities.network',
      'network_identities.sandbox',
      'connections.name',
      'connections.username',
      'connections.profile_url as profileUrl',
      'connections.avatar_url as avatarUrl',
      'connections.status',
      'connections.status_reason as statusReason',
      'connections.sign_in as signIn',
      'connections.connected_at as connectedAt',
      'connections.closed_at as closedAt',
    ])
    .where('connections.account_id', '=', accountId)
  if (options.socialSetId !== null) query = query.where('connections.social_set_id', '=', options.socialSetId)
  if (!options.closed) query = query.where('connections.closed_at', 'is', null)
  return query
    .orderBy('connections.closed_at', (order) => order.asc().nullsFirst())
    .orderBy('connections.social_set_id')
    .orderBy('connections.account_type')
    .orderBy('connections.id')
    .execute()
}

export interface NetworkConnection {
  id: string
  accountType: AccountType
  identityId: string
  sandbox: boolean
  name: string
  username: string | null
  /** Publishing defaults. */
  defaults: Readonly<Record<string, unknown>>
}

/** The open connections of a network, over all accounts; of real accounts first. */
export async function listNetworkConnections(db: Database, network: string): Promise<NetworkConnection[]> {
  return db
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .select([
      'connections.id',
      'connections.account_type as accountType',
      'connections.identity_id as identityId',
      'network_identities.sandbox',
      'connections.name',
      'connections.username',
      'connections.defaults',
    ])
    .where('network_identities.network', '=', network)
    .where('connections.closed_at', 'is', null)
    .orderBy('network_identities.sandbox')
    .orderBy('connections.id')
    .execute()
}

/** The networks that open connections lead to, without the sandbox. */
export async function connectedNetworks(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('network_identities')
    .select('network')
    .distinct()
    .where('sandbox', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('connections')
          .select('connections.id')
          .whereRef('connections.identity_id', '=', 'network_identities.id')
          .where('closed_at', 'is', null),
      ),
    )
    .orderBy('network')
    .execute()
  return rows.map(({ network }) => network)
}

/** How many open connections lead to the sandbox. */
export async function countSandboxConnections(db: Database): Promise<number> {
  const row = await db
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('connections.closed_at', 'is', null)
    .where('network_identities.sandbox', '=', true)
    .executeTakeFirst()
  return row?.count ?? 0
}
