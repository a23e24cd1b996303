import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { Right } from '#contract'
import type { Caller } from '#operations'
import { DASHBOARD_COMMON, type Guard, type InterfaceRequest, type InterfaceRoute, registerRoute } from './route.ts'

export interface DashboardRoute<Answer extends TSchema = TSchema>
  extends Omit<InterfaceRoute<Answer>, 'method' | 'summary' | 'tag' | 'scope' | 'operationId' | 'handle'> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Checked before the body is read; the operation checks it too. */
  right?: Right
  handle(caller: Caller, request: InterfaceRequest): Promise<unknown>
}

/** Registers a route below /internal/ for members who are signed in; the interface does not have it. */
export function dashboardRoute<Answer extends TSchema>(
  server: FastifyInstance,
  guard: Guard,
  { right, handle, ...route }: DashboardRoute<Answer>,
): void {
  registerRoute(server, guard, {
    ...route,
    ...(right ? { right } : {}),
    common: DASHBOARD_COMMON,
    async handle(caller, request) {
      if (!caller) throw new Error('A route of the dashboard was reached without a member.')
      return handle(caller, request)
    },
  })
}

/** Registers a route below /internal/ that nobody has to be signed in for. Passwords and tokens are its credentials. */
export function openRoute<Answer extends TSchema>(
  server: FastifyInstance,
  guard: Guard,
  {
    handle,
    ...route
  }: Omit<DashboardRoute<Answer>, 'handle' | 'right'> & { handle(request: InterfaceRequest): Promise<unknown> },
): void {
  registerRoute(server, guard, {
    ...route,
    open: true,
    common: DASHBOARD_COMMON,
    handle: (_, request) => handle(request),
  })
}
