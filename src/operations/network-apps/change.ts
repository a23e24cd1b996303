import {
  type AskedBody,
  entryAt,
  type NetworkApp,
  type ProblemEntry,
  type RemoveNetworkAppBody,
  refuseBody,
  type SetNetworkAppBody,
} from '#contract'
import { isOfEnvironment, type NetworkAppFacts } from '#networks'
import { deleteNetworkApp, replaceNetworkApp } from '#persistence'
import { type Caller, requireOperator } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { refused } from '../refused.ts'
import { type NetworkAppDeps, readNetworkApp, requireApp } from './read.ts'
import { sealedRow } from './stored.ts'

type Deps = NetworkAppDeps & Pick<OperationDeps, 'identity' | 'refreshApps' | 'log'>

/**
 * Stores the id and secret of an app, replacing the previous ones.
 *
 * @throws ProblemError `request:refused` where the environment sets the app
 * @throws ProblemError `route:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `auth:password_confirmation_failed`, `auth:too_many_attempts`
 */
export async function setNetworkApp(
  deps: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<SetNetworkAppBody>,
): Promise<NetworkApp> {
  const { userId } = requireOperator(caller)
  const app = requireApp(deps, id)
  const given = body.read()
  const values = { id: given.appId.trim(), secret: given.secret?.trim() ?? '' }
  refuseBody([
    ...checkValue('appId', values.id, 'The id'),
    ...(values.secret === '' && !app.secretNeeded ? [] : checkValue('secret', values.secret, 'The secret')),
  ])
  refuseEnvironment(deps, app)
  await confirmPassword(deps, caller, given.password)
  const setBy = { id: userId, name: caller.actor.name }
  await replaceNetworkApp(deps.db, { ...sealedRow(deps.box, app, values), setBy })
  return changed(deps, caller, app, 'An app of a network was set')
}

/**
 * Removes the stored id and secret of an app. Connected accounts stay, but their tokens cannot be renewed without
 * it.
 *
 * @throws ProblemError `request:refused` where the environment sets the app
 * @throws ProblemError as `setNetworkApp`
 */
export async function removeNetworkApp(
  deps: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<RemoveNetworkAppBody>,
): Promise<NetworkApp> {
  requireOperator(caller)
  const app = requireApp(deps, id)
  const { password } = body.read()
  refuseEnvironment(deps, app)
  await confirmPassword(deps, caller, password)
  await deleteNetworkApp(deps.db, app)
  return changed(deps, caller, app, 'An app of a network was removed')
}

async function changed(deps: Deps, caller: Caller, app: NetworkAppFacts, message: string): Promise<NetworkApp> {
  deps.log.info({ app: app.id, by: caller.actor.id }, message)
  await deps.refreshApps()
  return readNetworkApp(deps, app)
}

function refuseEnvironment(deps: NetworkAppDeps, app: NetworkAppFacts): void {
  if (!isOfEnvironment(app, deps.environmentOf(app.network))) return
  throw refused('why:app_of_environment', { title: app.title })
}

/** Ids and secrets have no spaces; what comes with some was copied with something else. */
function checkValue(field: 'appId' | 'secret', value: string, what: string): ProblemEntry[] {
  if (value !== '' && /^[\x21-\x7e]+$/.test(value)) return []
  const words = value === '' ? 'is missing' : 'has a character in it that none has: copy it again, without spaces'
  return [entryAt([field], 'request:invalid_body', `${what} ${words}.`)]
}
