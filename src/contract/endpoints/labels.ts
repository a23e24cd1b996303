import type { EndpointTable } from '../endpoint.ts'
import { Label, LabelBody, LabelMergeBody, LabelUpdateBody, LabelUsageList } from '../labels.ts'
import { pageOf } from '../pages.ts'
import { PageQuery } from '../queries.ts'

const right = 'labels:manage'

/** Labels of the account. */
export const LABEL_ENDPOINTS = {
  'GET /labels': {
    api: {
      tag: 'Labels',
      summary: 'List labels',
      description: 'Extension. The labels of the account by name; post sets refer to them in `labelsId`.',
    },
    query: PageQuery,
    status: 200,
    answer: pageOf(Label),
    problems: [],
  },
  'GET /labels/usage': {
    status: 200,
    answer: LabelUsageList,
    problems: [],
  },
  'POST /labels': {
    right,
    body: LabelBody,
    touches: ['labels'],
    status: 201,
    answer: Label,
    problems: ['request:invalid_body', 'label:name_taken'],
  },
  'PATCH /labels/:id': {
    right,
    body: LabelUpdateBody,
    touches: ['labels'],
    status: 200,
    answer: Label,
    problems: ['request:invalid_body', 'label:not_found', 'label:name_taken'],
  },
  'POST /labels/:id/merge': {
    right,
    body: LabelMergeBody,
    touches: ['labels', 'post-sets', 'calendar'],
    status: 200,
    answer: Label,
    problems: ['request:invalid_body', 'label:not_found'],
  },
  'DELETE /labels/:id': {
    right,
    touches: ['labels', 'post-sets', 'calendar'],
    status: 204,
    problems: ['label:not_found'],
  },
} as const satisfies EndpointTable
