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
import { type Guard, serve } from '../route.ts'

export type ConnectionRouteDeps = MemberConnectionDeps

/** The accounts of networks that a social set is connected to. */
export function connectionRoutes(server: FastifyInstance, guard: Guard, deps: ConnectionRouteDeps): void {
  serve(server, guard, CONNECTION_ENDPOINTS, {
    'GET /connections': (caller, { query }) => readConnections(deps, caller, query),
    'GET /connections/attention': (caller) => readConnectionsAttention(deps, caller),
    'POST /connections/password': (caller, { body }) => connectWithPassword(deps, caller, body),
    'POST /connections/sandbox': (caller, { body }) => connectDemoAccounts(deps, caller, body),
    'GET /connections/:id/defaults': (caller, { params }) => readConnectionDefaults(deps, caller, params.id),
    'PUT /connections/:id/defaults': (caller, { params, body }) =>
      chooseConnectionDefaults(deps, caller, params.id, body),
    'POST /connections/:id/reconnect': (caller, { params, query }) => startRenewal(deps, caller, params.id, query),
    'GET /connections/:id/closing': (caller, { params }) => readClosing(deps, caller, params.id),
    'DELETE /connections/:id': (caller, { params, body }) => disconnect(deps, caller, params.id, body),
    'POST /connections/authorizations': (caller, { body }) => startSignIn(deps, caller, body),
    'GET /connections/authorizations/:id': (caller, { params }) => readSignIn(deps, caller, params.id),
    'POST /connections/authorizations/:id/choose': (caller, { params, body }) =>
      chooseOfSignIn(deps, caller, params.id, body),
  })
}
