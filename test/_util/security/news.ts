import type { Row, Table } from './row.ts'

/** Of the caller; for callers who are refused, of an owner. */
const item: Row = {
  rights: [],
  given: async ({ make }, { person }) => ({ params: { id: await make.bellItem(person.userId) } }),
  outside: 'news:not_found',
}

/** Routes about what happened. */
export const NEWS: Table = {
  'GET /news': { outside: 'own' },
  'GET /news/unread': { outside: 'own' },
  'PUT /news/:id/read': item,
  'PUT /news/read': { rights: [], given: () => ({ body: { until: '2030-06-01T10:00:00Z' } }), outside: 'own' },
  'GET /news/choices': { outside: 'own' },
  'PUT /news/choices': {
    rights: [],
    given: ({ api }) => ({ body: { socialSetId: api.socialSetId, choices: { COMMENTED: 'BELL' } } }),
    outside: 'social-set:not_found',
  },
}
