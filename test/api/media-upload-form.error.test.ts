import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import type { Body } from '../_util/api/api.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { tusClient } from '../_util/api/tus-client.ts'

let api: MediaApi
beforeAll(async () => {
  api = await startMediaApi({
    receiving: { recordMs: 10, idleMs: 1_000, idleBytes: 1_000 },
    plans: { FREE: { monthlyUploadBytes: 100_000 } },
  })
})
afterAll(() => api.close())

interface Part {
  name: string
  value: string
  fileName?: string
}
const field = (name: string, value: string): Part => ({ name, value })
const file = (value: string, name = 'file'): Part => ({ name, value, fileName: 'photo.jpg' })
const place = () => field('socialSetId', api.socialSetId)

const formOf = (parts: readonly Part[]) =>
  `${parts
    .map(
      ({ name, value, fileName }) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"${fileName ? `; filename="${fileName}"` : ''}\r\n\r\n${value}\r\n`,
    )
    .join('')}--b--\r\n`

const MULTIPART = 'multipart/form-data; boundary=b'

/** Sends a form; without a length when it is to be chunked. */
function open(headers: Record<string, string>, key = api.key, query = '') {
  const sent = request(`${api.url}/v1/media-upload${query}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': MULTIPART, ...headers },
  })
  const answer = new Promise<{ status: number; headers: Record<string, unknown>; body: Body }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => {
      let text = ''
      for await (const piece of response) text += piece
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) })
    })
  })
  return { sent, answer }
}

async function send(text: string, headers: Record<string, string> = {}, key = api.key) {
  const { sent, answer } = open({ 'content-length': String(Buffer.byteLength(text)), ...headers }, key)
  sent.end(text)
  return answer
}

