import { CannotOpenError, newId, type SecretBox } from '#domain'
import type { NetworkAppSettings, NetworkAppValues } from '#networks'
import { type Database, listNetworkApps, type NetworkAppRow } from '#persistence'

/** An app that is stored, with its values; null: none of the keys opens them. */
export interface StoredNetworkApp extends Pick<NetworkAppRow, 'network' | 'prefix' | 'setByName' | 'setAt'> {
  values: NetworkAppValues | null
}

const placeOf = (id: string) => `network_apps/${id}`

/** The stored apps, decrypted with the keys of the installation. */
export async function readStoredApps(db: Database, box: Pick<SecretBox, 'open'>): Promise<StoredNetworkApp[]> {
  const rows = await listNetworkApps(db)
  return rows.map(({ network, prefix, setByName, setAt, ...sealed }) => {
    return { network, prefix, setByName, setAt, values: opened(box, sealed) }
  })
}

function opened(
  box: Pick<SecretBox, 'open'>,
  { id, secret, secretKeyId }: Pick<NetworkAppRow, 'id' | 'secret' | 'secretKeyId'>,
): NetworkAppValues | null {
  try {
    return JSON.parse(box.open({ bytes: secret, keyId: secretKeyId }, placeOf(id)).toString()) as NetworkAppValues
  } catch (error) {
    if (error instanceof CannotOpenError) return null
    throw error
  }
}

/** A row for an app, with values encrypted for this row only. */
export function sealedRow(
  box: Pick<SecretBox, 'seal'>,
  { network, prefix }: Pick<NetworkAppSettings, 'network' | 'prefix'>,
  values: NetworkAppValues,
): Pick<NetworkAppRow, 'id' | 'network' | 'prefix' | 'secret' | 'secretKeyId'> {
  const id = newId()
  const sealed = box.seal(Buffer.from(JSON.stringify(values)), placeOf(id))
  return { id, network, prefix, secret: sealed.bytes, secretKeyId: sealed.keyId }
}
