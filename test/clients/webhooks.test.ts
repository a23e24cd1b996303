import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret } from '#domain'
import { unwrapWebhook, WebhookSignatureError } from '../../clients/typescript/src/index.ts'

const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
const body = JSON.stringify({ id: 'one', type: 'cake.eaten', note: 'Brötchen' })

/** Headers of what these secrets sign. */
const signed = (at = new Date(), ...secrets: string[]) => ({
  'webhook-id': 'one',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': secrets.map((each) => new Webhook(each).sign('one', at, body)).join(' '),
})
const now = new Date()

test('what was signed with the secret by Standard Webhooks is the event, in each form of headers', async () => {
  const headers = signed(now, other, secret)
  for (const given of [
    headers,
    new Headers(headers),
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
  ]) {
    expect(await unwrapWebhook(body, given, secret)).toEqual(JSON.parse(body))
  }
  expect(await unwrapWebhook(body, signed(now, other), [secret, other])).toEqual(JSON.parse(body))
})

test('nothing else is', async () => {
  const headers = signed(now, secret)
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
  for (const [given, text, key] of [
    [headers, body, other],
    [headers, body.replace('eaten', 'baked'), secret],
    [{ ...headers, 'webhook-id': 'two' }, body, secret],
    [{ ...headers, 'webhook-timestamp': '' }, body, secret],
    [{ ...headers, 'webhook-timestamp': 'NaN' }, body, secret],
    [{ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, body, secret],
    [{ ...headers, 'webhook-signature': 'v1,*' }, body, secret],
    [signed(minutes(-6), secret), body, secret],
    [signed(minutes(6), secret), body, secret],
    [{}, body, secret],
    [headers, body, ''],
  ] as const) {
    await expect(unwrapWebhook(text, given, key), JSON.stringify(given)).rejects.toThrow(WebhookSignatureError)
  }
  expect(await unwrapWebhook(body, signed(minutes(-6), secret), secret, { tolerance: 600 })).toBeTruthy()
})
