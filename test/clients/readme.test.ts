import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { giveAll } from '../_util/api/event-log.ts'
import { readmeProgram } from './readme-program.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** In place of an importer, which this server has not: a file that is in the library already. */
const stand = (mediaLibraryId: string) => `
const reach = globalThis.fetch
globalThis.fetch = async (url, init) =>
  init?.method === 'POST' && new URL(url).pathname === '/v1/media-upload'
    ? Response.json({ id: 'one', status: 'READY', mediaLibraryId: ${JSON.stringify(mediaLibraryId)} }, { status: 201 })
    : reach(url, init)
`

test('the examples of the README run, one behind the other', async () => {
  const markdown = await readFile(join(import.meta.dirname, '../../clients/typescript/README.md'), 'utf8')
  const client = pathToFileURL(join(import.meta.dirname, '../../clients/typescript/src/index.ts')).href
  const program = readmeProgram(markdown, { client, url: api.url, key: api.key })
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-'], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(`${stand(await api.newMedia())}\n${program}`)
  let ended = false
  const done = Promise.all([text(child.stdout), text(child.stderr)]).finally(() => {
    ended = true
  })
  // No process gives positions here.
  await vi.waitUntil(async () => giveAll(api).then(() => ended), { timeout: 50_000, interval: 100 })
  const [stdout, stderr] = await done
  expect(stderr).toBe('')
  const lines = stdout.split('\n')
  expect(lines[0]).toBe('Brand Europe/Berlin')
  expect(lines).toContain('2030-06-01T07:00:00.000Z')
  expect(lines).toContain('PENDING')
  expect(lines).toContain('It has changed: post-set:version_conflict')
  // What was written before may get its position only then.
  expect(stdout).toMatch(/^Something else: (?:note|post_set)\.\w+\n\d+$/m)
  expect(stdout).toMatch(/^[0-9a-f-]{36} SCHEDULED\n[0-9a-f-]{36} DRAFT$/m)
})
