import { sql } from 'kysely'
import type { Database } from './database.ts'

const IN_SECRET = { secret: 'secret', keyId: 'secret_key_id' } as const

/** Secrets that are sealed for their row (`<table>/<id>`), and the id of the key that sealed them: their tables and columns. */
export const SEALED_COLUMNS = [
  { table: 'network_identities', ...IN_SECRET },
  { table: 'authorizations', ...IN_SECRET },
  { table: 'imported_calendars', ...IN_SECRET },
  { table: 'network_apps', ...IN_SECRET },
  { table: 'shared_calendars', ...IN_SECRET },
  { table: 'webhooks', ...IN_SECRET },
  // The one before.
  { table: 'webhooks', secret: 'old_secret', keyId: 'old_secret_key_id' },
] as const
export type SealedColumns = (typeof SEALED_COLUMNS)[number]

/** How rows name a key: its id, and what second steps begin with that it has encrypted. */
export interface KeyName {
  keyId: string
  secondStepPrefix: string
}

/** Secrets of rows that are sealed with other keys. */
interface SealedOtherwise {
  identities: number
  authorizations: number
  calendars: number
  networkApps: number
  sharedCalendars: number
  webhooks: number
  secondSteps: number
}

/** How many secrets are sealed with none of these keys. */
export async function countSealedOtherwise(db: Database, keys: readonly KeyName[]): Promise<SealedOtherwise> {
  const ids = keys.map(({ keyId }) => keyId)
  const prefixes = keys.map(({ secondStepPrefix }) => secondStepPrefix)
  const { rows } = await sql<SealedOtherwise>`
    select
      (select count(*) from network_identities where secret_key_id <> all(${ids}::text[]))::int as identities,
      (select count(*) from authorizations where secret_key_id <> all(${ids}::text[]))::int as authorizations,
      (select count(*) from imported_calendars where secret_key_id <> all(${ids}::text[]))::int as calendars,
      (select count(*) from network_apps where secret_key_id <> all(${ids}::text[]))::int as "networkApps",
      (select count(*) from shared_calendars where secret_key_id <> all(${ids}::text[]))::int as "sharedCalendars",
      (select count(*) from webhooks
        where secret_key_id <> all(${ids}::text[]) or old_secret_key_id <> all(${ids}::text[]))::int as webhooks,
      (select count(*) from two_factors where not exists (
        select from unnest(${prefixes}::text[]) as prefix
        where starts_with(secret, prefix) and starts_with(backup_codes, prefix)))::int as "secondSteps"`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('A count gave no row.')
  return counts
}

/** Which rows are locked, in the order of their ids: at most so many, after the last ones. */
export interface SealedBatch {
  after: string | null
  limit: number
}

/** Rows whose secret another key has sealed, locked until the transaction ends. */
export async function lockSealedOtherwise(
  trx: Database,
  { table, secret, keyId: ofKey }: SealedColumns,
  { keyId }: KeyName,
  { after, limit }: SealedBatch,
): Promise<{ id: string; secret: Buffer; secretKeyId: string }[]> {
  const { rows } = await sql<{ id: string; secret: Buffer; secretKeyId: string }>`
    select id, ${sql.ref(secret)} as secret, ${sql.ref(ofKey)} as "secretKeyId" from ${sql.table(table)}
    where ${sql.ref(ofKey)} <> ${keyId} and ${sql.ref(secret)} is not null and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit} for update`.execute(trx)
  return rows
}

/** Stores the same secret sealed with another key. */
export async function storeResealed(
  trx: Database,
  { table, secret, keyId }: SealedColumns,
  id: string,
  sealed: { secret: Buffer; secretKeyId: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(secret)} = ${sealed.secret}, ${sql.ref(keyId)} = ${sealed.secretKeyId}
    where id = ${id}::uuid`.execute(trx)
}

/** Second steps that another key has encrypted, locked until the transaction ends. */
export async function lockSecondStepsSealedOtherwise(
  trx: Database,
  { secondStepPrefix }: KeyName,
  { after, limit }: SealedBatch,
): Promise<{ id: string; secret: string; backupCodes: string }[]> {
  const isOfFirst = (column: 'secret' | 'backup_codes') =>
    sql<boolean>`starts_with(${sql.ref(column)}, ${secondStepPrefix})`
  return trx
    .selectFrom('two_factors')
    .select(['id', 'secret', 'backup_codes as backupCodes'])
    .where(({ not, and }) => not(and([isOfFirst('secret'), isOfFirst('backup_codes')])))
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function storeResealedSecondStep(
  trx: Database,
  { id, secret, backupCodes }: { id: string; secret: string; backupCodes: string },
): Promise<void> {
  await trx.updateTable('two_factors').set({ secret, backup_codes: backupCodes }).where('id', '=', id).execute()
}
