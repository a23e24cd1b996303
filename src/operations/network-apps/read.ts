import { type NetworkApp, type NetworkApps, ProblemError } from '#contract'
import { isOfEnvironment, type NetworkAppFacts, networkAppsOf, networkNamed } from '#networks'
import { type Caller, requireOperator } from '../caller.ts'
import { variableOf } from '../connections/start-authorization.ts'
import type { OperationDeps } from '../deps.ts'
import { readStoredApps, type StoredNetworkApp } from './stored.ts'

export type NetworkAppDeps = Pick<OperationDeps, 'db' | 'networks' | 'box' | 'publicUrl' | 'environmentOf'>

/**
 * The operator's apps on networks, by network: what is set, where and by whom. Never a secret.
 *
 * @throws ProblemError `route:not_found` for everybody who is no operator
 */
export async function readNetworkApps(deps: NetworkAppDeps, caller: Caller): Promise<NetworkApps> {
  requireOperator(caller)
  const stored = await readStoredApps(deps.db, deps.box)
  const facts = deps.networks.all.flatMap(networkAppsOf)
  const apps = facts.map((app) => shown(deps, app, stored)).sort((a, b) => a.title.localeCompare(b.title, 'en'))
  return { apps, publicUrl: deps.publicUrl, secure: deps.publicUrl.startsWith('https:') }
}

/** The current state of one app. */
export async function readNetworkApp(deps: NetworkAppDeps, app: NetworkAppFacts): Promise<NetworkApp> {
  return shown(deps, app, await readStoredApps(deps.db, deps.box))
}

/** @throws ProblemError `route:not_found` for an id that no network declares */
export function requireApp({ networks }: Pick<NetworkAppDeps, 'networks'>, id: string): NetworkAppFacts {
  const found = networks.all.flatMap(networkAppsOf).find((app) => app.id === id)
  if (!found) throw new ProblemError('route:not_found', `There is no network app ${id}.`)
  return found
}

function shown(deps: NetworkAppDeps, app: NetworkAppFacts, all: readonly StoredNetworkApp[]): NetworkApp {
  const { network, prefix, idSetting, secretSetting } = app
  const { manifest } = networkNamed(deps.networks, network)
  const description = (setting: string) => manifest.settings[setting]?.description ?? ''
  const variable = (setting: string) => variableOf({ manifest }, setting)
  const environment = deps.environmentOf(network)
  const ofEnvironment = isOfEnvironment(app, environment)
  const stored = all.find((each) => each.network === network && each.prefix === prefix)
  const set = (setting: string) => (environment[setting] ?? '') !== ''
  const required = [idSetting, ...(app.secretNeeded ? [secretSetting] : [])]
  const [appId, secretSet] = ofEnvironment
    ? [environment[idSetting] ?? null, set(secretSetting)]
    : [stored?.values?.id ?? null, (stored?.values?.secret ?? '') !== '']
  return {
    id: app.id,
    network,
    accountTypes: [...manifest.accountTypes],
    title: app.title,
    needed: app.needed,
    callbackUrl: `${deps.publicUrl}/connect/${network}/callback`,
    idVariable: variable(idSetting),
    idDescription: description(idSetting),
    secretVariable: variable(secretSetting),
    secretDescription: description(secretSetting),
    secretNeeded: app.secretNeeded,
    source: ofEnvironment ? 'ENVIRONMENT' : !stored ? 'NONE' : stored.values ? 'STORED' : 'UNREADABLE',
    appId,
    secretSet,
    missingVariables: ofEnvironment ? required.filter((setting) => !set(setting)).map(variable) : [],
    setAt: ofEnvironment ? null : (stored?.setAt.toISOString() ?? null),
    setBy: ofEnvironment ? null : (stored?.setByName ?? null),
    checkable: app.check !== null,
  }
}
