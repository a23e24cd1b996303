import type { FastifyInstance } from 'fastify'
import { CONNECTION_ENDPOINTS } from '#contract'
import {
  chooseConnectionDefaults,
  chooseOfSignIn,
  connectDemoAccounts,
  connectWithPassword,
  disconnect,
  type MemberConnectionDeps,
  readClosing,
  readConnectionDefaults,
  readConnections,
  readConnectionsAttention,
  readSignIn,
  startRenewal,
  startSignIn,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type ConnectionRouteDeps = MemberConnectionDeps

/** The accounts of networks that a social set is connected to. */
export function connectionRoutes(server: FastifyInstance, guard: Guard, deps: ConnectionRouteDeps): void {
  serveRaw(server, guard, CONNECTION_ENDPOINTS, {
    'GET /connections': (caller, { query }) => readConnections(deps, caller, query),
    'GET /connections/attention': (caller) => readConnectionsAttention(deps, caller),
    'POST /connections/password': (caller, request) => connectWithPassword(deps, caller, request),
    'POST /connections/sandbox': (caller, request) => connectDemoAccounts(deps, caller, request),
    'GET /connections/:id/defaults': (caller, request) => readConnectionDefaults(deps, caller, request.params.id),
    'PUT /connections/:id/defaults': (caller, request) =>
      chooseConnectionDefaults(deps, caller, request.params.id, request),
    'POST /connections/:id/reconnect': (caller, request) =>
      startRenewal(deps, caller, request.params.id, request.query),
    'GET /connections/:id/closing': (caller, request) => readClosing(deps, caller, request.params.id),
    'DELETE /connections/:id': (caller, request) => disconnect(deps, caller, request.params.id, request),
    'POST /connections/authorizations': (caller, request) => startSignIn(deps, caller, request),
    'GET /connections/authorizations/:id': (caller, request) => readSignIn(deps, caller, request.params.id),
    'POST /connections/authorizations/:id/choose': (caller, request) =>
      chooseOfSignIn(deps, caller, request.params.id, request),
  })
}
