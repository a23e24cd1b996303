import { CannotOpenError, type SecretBox } from '#domain'
import { createSecondStepSecrets } from '#identity'
import {
  type Database,
  type KeyName,
  lockSealedOtherwise,
  lockSecondStepsSealedOtherwise,
  SEALED_COLUMNS,
  type SealedBatch,
  type SealedColumns,
  storeResealed,
  storeResealedSecondStep,
} from '#persistence'

/**
 * Secrets that none of the keys opens. Sign-ins on networks are not counted: they end by themselves within the hour. Nor are
 * addresses of imported calendars and of shared ones, and secrets of webhooks: each calendar, and each attempt to send, reports its own.
 */
export interface Unreadable {
  /** Accounts on networks. */
  identities: number
  /** The operator's apps on networks. */
  networkApps: number
  secondSteps: number
}

const BATCH = 500

/** The names of a box's keys in rows, the encrypting one first. */
export function keyNamesOf(box: SecretBox): [KeyName, ...KeyName[]] {
  const { prefixes } = createSecondStepSecrets(box.derive('sessions'))
  return box.keyIds.map((keyId, at) => ({ keyId, secondStepPrefix: prefixes[at] ?? '' })) as [KeyName]
}

/**
 * Encrypts everything with the first key that was encrypted with another one. Values that no key can decrypt stay as
 * they are.
 */
export async function reseal(trx: Database, box: SecretBox): Promise<{ resealed: number; unreadable: Unreadable }> {
  const [first] = keyNamesOf(box)
  const counts = {
    ...{ network_identities: 0, authorizations: 0, imported_calendars: 0, network_apps: 0 },
    ...{ shared_calendars: 0, webhooks: 0 },
  }
  let resealed = 0
  for (const kind of SEALED_COLUMNS) {
    for await (const row of inBatches((batch) => lockSealedOtherwise(trx, kind, first, batch))) {
      const sealed = resealRow(box, kind.table, row)
      if (sealed) {
        await storeResealed(trx, kind, row.id, sealed)
        resealed += 1
      } else counts[kind.table] += 1
    }
  }
  const steps = createSecondStepSecrets(box.derive('sessions'))
  let secondSteps = 0
  for await (const row of inBatches((batch) => lockSecondStepsSealedOtherwise(trx, first, batch))) {
    const [secret, backupCodes] = await Promise.all([steps.reseal(row.secret), steps.reseal(row.backupCodes)])
    if (secret !== null && backupCodes !== null) {
      await storeResealedSecondStep(trx, { id: row.id, secret, backupCodes })
      resealed += 1
    } else secondSteps += 1
  }
  return {
    resealed,
    unreadable: { identities: counts.network_identities, networkApps: counts.network_apps, secondSteps },
  }
}

function resealRow(
  box: SecretBox,
  table: SealedColumns['table'],
  { id, secret, secretKeyId }: { id: string; secret: Buffer; secretKeyId: string },
): { secret: Buffer; secretKeyId: string } | null {
  const place = `${table}/${id}`
  try {
    const sealed = box.seal(box.open({ bytes: secret, keyId: secretKeyId }, place), place)
    return { secret: sealed.bytes, secretKeyId: sealed.keyId }
  } catch (error) {
    if (error instanceof CannotOpenError) return null
    throw error
  }
}

async function* inBatches<Row extends { id: string }>(
  read: (batch: SealedBatch) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after: string | null = null; ; ) {
    const rows: Row[] = await read({ after, limit: BATCH })
    yield* rows
    after = rows.at(-1)?.id ?? null
    if (rows.length < BATCH) return
  }
}
