import { readFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_TYPES, LIMITS } from '#contract'
import { newWebhookSecret } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
let markdown: string
beforeAll(async () => {
  api = await startApi()
  markdown = await readFile(new URL('../../docs/interface/webhooks.md', import.meta.url), 'utf8')
})
afterAll(() => api.close())

type EventOf = (rawBody: string, headers: Record<string, string>, secret: string) => unknown

/** What the page gives to readers, run as it stands. */
async function exampleOf(page: string): Promise<EventOf> {
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).eventOf
}

test('the receiver of the page takes what is signed with its secret by Standard Webhooks, and nothing else', async () => {
  const eventOf = await exampleOf(markdown)
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
  const body = JSON.stringify({ type: 'post.posted', note: 'Brötchen' })
  const headersOf = (at: Date, ...secrets: string[]) => ({
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign('one', at, body)).join(' '),
  })
  const now = new Date()
  expect(eventOf(body, headersOf(now, secret), secret)).toEqual(JSON.parse(body))
  expect(eventOf(body, headersOf(now, other, secret), secret)).toEqual(JSON.parse(body))
  expect(() => eventOf(body, headersOf(now, other), secret)).toThrow('someone else')
  expect(() => eventOf(body.replace('posted', 'failed'), headersOf(now, secret), secret)).toThrow('someone else')
  expect(() => eventOf(body, { ...headersOf(now, secret), 'webhook-id': 'two' }, secret)).toThrow('someone else')
  expect(() => eventOf(body, headersOf(new Date(now.getTime() - 600_000), secret), secret)).toThrow('too old')
})

test('the page begins with what goes wrong without it, and has the numbers of the contract', () => {
  const [head = ''] = markdown.split('\n## ')
  for (const words of ['at least once', 'signature over the raw body', '`ignoreOwn`']) expect(head).toContain(words)
  expect(markdown).toContain(`An account has ${LIMITS.webhooks.perAccount} webhooks that are not closed`)
  expect(markdown).toContain(`Up to ${LIMITS.webhooks.descriptionCodePoints} characters`)
  expect(markdown).toContain(`For ${LIMITS.webhooks.oldSecretHours} hours`)
  expect(markdown).toContain(`keeps what happens for ${LIMITS.webhooks.keptDays} days`)
})

test('OpenAPI has what is sent: one for each type of event, with its headers and the shape of the event', () => {
  const { webhooks, components } = api.openApi as typeof api.openApi & {
    webhooks: Record<string, Sent>
    components: { parameters: Record<string, { name: string }> }
  }
  expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES, 'webhook.test'])
  expect(Object.keys(components.schemas)).toContain('Event')
  const names = Object.values(webhooks).map(({ post }) => post.operationId)
  expect(new Set(names).size).toBe(names.length)
  const { post } = webhooks['post_set.approval_changed'] as Sent
  expect(post.operationId).toBe('onPostSetApprovalChanged')
  const headers = post.parameters.map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? '']?.name)
  expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  expect(post.requestBody.content['application/json'].schema).toEqual({
    allOf: [{ $ref: '#/components/schemas/Event' }, { properties: { type: { const: 'post_set.approval_changed' } } }],
  })
})

interface Sent {
  post: {
    operationId: string
    parameters: { $ref: string }[]
    requestBody: { content: { 'application/json': { schema: object } } }
  }
}
