import { Webhook } from 'standardwebhooks'
import { MockAgent } from 'undici'
import { expect, test } from 'vitest'
import { sendRequest } from './request.ts'

const URL_OF = 'https://hooks.example.com'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const message = { url: `${URL_OF}/in`, id: 'event', body: '{"id":"event","data":{"name":"Bäcker"}}', secrets: [secret] }

function answering(status: number, body: string | Buffer, headers: Record<string, string> = {}) {
  const agent = new MockAgent()
  agent.disableNetConnect()
  const seen: { headers: Record<string, string>; body: string }[] = []
  agent
    .get(URL_OF)
    .intercept({ path: '/in', method: 'POST' })
    .reply(
      status,
      ({ headers: sent, body: sentBody }) => {
        seen.push({ headers: sent as Record<string, string>, body: String(sentBody) })
        return body
      },
      { headers },
    )
  const deps = {
    fetch: { dispatcher: agent },
    trusts: () => false,
    userAgent: 'Almanac/0.1',
    settings: { limitMs: 5_000, answerBytes: 1_024 },
  }
  return { seen, send: (more = {}) => sendRequest(deps, { ...message, ...more }, new AbortController().signal) }
}

test('a request is signed over its body, by each secret', async () => {
  const { seen, send } = answering(200, 'Thanks')
  const second = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  const requested = await send({ secrets: [secret, second] })
  expect(requested).toMatchObject({ attempt: { status: 200, failure: null, answer: 'Thanks' }, retryAfterMs: null })
  const [{ headers, body } = { headers: {}, body: '' }] = seen
  expect(body).toBe(message.body)
  expect(headers['webhook-id']).toBe('event')
  for (const one of [secret, second]) expect(new Webhook(one).verify(body, headers)).toMatchObject({ id: 'event' })
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
})

test('of what a public host answers the first kilobyte is kept, as text that a database takes', async () => {
  const requested = await answering(500, Buffer.from(`\0ä${'x'.repeat(5_000)}`), { 'retry-after': '7' }).send()
  if (requested.kind !== 'ended') throw new Error('It was broken off.')
  const { answer, failure } = requested.attempt
  expect(failure).toBe('It answered 500 Internal Server Error.')
  expect(answer).toBe(`�ä${'x'.repeat(1_021)}`)
  expect(requested.retryAfterMs).toBe(7_000)
})
