import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differencesOf } from '../_util/api/shown-answers.ts'
import { examplesOf } from '../_util/run/docs-examples.ts'
import { client } from './client.ts'
import { type Installation, startInstallation } from './installation.ts'

/**
 * Every example of the documentation is run as it stands, page after page as a reader would, against Almanac with its
 * simulators: imports arrive and posts are published. What comes back is held against the answer that is shown.
 */

/** In reading order; a test below holds it against what is served. */
const PAGES = [
  'what-it-does',
  'resources',
  'states',
  'endpoints',
  'authentication',
  'events',
  'webhooks',
  'errors',
  'limits',
  'versioning',
]

let almanac: Installation
/** What a reader's shell holds; ids are taken from the answers, as the first page says. */
const variables: Record<string, string> = {}

beforeAll(async () => {
  almanac = await startInstallation({})
  const { accountId, socialSetId } = await almanac.command<{ accountId: string; socialSetId: string }>([
    ...['accounts', 'create', '--name', 'Corner Bakery', '--timezone', 'Europe/Berlin', '--sandbox'],
  ])
  const newKey = async (scopes: string) => {
    const command = ['keys', 'create', '--account', accountId, '--name', 'Docs', '--scopes', scopes]
    return (await almanac.command<{ key: string }>(command)).key
  }
  await almanac.command(['labels', 'create', '--account', accountId, '--name', 'Autumn season', '--color', '#ff8800'])
  variables.ALMANAC_URL = almanac.url
  variables.ALMANAC_KEY = await newKey('notes:write,post-sets:write,post-sets:publish,media:write,webhooks:write')
  variables.READ_ONLY_KEY = await newKey('')
  variables.SOCIAL_SET_ID = socialSetId
  const api = client(almanac.url, variables.ALMANAC_KEY)
  const { id } = await api.post('/v1/media-upload', { socialSetId, url: `${almanac.url}/sandbox/samples/photo.jpg` })
  const upload = await api.until(`/v1/media-upload/${id}`, (body) => body.status === 'READY')
  variables.MEDIA_ID = upload.mediaLibraryId
}, 60_000)
afterAll(() => almanac?.stop())

async function shell(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env.PATH, ...variables },
    timeout: 20_000,
  })
  return stdout
}

/** A reader takes the ids of what was made from the answers. */
function takeIds(script: string, answer: string): void {
  const body = answer.replace(/^HTTP[\s\S]*?\r?\n\r?\n/, '')
  if (!body.startsWith('{')) return
  const { id, mediaLibraryId } = JSON.parse(body)
  const [, path] = /\$ALMANAC_URL(\/v1\/[\w-]+)"/.exec(script) ?? []
  const names: Record<string, string> = {
    '/v1/notes': 'NOTE_ID',
    '/v1/post-sets': 'POST_SET_ID',
    '/v1/media-upload': 'UPLOAD_ID',
    '/v1/webhooks': 'WEBHOOK_ID',
  }
  const name = names[path ?? '']
  if (name && id) variables[name] = id
  if (mediaLibraryId) variables.MEDIA_ID = mediaLibraryId
}

describe('the examples of', () => {
  test.each(PAGES)(
    '%s',
    async (page) => {
      const markdown = await (await fetch(`${almanac.url}/docs/${page}.md`)).text()
      for (const { script, shown, line } of examplesOf(markdown)) {
        // What is read may take its time: imports and posts are under way. What is written is written once.
        const reads = !/ -(d|F|X|I)\b/.test(script)
        let answer = ''
        let wrong: string[] = []
        for (const deadline = Date.now() + (reads ? 15_000 : 0); ; ) {
          answer = await shell(script)
          // Where no answer is shown, it must at least be no error.
          wrong = shown ? differencesOf(shown, answer) : answer.includes('"requestId"') ? ['an error'] : []
          if (wrong.length === 0 || Date.now() > deadline) break
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
        expect(wrong, `${page}.md, line ${line}:\n${script}\nanswered\n${answer}`).toEqual([])
        takeIds(script, answer)
      }
    },
    60_000,
  )
})

test('no page with examples is left out', async () => {
  const list = await (await fetch(`${almanac.url}/llms.txt`)).text()
  const names = [...list.matchAll(/\/docs\/([\w-]+)\.md/g)].map(([, name = '']) => name)
  const pages = await Promise.all(
    names.map(async (name) => ({ name, text: await (await fetch(`${almanac.url}/docs/${name}.md`)).text() })),
  )
  const withExamples = pages.filter(({ text }) => examplesOf(text).length > 0).map(({ name }) => name)
  expect(withExamples.length).toBeGreaterThan(6)
  expect(withExamples.filter((name) => !PAGES.includes(name))).toEqual([])
})
