import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import type { MediaSource } from '../network.ts'
import { bareCall } from './api.ts'
import { openForm } from './files.ts'
import { callerOf } from './testing.ts'

const BYTES = Buffer.from('0123456789')
let open: Readable[]
beforeEach(() => {
  open = []
})
const source = {
  facts: { mimeType: 'video/mp4', bytes: BYTES.length },
  async open(range) {
    const stream = Readable.from([BYTES.subarray(range?.start ?? 0, range?.end ?? BYTES.length)])
    open.push(stream)
    return stream
  },
} as Partial<MediaSource> as MediaSource

test.each([undefined, true] as const)('a form carries fields and a part of a file, held: %s', async (held) => {
  const form = { fields: [['n', '1']], field: 'media', filename: 'a.mp4', source, range: { start: 2, end: 5 } } as const
  const { body, headers, close } = await openForm({ ...form, ...(held ? { held } : {}) })
  expect(Buffer.isBuffer(body)).toBe(held === true)
  const bytes = Buffer.isBuffer(body) ? body : await buffer(body)
  expect(headers['content-length']).toBe(String(bytes.length))
  const read = await new Response(new Uint8Array(bytes), { headers }).formData()
  const file = read.get('media') as File
  expect([read.get('n'), file.name, file.type, await file.text()]).toEqual(['1', 'a.mp4', 'video/mp4', '234'])
  close()
  expect(open.every(({ destroyed }) => destroyed)).toBe(true)
})

test('a file is closed, whatever becomes of the request, and no token goes with it', async () => {
  const credentials = { accessToken: 'secret' }
  const { caller, sent } = callerOf(() => ({ kind: 'failed', sent: false, message: 'No.' }), { credentials })
  const file = { source, range: { start: 0, end: 4 } }
  const call = { method: 'PUT', path: 'https://a.example/up?x=1', file, parse: () => true } as const
  expect(await bareCall(caller, call)).toMatchObject({ kind: 'failed' })
  const headers = { 'content-type': 'video/mp4', 'content-length': '4' }
  expect(sent).toMatchObject([{ url: call.path, headers }])
  expect(JSON.stringify(sent[0]?.headers)).not.toContain('secret')
  expect(open.map(({ destroyed }) => destroyed)).toEqual([true])
})
