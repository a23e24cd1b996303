import { ApiKeyBody, ApiKeyCalls, ApiKeyConfirmBody, ApiKeyList, ApiKeyUpdateBody, CreatedApiKey } from '../api-keys.ts'
import type { EndpointTable } from '../endpoint.ts'

/** The member's password did not confirm. */
const CONFIRMED = ['request:invalid_body', 'auth:password_confirmation_failed', 'auth:too_many_attempts'] as const
const OF_A_KEY = [...CONFIRMED, 'api-key:not_found'] as const
const right = 'api-keys:manage'

/** The keys of the account. Every change is confirmed with the member's password. */
export const API_KEY_ENDPOINTS = {
  'GET /api-keys': {
    right,
    status: 200,
    answer: ApiKeyList,
    problems: [],
  },
  'GET /api-keys/:id/calls': {
    right,
    status: 200,
    answer: ApiKeyCalls,
    problems: ['api-key:not_found'],
  },
  'POST /api-keys': {
    right,
    body: ApiKeyBody,
    touches: ['api-keys', 'plan'],
    status: 201,
    answer: CreatedApiKey,
    problems: [...CONFIRMED, 'api-key:limit_reached', 'plan:approvals_not_available'],
  },
  'PATCH /api-keys/:id': {
    right,
    body: ApiKeyUpdateBody,
    touches: ['api-keys', 'plan'],
    status: 204,
    problems: [...OF_A_KEY, 'api-key:limit_reached', 'plan:approvals_not_available'],
  },
  'POST /api-keys/:id/disable': {
    right,
    body: ApiKeyConfirmBody,
    touches: ['api-keys', 'plan'],
    status: 204,
    problems: [...OF_A_KEY, 'api-key:limit_reached'],
  },
  'POST /api-keys/:id/enable': {
    right,
    body: ApiKeyConfirmBody,
    touches: ['api-keys', 'plan'],
    status: 204,
    problems: [...OF_A_KEY, 'api-key:limit_reached'],
  },
  'POST /api-keys/:id/rotate': {
    right,
    body: ApiKeyConfirmBody,
    touches: ['api-keys', 'plan', 'webhooks'],
    status: 201,
    answer: CreatedApiKey,
    problems: [...OF_A_KEY, 'api-key:limit_reached'],
  },
  'POST /api-keys/:id/revoke': {
    right,
    body: ApiKeyConfirmBody,
    touches: ['api-keys', 'plan', 'webhooks'],
    status: 204,
    problems: [...OF_A_KEY, 'api-key:limit_reached'],
  },
} as const satisfies EndpointTable
