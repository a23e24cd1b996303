import type { FastifyInstance } from 'fastify'
import { ApiKeyBody, ApiKeyConfirmBody, ApiKeyList, ApiKeyUpdateBody, CreatedApiKey, type ErrorCode } from '#contract'
import {
  type ConfirmDeps,
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  listKeysForMember,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { dashboardRoute } from '../dashboard-route.ts'
import type { Guard } from '../route.ts'

export type ApiKeyRouteDeps = ConfirmDeps

/** What is answered when the member's password does not confirm. */
const CONFIRMED: ErrorCode[] = ['request:invalid_body', 'auth:password_confirmation_failed', 'auth:too_many_attempts']
const OF_A_KEY: ErrorCode[] = [...CONFIRMED, 'api-key:not_found']

/** The keys of the account, for those who may manage them. Every change is confirmed with the member's password. */
export function apiKeyRoutes(server: FastifyInstance, guard: Guard, deps: ApiKeyRouteDeps): void {
  const right = 'api-keys:manage'
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/api-keys',
    right,
    status: 200,
    answer: ApiKeyList,
    problems: [],
    handle: (caller) => listKeysForMember(deps, caller),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/api-keys',
    right,
    body: ApiKeyBody,
    status: 201,
    answer: CreatedApiKey,
    problems: [...CONFIRMED, 'api-key:limit_reached'],
    handle: (caller, { body }) => createKeyByMember(deps, caller, body),
  })
  dashboardRoute(server, guard, {
    method: 'PATCH',
    url: '/internal/api-keys/:id',
    right,
    body: ApiKeyUpdateBody,
    status: 204,
    problems: [...OF_A_KEY, 'api-key:limit_reached'],
    handle: (caller, { params, body }) => updateKeyByMember(deps, caller, params.id ?? '', body),
  })
  const verbs = { disable: disableKeyByMember, enable: enableKeyByMember, revoke: revokeKeyByMember }
  for (const [verb, operation] of Object.entries(verbs)) {
    dashboardRoute(server, guard, {
      method: 'POST',
      url: `/internal/api-keys/:id/${verb}`,
      right,
      body: ApiKeyConfirmBody,
      status: 204,
      problems: [...OF_A_KEY, 'api-key:limit_reached'],
      handle: (caller, { params, body }) => operation(deps, caller, params.id ?? '', body),
    })
  }
}
