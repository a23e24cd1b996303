import type { EndpointTable } from '../endpoint.ts'
import { NetworkApp, NetworkAppCheck, NetworkApps, RemoveNetworkAppBody, SetNetworkAppBody } from '../network-apps.ts'

const operator = true
const PASSWORD = ['auth:password_confirmation_failed', 'auth:too_many_attempts'] as const

/** The operator's apps on networks. For everyone else these paths do not exist. */
export const NETWORK_APP_ENDPOINTS = {
  'GET /network-apps': {
    operator,
    status: 200,
    answer: NetworkApps,
    problems: [],
  },
  'PUT /network-apps/:id': {
    operator,
    body: SetNetworkAppBody,
    touches: ['network-apps', 'connections'],
    status: 200,
    answer: NetworkApp,
    problems: ['request:invalid_body', ...PASSWORD],
  },
  'DELETE /network-apps/:id': {
    operator,
    body: RemoveNetworkAppBody,
    touches: ['network-apps', 'connections'],
    status: 200,
    answer: NetworkApp,
    problems: ['request:invalid_body', ...PASSWORD],
  },
  'POST /network-apps/:id/check': {
    operator,
    touches: [],
    status: 200,
    answer: NetworkAppCheck,
    problems: [],
  },
} as const satisfies EndpointTable
