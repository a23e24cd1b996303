import type { FastifyInstance } from 'fastify'
import { Label, LabelBody, LabelMergeBody, LabelUpdateBody, LabelUsageList, pageOf } from '#contract'
import { createLabelByMember, listLabelPage, listLabelUsage, mergeLabel, removeLabel, updateLabel } from '#operations'
import type { Database } from '#persistence'
import { dashboardRoute } from '../dashboard-route.ts'
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
  dashboardRoute(server, guard, {
    method: 'GET',
    url: '/internal/labels/usage',
    status: 200,
    answer: LabelUsageList,
    problems: [],
    handle: (caller) => listLabelUsage(deps, caller),
  })
  const right = 'labels:manage'
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/labels',
    right,
    body: LabelBody,
    status: 201,
    answer: Label,
    problems: ['request:invalid_body', 'label:name_taken'],
    handle: (caller, { body }) => createLabelByMember(deps, caller, body),
  })
  dashboardRoute(server, guard, {
    method: 'PATCH',
    url: '/internal/labels/:id',
    right,
    body: LabelUpdateBody,
    status: 200,
    answer: Label,
    problems: ['request:invalid_body', 'label:not_found', 'label:name_taken'],
    handle: (caller, { params, body }) => updateLabel(deps, caller, params.id ?? '', body),
  })
  dashboardRoute(server, guard, {
    method: 'POST',
    url: '/internal/labels/:id/merge',
    right,
    body: LabelMergeBody,
    status: 200,
    answer: Label,
    problems: ['request:invalid_body', 'label:not_found'],
    handle: (caller, { params, body }) => mergeLabel(deps, caller, params.id ?? '', body),
  })
  dashboardRoute(server, guard, {
    method: 'DELETE',
    url: '/internal/labels/:id',
    right,
    status: 204,
    problems: ['label:not_found'],
    handle: (caller, { params }) => removeLabel(deps, caller, params.id ?? ''),
  })
}
