import type { FastifyInstance } from 'fastify'
import { NETWORK_APP_ENDPOINTS } from '#contract'
import {
  type ChangeNetworkAppDeps,
  type CheckNetworkAppDeps,
  checkNetworkApp,
  readNetworkApps,
  removeNetworkApp,
  setNetworkApp,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type NetworkAppRouteDeps = ChangeNetworkAppDeps & CheckNetworkAppDeps

/** The operator's apps on the networks. */
export function networkAppRoutes(server: FastifyInstance, guard: Guard, deps: NetworkAppRouteDeps): void {
  serveRaw(server, guard, NETWORK_APP_ENDPOINTS, {
    'GET /network-apps': (caller) => readNetworkApps(deps, caller),
    'PUT /network-apps/:id': (caller, request) => setNetworkApp(deps, caller, request.params.id, request),
    'DELETE /network-apps/:id': (caller, request) => removeNetworkApp(deps, caller, request.params.id, request),
    'POST /network-apps/:id/check': (caller, { params, query }) => checkNetworkApp(deps, caller, params.id, query),
  })
}
