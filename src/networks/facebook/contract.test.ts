import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Stage } from '../kit/testing.ts'
import { FILE_PARAMS, PARAMS } from './simulator-params.ts'
import { POST_FIELDS as SIMULATED_POST_FIELDS } from './simulator-posts.ts'
import { VIDEO_FIELDS as SIMULATED_VIDEO_FIELDS } from './simulator-videos.ts'
import { openStage, sample } from './testing-posts.ts'
import { KNOWN_POST_FIELDS, PHOTO_POST_FIELDS, VIDEO_FIELDS } from './wire.ts'

/** The vendor's machine-readable contracts. They are not part of the project and lie beside it on some machines. */
const contracts = join(import.meta.dirname, '../../../../shared/contracts/meta')
const missing = !existsSync(contracts)
if (missing && process.env.CI === 'true') throw new Error(`The contracts of the vendor are not at ${contracts}.`)
if (missing) process.stderr.write(`Contracts of the vendor: not at ${contracts}, so nothing is compared with them.\n`)

interface Contract {
  apis: { method: string; endpoint?: string; name?: string; params: { name: string; required?: boolean }[] }[]
  fields: { name: string }[]
}

const read = (name: string): Contract => JSON.parse(readFileSync(join(contracts, `${name}.json`), 'utf8'))
const fieldsOf = (name: string) => read(name).fields.map((field) => field.name)
const edgesOf = (name: string) => read(name).apis.map(({ endpoint }) => endpoint)

function paramsOf(method: string, endpoint: string) {
  const api = read('Page').apis.find((each) => each.method === method && each.endpoint === endpoint)
  if (!api) throw new Error(`Page has no ${method} ${endpoint}.`)
  return api.params
}
const names = (params: { name: string }[]) => params.map(({ name }) => name)

let stage: Stage
beforeAll(async () => {
  stage = await openStage([
    { link: 'https://a.example/1', title: 'Rye', description: 'Dark' },
    { link: 'https://a.example/2' },
  ])
  const withText = [{ file: 'transparent.png', altText: 'Rye' }]
  for (const each of [
    sample('TEXT', { caption: 'Bread https://a.example' }),
    sample('IMAGE', { media: withText }),
    sample('MULTI_IMAGE'),
    sample('CAROUSEL'),
    sample('VIDEO'),
    sample('REEL'),
    sample('STORY'),
    sample('STORY', { media: [{ file: 'video-h264-aac.mp4' }] }),
  ]) {
    expect((await stage.deliver(each)).post.kind).toBe('made')
  }
})
afterAll(() => stage?.close())

/** The names of all parameters that went to an edge, of JSON and of forms. */
function sentTo(edge: string): string[] {
  const calls = stage.calls(`POST {me}/${edge}`)
  const inForms = calls.flatMap(({ request }) =>
    [...String(request.body ?? '').matchAll(/form-data; name="(\w+)"/g)].map(([, name = '']) => name),
  )
  return [...new Set([...calls.flatMap(({ json }) => Object.keys(json)), ...inForms])]
}

describe.skipIf(missing)('the contracts of the vendor, when they lie beside the checkout,', () => {
  test.each(Object.entries(PARAMS))(
    'know every parameter of %s that is sent, or taken by the pretend network',
    (edge, taken) => {
      const known = [...names(paramsOf('POST', edge)), ...FILE_PARAMS]
      const sent = sentTo(edge)
      expect(sent.length).toBeGreaterThan(0)
      expect([...sent, ...taken].filter((name) => !known.includes(name))).toEqual([])
    },
  )

  test('want the phase of a reel and of a story', () => {
    for (const edge of ['video_reels', 'video_stories']) {
      expect(names(paramsOf('POST', edge).filter(({ required }) => required))).toEqual(['upload_phase'])
    }
  })

  test('know the listings and what they are asked', () => {
    expect(names(paramsOf('GET', 'published_posts'))).toContain('limit')
    expect(names(paramsOf('GET', 'stories'))).toContain('since')
    const asked = stage.exchanged.filter(({ call }) => call.startsWith('GET {me}/'))
    expect(new Set(asked.map(({ call }) => call))).toEqual(new Set(['GET {me}/published_posts', 'GET {me}/stories']))
  })

  test('know every field that is asked for or answered', () => {
    const plain = (fields: string) => fields.replace(/\{.*\}/, '').split(',')
    const post = [...fieldsOf('PagePost'), ...edgesOf('PagePost')]
    expect(
      [...plain(PHOTO_POST_FIELDS), ...plain(KNOWN_POST_FIELDS), ...SIMULATED_POST_FIELDS].filter(
        (name) => !post.includes(name),
      ),
    ).toEqual([])
    const video = fieldsOf('AdVideo')
    expect([...plain(VIDEO_FIELDS), ...SIMULATED_VIDEO_FIELDS].filter((name) => !video.includes(name))).toEqual([])
    const page = ['id', 'name', 'username', 'link', 'access_token', 'instagram_business_account']
    expect(fieldsOf('Page')).toEqual(expect.arrayContaining(page))
    expect(edgesOf('Page')).toContain('picture')
  })
})
