import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Alert, checkShape } from '#contract'
import { signatureOf } from '#news'

const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
const section = /^## Alerts\n([\s\S]*?)^## /m.exec(page)?.[1] ?? ''
const example = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? ''

test('the example of an alert has the documented shape', () => {
  const checked = checkShape(Alert, JSON.parse(example('json')))
  expect(checked).toMatchObject({ ok: true })
})

test('the program of the page takes what Almanac signs, by any of its keys, and nothing else', async () => {
  const { isFromAlmanac } = (await import(`data:text/javascript,${encodeURIComponent(example('js'))}`)) as {
    isFromAlmanac(key: string, body: string, signature: string, now?: number): boolean
  }
  const [key, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const at = new Date()
  const signature = signatureOf([key, former], '{"id":"1"}', at)
  for (const one of [key, former]) {
    expect(isFromAlmanac(one.toString('hex'), '{"id":"1"}', signature)).toBe(true)
  }
  expect(isFromAlmanac(key.toString('hex'), '{"id":"2"}', signature)).toBe(false)
  expect(isFromAlmanac(Buffer.alloc(32, 3).toString('hex'), '{"id":"1"}', signature)).toBe(false)
  expect(isFromAlmanac(key.toString('hex'), '{"id":"1"}', signature, at.getTime() + 600_000)).toBe(false)
  expect(isFromAlmanac(key.toString('hex'), '{"id":"1"}', signature.replace(/t=\d+/, 't=1'))).toBe(false)
})
