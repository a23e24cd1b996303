import type { EndpointTable } from '../endpoint.ts'
import { HashtagGroup, HashtagGroupBody, HashtagGroups, HashtagGroupUpdateBody } from '../hashtag-groups.ts'
import { SocialSetQuery } from '../queries.ts'

const right = 'post-sets:write'

/** Hashtags that are inserted into captions together. */
export const HASHTAG_GROUP_ENDPOINTS = {
  'GET /hashtag-groups': {
    query: SocialSetQuery,
    status: 200,
    answer: HashtagGroups,
    problems: ['social-set:not_found'],
  },
  'POST /hashtag-groups': {
    right,
    body: HashtagGroupBody,
    touches: ['hashtag-groups'],
    status: 201,
    answer: HashtagGroup,
    problems: [
      'request:invalid_body',
      'social-set:not_found',
      'hashtag-group:name_taken',
      'hashtag-group:limit_reached',
    ],
  },
  'PATCH /hashtag-groups/:id': {
    right,
    body: HashtagGroupUpdateBody,
    touches: ['hashtag-groups'],
    status: 200,
    answer: HashtagGroup,
    problems: ['request:invalid_body', 'hashtag-group:not_found', 'hashtag-group:name_taken'],
  },
  'DELETE /hashtag-groups/:id': {
    right,
    touches: ['hashtag-groups'],
    status: 204,
    problems: ['hashtag-group:not_found'],
  },
} as const satisfies EndpointTable
