import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSampleMedia } from '../conformance/index.ts'
import { itemBodies, postBody } from './publish.ts'
import { KINDS, PARAMS_NEWER_THAN_CONTRACT, paramsOf as takenBy } from './simulator-params.ts'
import {
  COMMENT_FIELDS as SIMULATED_COMMENT_FIELDS,
  MEDIA_FIELDS as SIMULATED_MEDIA_FIELDS,
} from './simulator-posts.ts'
import { COMMENT_FIELDS, MEDIA_FIELDS } from './wire.ts'

/** The vendor's machine-readable contracts. They are not part of the project and lie beside it on some machines. */
const contracts = join(import.meta.dirname, '../../../../shared/contracts/meta')
const missing = !existsSync(contracts)
if (missing && process.env.CI === 'true') throw new Error(`The contracts of the vendor are not at ${contracts}.`)
if (missing) process.stderr.write(`Contracts of the vendor: not at ${contracts}, so nothing is compared with them.\n`)

interface Contract {
  apis: { method: string; endpoint: string; params: { name: string; required?: boolean }[] }[]
  fields: { name: string }[]
}

const read = (name: string): Contract => JSON.parse(readFileSync(join(contracts, `${name}.json`), 'utf8'))
const fieldsOf = (name: string) => read(name).fields.map((field) => field.name)

function paramsOf(name: string, method: string, endpoint: string) {
  const api = read(name).apis.find((each) => each.method === method && each.endpoint === endpoint)
  if (!api) throw new Error(`${name} has no ${method} ${endpoint}.`)
  return api.params
}
const names = (params: { name: string }[]) => params.map(({ name }) => name)
const newer = new Set(PARAMS_NEWER_THAN_CONTRACT)

describe.skipIf(missing)('the contracts of the vendor, when they lie beside the checkout,', () => {
  test('know every parameter of a container that the pretend network takes', () => {
    const known = names(paramsOf('IGUser', 'POST', 'media'))
    const taken = new Set(KINDS.flatMap(takenBy))
    expect([...taken].filter((name) => !known.includes(name) && !newer.has(name))).toEqual([])
    expect(PARAMS_NEWER_THAN_CONTRACT.filter((name) => known.includes(name))).toEqual([])
  })

  test('know every parameter that is sent', async () => {
    const known = names(paramsOf('IGUser', 'POST', 'media'))
    const sent = await sentParams()
    expect(sent.has('collaborators') && sent.has('user_tags') && sent.has('thumb_offset')).toBe(true)
    expect([...sent].filter((name) => !known.includes(name) && !newer.has(name))).toEqual([])
  })

  test('want creation_id for publishing and know message of a comment', () => {
    expect(paramsOf('IGUser', 'POST', 'media_publish')).toMatchObject([{ name: 'creation_id', required: true }])
    expect(names(paramsOf('IGMedia', 'POST', 'comments'))).toContain('message')
  })

  test('know the edges that are listed, and since', () => {
    expect(names(paramsOf('IGUser', 'GET', 'media'))).toContain('since')
    expect(paramsOf('IGUser', 'GET', 'stories')).toEqual([])
    expect(paramsOf('IGMedia', 'GET', 'comments')).toEqual([])
    expect(names(paramsOf('IGUser', 'GET', 'content_publishing_limit'))).toEqual(['since'])
  })

  test('know every field that is asked for or answered', () => {
    const media = fieldsOf('IGMedia')
    expect([...MEDIA_FIELDS.split(','), ...SIMULATED_MEDIA_FIELDS].filter((name) => !media.includes(name))).toEqual([])
    // The contract of a comment is that of Facebook, without these two names of Instagram's own.
    const comment = [...fieldsOf('Comment'), 'text', 'timestamp', 'username']
    const fields = [...COMMENT_FIELDS.split(','), ...SIMULATED_COMMENT_FIELDS]
    expect(fields.filter((name) => !comment.includes(name))).toEqual([])
    expect(fieldsOf('ContentPublishingLimitResponse')).toEqual(expect.arrayContaining(['quota_usage', 'config']))
    expect(fieldsOf('IGUser')).toEqual(expect.arrayContaining(['username', 'name']))
  })
})

/** The names of all parameters that any post makes the connector send. */
async function sentParams(): Promise<Set<string>> {
  const media = await openSampleMedia()
  const everything = {
    collaborators: ['a'],
    firstComment: 'Yes',
    audio: '1',
    audioName: 'Oven',
    videoCoverImage: 1,
  }
  const tags = [{ text: 'a', x: 0.5, y: 0.5 }]
  const [image, video] = await media.of([
    { file: 'transparent.png', altText: 'Bread', tags },
    { file: 'video-h264-aac.mp4', altText: 'Bread', tags },
  ])
  if (!image || !video) throw new Error('The fixtures are missing.')
  try {
    const posts = [
      { type: 'IMAGE', media: [image] },
      { type: 'CAROUSEL', media: [image, video] },
      { type: 'REEL', media: [video] },
      { type: 'STORY', media: [image] },
      { type: 'STORY', media: [video] },
    ].map(({ type, media: items }) => ({
      accountType: 'INSTAGRAM' as const,
      caption: 'Bread',
      fields: { type, ...everything },
      media: items,
    }))
    const bodies = await Promise.all(
      posts.flatMap((post) => [...itemBodies(post).map((body) => body()), postBody(post, ['1', '2'])]),
    )
    return new Set(bodies.flatMap((body) => Object.keys(body)))
  } finally {
    await media.close()
  }
}
