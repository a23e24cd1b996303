import {
  ChooseAccountBody,
  ChooseDefaultsBody,
  ChosenDefaults,
  ConnectedAnswer,
  ConnectedSandbox,
  ConnectionCapabilities,
  ConnectionChoices,
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
} from '../connections.ts'
import type { EndpointTable } from '../endpoint.ts'
import { SocialSetQuery } from '../queries.ts'

const right = 'connections:manage'
const PASSWORD = ['auth:password_confirmation_failed', 'auth:too_many_attempts'] as const

/** The network accounts of a social set. */
export const CONNECTION_ENDPOINTS = {
  'GET /connections': {
    query: SocialSetQuery,
    status: 200,
    answer: ConnectionOverview,
    problems: ['social-set:not_found'],
  },
  'GET /connections/attention': {
    status: 200,
    answer: ConnectionsAttention,
    problems: [],
  },
  'POST /connections/password': {
    right,
    body: ConnectPasswordBody,
    touches: ['connections', 'social-sets'],
    status: 201,
    answer: ConnectedAnswer,
    problems: ['social-set:not_found', 'request:invalid_body', 'auth:too_many_attempts'],
  },
  'POST /connections/sandbox': {
    right,
    body: ConnectSandboxBody,
    touches: ['connections', 'social-sets'],
    status: 201,
    answer: ConnectedSandbox,
    problems: ['social-set:not_found', 'request:invalid_body'],
  },
  'GET /connections/:id/defaults': {
    right,
    status: 200,
    answer: ConnectionDefaults,
    problems: ['connection:not_found'],
  },
  'GET /connections/:id/choices': {
    right: 'post-sets:write',
    status: 200,
    answer: ConnectionChoices,
    problems: ['connection:not_found'],
  },
  'GET /connections/:id/capabilities': {
    right: 'post-sets:write',
    status: 200,
    answer: ConnectionCapabilities,
    problems: ['connection:not_found'],
  },
  'PUT /connections/:id/defaults': {
    right,
    body: ChooseDefaultsBody,
    touches: ['connections', 'social-sets'],
    status: 200,
    answer: ChosenDefaults,
    problems: ['connection:not_found', 'request:invalid_body'],
  },
  'POST /connections/:id/reconnect': {
    right,
    touches: [],
    status: 200,
    answer: StartedRenewal,
    problems: ['connection:not_found'],
  },
  'GET /connections/:id/closing': {
    status: 200,
    answer: ConnectionClosing,
    problems: ['connection:not_found'],
  },
  'DELETE /connections/:id': {
    right,
    body: DisconnectBody,
    touches: ['connections', 'social-sets', 'post-sets', 'calendar', 'approvals'],
    status: 200,
    answer: Disconnected,
    problems: ['connection:not_found', 'request:invalid_body', ...PASSWORD],
  },
  'POST /connections/authorizations': {
    right,
    body: StartSignInBody,
    touches: [],
    status: 201,
    answer: StartedSignIn,
    problems: ['social-set:not_found', 'request:invalid_body'],
  },
  'GET /connections/authorizations/:id': {
    right,
    status: 200,
    answer: ConnectionSignIn,
    problems: ['connection:sign_in_not_found'],
  },
  'POST /connections/authorizations/:id/choose': {
    right,
    body: ChooseAccountBody,
    touches: ['connections', 'social-sets'],
    status: 200,
    answer: ConnectedAnswer,
    problems: ['connection:sign_in_not_found', 'request:invalid_body', ...PASSWORD],
  },
} as const satisfies EndpointTable
