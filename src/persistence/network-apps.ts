import { type Database, now } from './database.ts'
import { type Listener, openListener } from './listener.ts'

/** An app of the operator on a network, as it is stored. */
export interface NetworkAppRow {
  id: string
  network: string
  /** What the names of its settings begin with: `PAGE_`, or nothing. */
  prefix: string
  /** Id and secret, sealed for this row. */
  secret: Buffer
  secretKeyId: string
  /** Name of the operator who set it. */
  setByName: string
  setAt: Date
}

/** All apps that are stored. */
export function listNetworkApps(db: Database): Promise<NetworkAppRow[]> {
  return db
    .selectFrom('network_apps')
    .select([
      'id',
      'network',
      'prefix',
      'secret',
      'secret_key_id as secretKeyId',
      'set_by_name as setByName',
      'set_at as setAt',
    ])
    .orderBy('network')
    .orderBy('prefix')
    .execute()
}

/**
 * Stores an app in the place of what was stored of it. The row of before goes: what is sealed for one row opens in no other.
 */
export async function replaceNetworkApp(
  trx: Database,
  app: Pick<NetworkAppRow, 'id' | 'network' | 'prefix' | 'secret' | 'secretKeyId'> & {
    setBy: { id: string; name: string }
  },
): Promise<void> {
  const { id, network, prefix, secret, secretKeyId, setBy } = app
  const values = { id, secret, secret_key_id: secretKeyId, set_by: setBy.id, set_by_name: setBy.name }
  await trx
    .insertInto('network_apps')
    .values({ ...values, network, prefix })
    .onConflict((conflict) => conflict.columns(['network', 'prefix']).doUpdateSet({ ...values, set_at: now }))
    .execute()
}

/** Removes what is stored of an app. */
export async function deleteNetworkApp(
  trx: Database,
  { network, prefix }: Pick<NetworkAppRow, 'network' | 'prefix'>,
): Promise<void> {
  await trx.deleteFrom('network_apps').where('network', '=', network).where('prefix', '=', prefix).execute()
}

/** Makes a user an operator of the installation, or takes that away. */
export async function markOperator(db: Database, userId: string, isOperator: boolean): Promise<void> {
  await db.updateTable('users').set({ is_operator: isOperator, updated_at: now }).where('id', '=', userId).execute()
}

/** Who operates the installation. */
export async function listOperators(db: Database): Promise<{ id: string; email: string }[]> {
  return db.selectFrom('users').select(['id', 'email']).where('is_operator', '=', true).orderBy('email').execute()
}

/** Names of the members of an account who operate the installation, in alphabetical order. */
export async function listOperatorNames(db: Database, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.name')
    .where('memberships.account_id', '=', accountId)
    .where('users.is_operator', '=', true)
    .orderBy('users.name')
    .execute()
  return rows.map(({ name }) => name)
}

/**
 * Hears when an app was stored or removed, on a connection of its own, which is made again when it is lost. `onChange` is also
 * called when listening begins: what came before was not heard.
 */
export function listenForNetworkApps(
  url: string | null,
  { onChange, onLost }: { onChange(): void; onLost(error: unknown): void },
): Listener {
  return openListener(url, {
    channel: 'almanac_network_apps',
    name: 'almanac-network-apps',
    onMessage: onChange,
    onListening: onChange,
    onLost,
  })
}
