import type { EndpointTable } from '../endpoint.ts'
import { NetworkDescription } from '../networks.ts'
import { pageOf } from '../pages.ts'
import { PageQuery } from '../queries.ts'

/** What networks accept. */
export const NETWORK_ENDPOINTS = {
  'GET /networks': {
    api: {
      tag: 'Networks',
      summary: 'List what networks accept',
      description:
        'Extension. For each account type: the fields of its posts, the kinds of posts with their captions and media, the publishing defaults of its connections, and every limit with its source.',
    },
    query: PageQuery,
    status: 200,
    answer: pageOf(NetworkDescription),
    problems: [],
  },
} as const satisfies EndpointTable
