import type { FastifyInstance } from 'fastify'
import { Label, pageOf } from '#contract'
import { listLabelPage } from '#operations'
import type { Database } from '#persistence'
import { PageQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'

export interface LabelRouteDeps {
  db: Database
}

export function labelRoutes(server: FastifyInstance, guard: Guard, deps: LabelRouteDeps): void {
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/labels',
    summary: 'List labels',
    description: 'Extension. The labels of the account by name; post sets name them in `labelsId`.',
    tag: 'Labels',
    query: PageQuery,
    status: 200,
    answer: pageOf(Label),
    problems: [],
    handle: (caller, { query }) => listLabelPage(deps, caller, query),
  })
}
