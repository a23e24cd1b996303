import { resolve } from 'node:path'
import { type Config, type NetworkSetting, processEnvironment, readConfig } from '#config'
import { loadManifests, type Manifest } from '#networks'

/** What every process begins with: where it is, what is set, what the networks declare. */
export interface Installation {
  projectDir: string
  config: Config
  manifests: readonly Manifest[]
}

/** @throws ConfigError */
export async function loadInstallation(): Promise<Installation> {
  const projectDir = resolve(import.meta.dirname, '../..')
  const manifests = await loadManifests()
  const networkSettings = manifests.flatMap(settingsOf)
  return { projectDir, config: readConfig(processEnvironment(), { projectDir, networkSettings }), manifests }
}

/** The settings that a network declares: its base addresses and its own. */
export function settingsOf(manifest: Manifest): NetworkSetting[] {
  const { name: network } = manifest
  const addresses = Object.values(manifest.endpoints).map((endpoint) => ({
    network,
    setting: endpoint.setting,
    variable: variableOf(network, endpoint.setting),
    fallback: null,
    address: true,
  }))
  const others = Object.entries(manifest.settings).map(([setting, declared]) => ({
    network,
    setting,
    variable: variableOf(network, setting),
    fallback: declared.default ?? null,
    address: false,
    ...(declared.listOf ? { listOf: declared.listOf } : {}),
  }))
  return [...addresses, ...others]
}

/** `ALMANAC_GOOGLE_BUSINESS_API_VERSION` of `google-business` and `apiVersion` or `API_VERSION`. */
export function variableOf(network: string, setting: string): string {
  const name = `${network}_${setting}`.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_')
  return `ALMANAC_${name.toUpperCase()}`
}
