import type { AppCheck, Manifest, Network } from './network.ts'

/** An app of the operator on a network, as the settings of its manifest declare it. */
export interface NetworkAppSettings {
  network: string
  /** What the names of its settings begin with: `PAGE_`, or nothing. */
  prefix: string
  /** Names of the settings within the network: `PAGE_CLIENT_ID`, `PAGE_CLIENT_SECRET`. */
  idSetting: string
  secretSetting: string
}

/** The same, with what people and the sign-in have to do with it. */
export interface NetworkAppFacts extends NetworkAppSettings {
  /** `linkedin`; of a further app `linkedin.page`. */
  id: string
  /** For people: `LinkedIn`, `LinkedIn, pages`. */
  title: string
  /** False: accounts can be connected without it. */
  needed: boolean
  /** False: there are apps without one. */
  secretNeeded: boolean
  /** Null: only a sign-in shows whether id and secret are right. */
  check: AppCheck | null
}

/** Id and secret; an app without a secret has an empty one. */
export interface NetworkAppValues {
  id: string
  secret: string
}

const SECRET = /^(?<prefix>(?:\w+_)?)(?:CLIENT|APP)_SECRET$/
const ID_NAMES = ['CLIENT_ID', 'CLIENT_KEY', 'APP_ID']

/** The apps that the settings of a manifest declare: each secret, with the id of the same beginning. */
export function appSettingsOf({ name: network, settings }: Pick<Manifest, 'name' | 'settings'>): NetworkAppSettings[] {
  return Object.entries(settings).flatMap(([secretSetting, { secret }]) => {
    const prefix = secret ? SECRET.exec(secretSetting)?.groups?.prefix : undefined
    if (prefix === undefined) return []
    const idSetting = ID_NAMES.map((name) => prefix + name).find((name) => settings[name])
    return idSetting === undefined ? [] : [{ network, prefix, idSetting, secretSetting }]
  })
}

/** The operator's apps on a network. */
export function networkAppsOf({ manifest, connect }: Network): NetworkAppFacts[] {
  const { name, title, settings } = manifest
  const requires = connect.oauth?.requires ?? []
  const apps = appSettingsOf(manifest)
  return apps.map((app) => {
    const { prefix, idSetting, secretSetting } = app
    const part = prefix.replace(/_$/, '').toLowerCase().replaceAll('_', '-')
    const first = apps.find((each) => each.prefix === '') ?? app
    return {
      ...app,
      id: part === '' ? name : `${name}.${part}`,
      title: settings[idSetting]?.app ?? (part === '' ? title : `${title}, ${part.replaceAll('-', ' ')}`),
      needed: requires.includes(idSetting),
      // A further app is of the same kind as the first one.
      secretNeeded: requires.includes(secretSetting) || requires.includes(first.secretSetting),
      check: connect.oauth?.checks?.[prefix] ?? null,
    }
  })
}

/**
 * The settings of a network with its apps: those of the environment, and of an app of which the environment sets nothing at
 * all, what is stored. Half of one and half of the other would be no app.
 */
export function settingsWithApps(
  apps: readonly NetworkAppSettings[],
  environment: Readonly<Record<string, string>>,
  stored: (prefix: string) => NetworkAppValues | null,
): Readonly<Record<string, string>> {
  const merged: Record<string, string> = { ...environment }
  for (const app of apps) {
    const values = isOfEnvironment(app, environment) ? null : stored(app.prefix)
    if (!values) continue
    merged[app.idSetting] = values.id
    if (values.secret !== '') merged[app.secretSetting] = values.secret
  }
  return merged
}

/** Whether the environment sets an app, or a part of it. */
export function isOfEnvironment(
  { idSetting, secretSetting }: NetworkAppSettings,
  environment: Readonly<Record<string, string>>,
): boolean {
  return [idSetting, secretSetting].some((name) => (environment[name] ?? '') !== '')
}
