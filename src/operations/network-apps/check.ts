import type { AskedQuery, NetworkAppCheck, NetworkAppResult } from '#contract'
import { type AppCheckOutcome, networkNamed } from '#networks'
import { type Caller, requireOperator } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { refused } from '../refused.ts'
import { requireApp } from './read.ts'

type Deps = Pick<OperationDeps, 'networks' | 'publicUrl' | 'refreshApps' | 'connectContext'>

/** A network that takes longer to answer is not waited for. */
const CHECK_MS = 10_000

const RESULTS: Readonly<Record<AppCheckOutcome, NetworkAppResult>> = {
  works: 'WORKS',
  'wrong-id': 'WRONG_ID',
  'wrong-secret': 'WRONG_SECRET',
  wrong: 'WRONG',
  unclear: 'UNCLEAR',
  unreachable: 'UNREACHABLE',
}

/**
 * Asks a network whether it knows the app. The answer is put into our own words, because the network's may repeat
 * the refused values.
 *
 * @throws Refusal when there is nothing to check, or no way to
 * @throws ProblemError `route:not_found`, `request:invalid_query`
 */
export async function checkNetworkApp(
  deps: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<NetworkAppCheck> {
  requireOperator(caller)
  const { network: name, title, check, idSetting, secretSetting, secretNeeded } = requireApp(deps, id)
  query.read()
  if (!check) throw refused('why:app_seen_at_sign_in', { title })
  // Another process may have changed it just now.
  await deps.refreshApps()
  const network = networkNamed(deps.networks, name)
  const context = deps.connectContext(network, { service: null, sandbox: false })
  const missing = [idSetting, ...(secretNeeded ? [secretSetting] : [])].some((each) => context.setting(each) === '')
  if (missing) throw refused('why:app_missing', { title })
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(CHECK_MS)])
  const redirectUri = `${deps.publicUrl}/connect/${name}/callback`
  return { result: RESULTS[await check({ ...context, signal }, { redirectUri })] }
}
