import type { GivenBy, Row, Table } from './row.ts'

/** Members confirm with their password; keys send no body. */
const confirmed = ({ forKeys, password }: GivenBy, body: object = {}) => {
  if (!forKeys) return { body: { ...body, password } }
  return Object.keys(body).length > 0 ? { body } : {}
}

/** One of the key that asks, or of the account. */
const webhook = (more: Partial<Row> = {}, body?: object): Row => ({
  given: async ({ make }, by) => ({ params: { id: await make.webhook(by.key) }, ...(body ? { body } : {}) }),
  outside: 'webhook:not_found',
  ...more,
})

/** The same, which members confirm. */
const confirmedWebhook = (body: object = {}): Row =>
  webhook({
    given: async ({ make }, by) => ({ params: { id: await make.webhook(by.key) }, ...confirmed(by, body) }),
  })

/** Routes about where events are sent. */
export const WEBHOOKS: Table = {
  'GET /webhooks': { outside: 'own' },
  'POST /webhooks': {
    given: async ({ make }, by) => {
      await make.roomForWebhook()
      const socialSetIds = [await make.emptySocialSet()]
      return confirmed(by, { url: 'https://flows.example.com/almanac', socialSetIds })
    },
    outside: 'social-set:not_found',
  },
  'GET /webhooks/:id': webhook(),
  'PATCH /webhooks/:id': confirmedWebhook({ description: 'Ours' }),
  'DELETE /webhooks/:id': confirmedWebhook(),
  'POST /webhooks/:id/rotate-secret': confirmedWebhook(),
  'POST /webhooks/:id/test': webhook(),
  'GET /webhooks/:id/attempts': webhook(),
  'POST /webhooks/:id/resend': webhook({}, { since: '2030-06-01' }),
  'POST /webhooks/:id/adopt': webhook({
    given: async ({ make }, by) => ({ params: { id: await make.closedWebhook(by.key) }, ...confirmed(by) }),
  }),
}
