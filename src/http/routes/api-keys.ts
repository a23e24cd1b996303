import type { FastifyInstance } from 'fastify'
import { API_KEY_ENDPOINTS } from '#contract'
import {
  type ConfirmDeps,
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  listKeysForMember,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

export type ApiKeyRouteDeps = ConfirmDeps

/** The keys of the account, for those who may manage them. Every change is confirmed with the member's password. */
export function apiKeyRoutes(server: FastifyInstance, guard: Guard, deps: ApiKeyRouteDeps): void {
  serveRaw(server, guard, API_KEY_ENDPOINTS, {
    'GET /api-keys': (caller) => listKeysForMember(deps, caller),
    'POST /api-keys': (caller, { body }) => createKeyByMember(deps, caller, body),
    'PATCH /api-keys/:id': (caller, { params, body }) => updateKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/disable': (caller, { params, body }) => disableKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/enable': (caller, { params, body }) => enableKeyByMember(deps, caller, params.id, body),
    'POST /api-keys/:id/revoke': (caller, { params, body }) => revokeKeyByMember(deps, caller, params.id, body),
  })
}