/** Rows and files of uploads. */
async function left(): Promise<unknown> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from media_uploads`.execute(api.stage.db)
  const files = await Array.fromAsync(api.stage.store.arriving.list({ olderThanMs: 0 }))
  return [rows[0]?.count, files.length]
}

test('a field that says how the others are written is no field, wherever it stands', async () => {
  const charset = field('_charset_', 'utf-8')
  const { body, status } = await send(formOf([charset, place(), file('x'), charset]))
  expect([status, body.errors]).toEqual([201, undefined])
})

describe('a form that is refused leaves nothing', () => {
  test.each<[string, () => readonly Part[], number, string, string]>([
    ['no file', () => [place()], 400, 'request:invalid_body', 'file'],
    ['no social set', () => [file('x')], 400, 'request:invalid_body', 'socialSetId'],
    ['a field behind the file', () => [place(), file('x'), field('name', 'x')], 400, 'request:invalid_body', 'name'],
    [
      'a field that there is not',
      () => [place(), field('color', 'x'), file('x')],
      400,
      'request:invalid_body',
      'color',
    ],
    ['a field twice', () => [place(), place(), file('x')], 400, 'request:invalid_body', 'socialSetId'],
    ['a file by another name', () => [place(), file('x', 'picture')], 400, 'request:invalid_body', 'picture'],
    ['two files', () => [place(), file('x'), file('y')], 400, 'request:invalid_body', 'file'],
    [
      'a megabyte of text',
      () => [place(), field('altText', 'x'.repeat(1_000_000)), file('x')],
      400,
      'request:invalid_body',
      'altText',
    ],
    ['the wrong names', () => [field('__proto__', 'x'), place(), file('x')], 400, 'request:invalid_body', '__proto__'],
  ])('%s', async (_, parts, status, code, path) => {
    const before = await left()
    const { body, status: found } = await send(formOf(parts()))
    expect([found, body.code]).toEqual([status, code])
    expect(body.errors.map((entry: { path: string }) => entry.path)).toContain(path)
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  const MIB = 1024 ** 2
  test.each<[string, () => string]>([
    ['text before its first part', () => `${'nonsense '.repeat(MIB / 9)}\r\n${formOf([place(), file('x')])}`],
    ['lines before its first part', () => `${'\r\n'.repeat(MIB / 2)}${formOf([place(), file('x')])}`],
    ['beginnings of its boundary', () => `${'\r\n--'.repeat(MIB / 4)}\r\n${formOf([place(), file('x')])}`],
    ['a header', () => `--b\r\nx-long: ${'x'.repeat(MIB)}\r\n${formOf([place(), file('x')]).slice(5)}`],
    ['headers', () => `--b\r\n${'x-many: x\r\n'.repeat(MIB / 11)}${formOf([place(), file('x')]).slice(5)}`],
    ['parts without names', () => `${'--b\r\n\r\n\r\n'.repeat(MIB / 9)}${formOf([place(), file('x')])}`],
    ['text behind its last part', () => `${formOf([place(), file('x')])}${'nonsense '.repeat(MIB / 9)}`],
  ])('a mebibyte of %s', async (_, text) => {
    const before = await left()
    const { body, status } = await send(text())
    expect([400, 413]).toContain(status)
    expect(['request:too_large', 'request:invalid_body']).toContain(body.code)
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  test('a social set that is not there comes before anything else', async () => {
    const { status, body } = await send(formOf([field('socialSetId', newId()), field('color', 'x'), file('x')]))
    expect([status, body.code]).toEqual([404, 'social-set:not_found'])
  })

  test('what is no form', async () => {
    const before = await left()
    for (const [text, type] of [
      ['', MULTIPART],
      ['nonsense', MULTIPART],
      [formOf([place(), file('x')]).slice(0, -10), MULTIPART],
      [formOf([place(), file('x')]), 'multipart/form-data'],
    ] as const) {
      const { status, body } = await send(text, { 'content-type': type })
      expect([status, body.code], text).toEqual([400, 'request:invalid_body'])
    }
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  test('one that breaks off', async () => {
    const before = await left()
    const { sent, answer } = open({ 'content-length': '100000' })
    answer.catch(() => {})
    sent.write(formOf([place(), file('x'.repeat(5_000))]).slice(0, -10))
    await vi.waitFor(async () => expect(await left()).not.toEqual(before))
    sent.destroy()
    await vi.waitFor(async () => expect(await left()).toEqual(before), { timeout: 5_000 })
  })

  test('one that hangs', async () => {
    const before = await left()
    const { sent, answer } = open({ 'content-length': '100000' })
    sent.write(formOf([place(), file('x'.repeat(500))]).slice(0, -10))
    const { status, body } = await answer
    expect([status, body.code]).toEqual([408, 'request:timeout'])
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  const whole = () => formOf([place(), file('x'.repeat(500))])
  test.each<[string, () => string]>([
    ['in front of the file', () => whole().slice(0, 60)],
    ['behind the file', () => whole().slice(0, -4)],
  ])('upload-09: one that hangs %s', async (_, text) => {
    const before = await left()
    const { sent, answer } = open({ 'content-length': '100000' })
    sent.write(text())
    const { status, headers, body } = await answer
    expect([status, headers.connection, body.code]).toEqual([408, 'close', 'request:timeout'])
    expect(body.detail).toContain('Send the form again.')
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  test.each<[string, Record<string, string>, string, string]>([
    ['an Idempotency-Key that is none', { 'idempotency-key': 'x'.repeat(256) }, '', 'request:invalid_header'],
    ['a query', {}, '?color=red', 'request:invalid_query'],
  ])('%s, before its bytes come', async (_, headers, query, code) => {
    const before = await left()
    const { sent, answer } = open({ 'content-length': '100000', ...headers }, api.key, query)
    sent.on('error', () => {})
    sent.write(formOf([place(), file('x'.repeat(500))]).slice(0, -10))
    const { status, body } = await answer
    sent.destroy()
    expect([status, body.code]).toEqual([400, code])
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  test('a file that is larger than the plan has room for, announced or not', async () => {
    const accountId = await api.newAccount()
    await api.stage.db.updateTable('accounts').set({ plan: 'FREE' }).where('id', '=', accountId).execute()
    const key = await api.newKey({ accountId })
    const text = formOf([field('socialSetId', await api.newSocialSet(accountId)), file('x'.repeat(200_000))])
    const before = await left()
    const refused = [403, 'plan:upload_allowance_exceeded']
    const announced = await send(text, {}, key)
    expect([announced.status, announced.body.code]).toEqual(refused)
    expect(announced.body.detail).toContain('100 kB')
    const { sent, answer } = open({ 'transfer-encoding': 'chunked' }, key)
    sent.end(text)
    const chunked = await answer
    expect([chunked.status, chunked.body.code]).toEqual(refused)
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })
})

describe('a form with an Idempotency-Key', () => {
  test('upload-10: is received once: the same fields and bytes get the first answer, others are refused', async () => {
    const key = { 'idempotency-key': newId() }
    const first = await send(formOf([place(), file('the same')]), key)
    expect(first.status).toBe(201)
    const before = await left()
    const again = await send(formOf([place(), file('the same')]).replaceAll('--b', '--c'), {
      ...key,
      'content-type': 'multipart/form-data; boundary=c',
    })
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([201, 'true', first.body])
    for (const parts of [
      [place(), file('another')],
      [place(), field('name', 'x'), file('the same')],
    ]) {
      const { status, body } = await send(formOf(parts), key)
      expect([status, body.code]).toEqual([422, 'request:idempotency_key_reused'])
    }
    await vi.waitFor(async () => expect(await left()).toEqual(before))
  })

  test('that was answered before has to come as quickly', async () => {
    const key = { 'idempotency-key': newId() }
    expect((await send(formOf([place(), file('x'.repeat(5_000))]), key)).status).toBe(201)
    const { sent, answer } = open({ 'content-length': '100000', ...key })
    sent.write(formOf([place(), file('x'.repeat(5_000))]).slice(0, -500))
    const { status, body } = await answer
    expect([status, body.code]).toEqual([408, 'request:timeout'])
  })

  test('that was refused is received again', async () => {
    const key = { 'idempotency-key': newId() }
    expect((await send(formOf([place(), field('color', 'x'), file('x')]), key)).status).toBe(400)
    expect((await send(formOf([place(), file('x')]), key)).status).toBe(201)
  })
})

test('upload-02: a chunked form of a file of unknown length', async () => {
  const { sent, answer } = open({ 'transfer-encoding': 'chunked' })
  const text = formOf([place(), file('x'.repeat(100_000))])
  for (let at = 0; at < text.length; at += 7_001) sent.write(text.slice(at, at + 7_001))
  sent.end()
  const { status, body } = await answer
  expect([status, body.bytesReceived, body.bytesTotal]).toEqual([201, 100_000, 100_000])
})

test('a form whose file still comes can be given up, and its request ends', async () => {
  const before = await left()
  const { sent, answer } = open({ 'content-length': '100000' })
  sent.write(formOf([place(), file('x'.repeat(5_000))]).slice(0, -10))
  const { id } = await vi.waitFor(() =>
    api.stage.db.selectFrom('media_uploads').select('id').where('status', '=', 'RECEIVING').executeTakeFirstOrThrow(),
  )
  const tus = tusClient(api.url, { authorization: `Bearer ${api.key}` })
  const path = `/v1/media-upload/files/${id}`
  // It cannot be resumed.
  expect((await tus.offset(path)).status).toBe(404)
  expect((await tus.ask('DELETE', path)).status).toBe(204)
  const { status, body } = await answer
  expect([status, body.code]).toEqual([409, 'media-upload:taken_over'])
  await vi.waitFor(async () => expect(await left()).toEqual(before))
})
