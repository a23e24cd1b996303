import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks } from '#networks'
import { settingsOf } from '../../src/app/installation.ts'
import { AT_TERMINAL } from '../_util/processes/app.ts'
import { client } from './client.ts'
import { type Installation, startInstallation } from './installation.ts'

/** The README as a new user at a terminal follows it: every line of "A first post" is run as it stands. */

/** One look a second leaves room for the reader's own requests within the rate. */
const PATIENT = { pauseMs: 1_000 }

let almanac: Installation
beforeAll(async () => {
  almanac = await startInstallation(AT_TERMINAL, { shippedPlans: true })
}, 60_000)
afterAll(() => almanac?.stop())

async function shellBlocks(heading: string): Promise<string[]> {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

async function shell(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])
  return stdout
}

test('service-01: the first post of the README is published', async () => {
  const [settings = '', ...steps] = await shellBlocks('A first post')
  expect(steps.length).toBeGreaterThanOrEqual(4)
  expect(settings).toContain('API=http://127.0.0.1:4010')
  const key = /alm_[\w-]{43}/.exec(almanac.almanac.stdout())?.[0] ?? ''
  const api = client(almanac.url, key, PATIENT)
  const given = `API=${almanac.url}\nKEY=${key}`

  // The reader looks until the import is READY; here that is waited for between the second and the third step.
  const [find = '', upload = '', ...rest] = steps
  const first = await shell(`${given}\n${find}\n${upload}\necho "\nSOCIAL_SET=$SOCIAL_SET UPLOAD=$UPLOAD"`)
  const [found = '', uploadId] = /SOCIAL_SET=\S+ UPLOAD=(\S+)/.exec(first) ?? []
  await api.until(`/v1/media-upload/${uploadId}`, (body) => body.status === 'READY')
  const reported = await shell(`${given}\n${found}\n${rest.join('\n')}\necho "\nPOST_SET=$POST_SET"`)
  const postSetId = reported.match(/POST_SET=(\S+)/)?.[1] ?? ''

  const done = await api.until(`/v1/post-sets/${postSetId}`, (body) => body.status === 'PUBLISHED')
  expect(done.posts).toHaveLength(2)
  for (const post of done.posts) {
    expect(post.result).toMatchObject({ status: 'POSTED' })
    expect((await fetch(post.result.permalink)).status).toBe(200)
  }
}, 60_000)

test('the curl that npm start prints publishes', async () => {
  const [, command = ''] = /(curl [\s\S]*?')\n\n/.exec(almanac.almanac.stdout()) ?? []
  const created = JSON.parse(await shell(command))
  expect(created).toMatchObject({ status: 'SCHEDULED' })
  const key = /alm_[\w-]{43}/.exec(almanac.almanac.stdout())?.[0] ?? ''
  const done = await client(almanac.url, key, PATIENT).until(
    `/v1/post-sets/${created.id}`,
    (body) => body.status === 'PUBLISHED',
  )
  expect(done.posts[0].result).toMatchObject({ status: 'POSTED' })
})

test('shape-01: the documentation names every setting, and none that does not exist', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8')
  const names = (text: string) => new Set(text.match(/\b(ALMANAC_[A-Z_]*[A-Z]|DATABASE_URL)\b/g))
  const existing = names(await read('src/config/settings.ts'))
  expect(existing.size).toBeGreaterThan(10)
  expect(names(await read('docs/operating.md'))).toEqual(existing)
  const ofNetworks = (await loadNetworks()).all.flatMap(({ manifest }) => settingsOf(manifest))
  const known = new Set([...existing, ...ofNetworks.map(({ variable }) => variable)])
  expect([...names(await read('README.md'))].filter((name) => !known.has(name))).toEqual([])
})
