import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  ChooseAccountBody,
  ChooseDefaultsBody,
  ChosenDefaults,
  ConnectedAnswer,
  ConnectedSandbox,
  ConnectionClosing,
  ConnectionDefaults,
  ConnectionOverview,
  ConnectionSignIn,
  ConnectionsAttention,
  ConnectPasswordBody,
  ConnectSandboxBody,
  DisconnectBody,
  Disconnected,
  StartedRenewal,
  StartedSignIn,
  StartSignInBody,
} from '#contract'
import {
  chooseConnectionDefaults,
  chooseOfSignIn,
  connectPretendAccounts,
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
import { dashboardRoute } from '../dashboard-route.ts'
import { type Guard, idOf } from '../route.ts'

export type ConnectionRouteDeps = MemberConnectionDeps

const RIGHT = 'connections:manage'
const PASSWORD = ['auth:password_confirmation_failed', 'auth:too_many_attempts'] as const

/** The accounts of networks that a social set is connected to. */
export function connectionRoutes(server: FastifyInstance, guard: Guard, deps: ConnectionRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/connections',
    query: Type.Object({ socialSetId: Type.String() }),
    status: 200,
    answer: ConnectionOverview,
    problems: ['social-set:not_found'],
    handle: (caller, { query }) => readConnections(deps, caller, query),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/connections/attention',
    status: 200,
    answer: ConnectionsAttention,
    problems: [],
    handle: (caller) => readConnectionsAttention(deps, caller),
  })
  signInRoutes(server, guard, deps)
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/connections/password',
    right: RIGHT,
    body: ConnectPasswordBody,
    status: 201,
    answer: ConnectedAnswer,
    problems: ['social-set:not_found', 'request:invalid_body', 'auth:too_many_attempts'],
    handle: (caller, request) => connectWithPassword(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/connections/sandbox',
    right: RIGHT,
    body: ConnectSandboxBody,
    status: 201,
    answer: ConnectedSandbox,
    problems: ['social-set:not_found', 'request:invalid_body'],
    handle: (caller, request) => connectPretendAccounts(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/connections/:id/defaults',
    right: RIGHT,
    status: 200,
    answer: ConnectionDefaults,
    problems: ['connection:not_found'],
    handle: (caller, request) => readConnectionDefaults(deps, caller, idOf(request)),
  })
  dashboardRoute(server, guard, {
    method: 'PUT',
    url: '/internal/connections/:id/defaults',
    right: RIGHT,
    body: ChooseDefaultsBody,
    status: 200,
    answer: ChosenDefaults,
    problems: ['connection:not_found', 'request:invalid_body'],
    handle: (caller, request) => chooseConnectionDefaults(deps, caller, idOf(request), request),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/connections/:id/reconnect',
    right: RIGHT,
    status: 200,
    answer: StartedRenewal,
    problems: ['connection:not_found'],
    handle: (caller, request) => startRenewal(deps, caller, idOf(request), request.query),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/connections/:id/closing',
    status: 200,
    answer: ConnectionClosing,
    problems: ['connection:not_found'],
    handle: (caller, request) => readClosing(deps, caller, idOf(request)),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/connections/:id',
    right: RIGHT,
    body: DisconnectBody,
    status: 200,
    answer: Disconnected,
    problems: ['connection:not_found', 'request:invalid_body', ...PASSWORD],
    handle: (caller, request) => disconnect(deps, caller, idOf(request), request),
  })
}

/** Sign-ins on the networks' own pages. */
function signInRoutes(server: FastifyInstance, guard: Guard, deps: ConnectionRouteDeps): void {
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/connections/authorizations',
    right: RIGHT,
    body: StartSignInBody,
    status: 201,
    answer: StartedSignIn,
    problems: ['social-set:not_found', 'request:invalid_body'],
    handle: (caller, request) => startSignIn(deps, caller, request),
  })
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/connections/authorizations/:id',
    right: RIGHT,
    status: 200,
    answer: ConnectionSignIn,
    problems: ['connection:sign_in_not_found'],
    handle: (caller, request) => readSignIn(deps, caller, idOf(request)),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/connections/authorizations/:id/choose',
    right: RIGHT,
    body: ChooseAccountBody,
    status: 200,
    answer: ConnectedAnswer,
    problems: ['connection:sign_in_not_found', 'request:invalid_body', ...PASSWORD],
    handle: (caller, request) => chooseOfSignIn(deps, caller, idOf(request), request),
  })
}
