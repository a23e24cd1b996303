import { join } from 'node:path'
import type { Config } from '#config'
import type { SecretBox } from '#domain'
import {
  createDiskStore,
  createGuardedFetch,
  createPatience,
  createUrlSigner,
  type GuardedFetch,
  type MediaStore,
  type Patience,
  type UrlSigner,
  userAgentOf,
  withPatience,
} from '#media'
import type { Addresses } from './addresses.ts'
import type { StartGate } from './start-gate.ts'

/** Where media lie, how they are signed for the world, and how files of the world are reached. */
export interface MediaParts {
  store: MediaStore
  urls: UrlSigner
  fetch: GuardedFetch
}

export const mediaDirOf = ({ dataDir }: Config) => join(dataDir, 'media')

/** Whether the database lies in the folder of the data as well, so that one is never there without the other. */
export const keepsAllTogether = ({ databaseUrl }: Config) => databaseUrl === null

export function openMedia(
  config: Config,
  box: SecretBox,
  { publicUrl, sandboxUrl }: Addresses,
  { gate, disk = createPatience() }: { gate: Pick<StartGate, 'through'>; disk?: Patience },
): MediaParts {
  // The sandbox has a picture to try an import with, and is on this machine.
  const sandboxHosts = config.sandbox.on ? [new URL(sandboxUrl).host] : []
  const trustedHosts = [...config.trustedFetchHosts, ...sandboxHosts]
  return {
    store: withPatience(createDiskStore({ dir: mediaDirOf(config), disk }), disk),
    urls: createUrlSigner({ publicUrl, secrets: box.derive('media urls') }),
    fetch: createGuardedFetch({ trustedHosts, userAgent: userAgentOf(publicUrl), through: gate.through }),
  }
}
