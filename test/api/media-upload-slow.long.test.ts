import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startMediaApi } from '../_util/api/media-api.ts'
import { tusClient } from '../_util/api/tus-client.ts'

/** A line of 1 Mbit/s: so many bytes in a tenth of a second. */
const PIECE = Buffer.alloc(12_500, 'a')
/** Ten megabytes take 80 seconds, longer than other requests may. */
const PIECES = 800

/** Sends pieces at the speed of the line. */
async function pour(sent: { write(piece: Buffer): boolean; end(last?: string): void }, last = ''): Promise<void> {
  for (let piece = 0; piece < PIECES; piece += 1) {
    sent.write(PIECE)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  sent.end(last)
}

test('files come over a line of 1 Mbit/s, in one piece and as a form', async () => {
  const api = await startMediaApi()
  const authorization = `Bearer ${api.key}`
  const tus = tusClient(api.url, { authorization })
  const size = PIECES * PIECE.length
  const { path } = await tus.begun({ socialSetId: api.socialSetId }, size)
  const open = tus.open(path, 0, { 'content-length': String(size) })

  const form = request(`${api.url}/v1/media-upload`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' },
  })
  const status = new Promise((resolve) => form.on('response', (answer) => resolve(answer.resume().statusCode)))
  form.write(`--b\r\ncontent-disposition: form-data; name="socialSetId"\r\n\r\n${api.socialSetId}\r\n`)
  form.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n')
  await Promise.all([pour(open.request), pour(form, '\r\n--b--\r\n')])
  expect(await open.answer).toMatchObject({ status: 204, headers: { 'upload-offset': String(size) } })
  expect(await status).toBe(201)
  await api.close()
}, 300_000)
