import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MediaToSend } from '../network.ts'
import { itemBodies, postBody } from './publish.ts'
import { COMMENT_FIELDS as COMMENT_SHOWN, MEDIA_FIELDS as MEDIA_SHOWN } from './simulator.ts'
import { KINDS, PARAMS_NEWER_THAN_CONTRACT, paramsOf as takenBy } from './simulator-media.ts'
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

const names = (named: { name: string }[]) => named.map(({ name }) => name)
const read = (name: string): Contract => JSON.parse(readFileSync(join(contracts, `${name}.json`), 'utf8'))

function paramsOf(name: string, method: string, endpoint: string) {
  const api = read(name).apis.find((each) => each.method === method && each.endpoint === endpoint)
  if (!api) throw new Error(`${name} has no ${method} ${endpoint}.`)
  return api.params
}

describe.skipIf(missing)('the contracts of the vendor, when they lie beside the checkout,', () => {
  test('know every parameter of a container that is sent, or that the simulator takes', async () => {
    const known = names(paramsOf('IGUser', 'POST', 'media'))
    const sent = await sentParams()
    expect(sent).toEqual(expect.arrayContaining(['collaborators', 'user_tags', 'thumb_offset', 'alt_text']))
    const foreign = [...sent, ...KINDS.flatMap(takenBy)].filter((name) => !known.includes(name))
    expect([...new Set(foreign)]).toEqual(PARAMS_NEWER_THAN_CONTRACT)
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
    const known = (name: string, asked: string[]) =>
      expect(names(read(name).fields)).toEqual(expect.arrayContaining(asked))
    known('IGMedia', [...MEDIA_FIELDS.split(','), ...MEDIA_SHOWN])
    // The contract of a comment is that of Facebook, without these names of Instagram's own.
    const own = ['text', 'timestamp', 'username']
    known(
      'Comment',
      [...COMMENT_FIELDS.split(','), ...COMMENT_SHOWN].filter((name) => !own.includes(name)),
    )
    known('ContentPublishingLimitResponse', ['quota_usage', 'config'])
    known('IGUser', ['username', 'name'])
  })
})

/** The names of all parameters that any post makes the connector send. */
async function sentParams(): Promise<string[]> {
  const tags = [{ text: 'a', x: 0.5, y: 0.5 }]
  const source: object = { url: async () => '', rendition: async () => source }
  const item = (type: string) => ({ facts: { type }, altText: 'Bread', tags, source }) as unknown as MediaToSend
  const [image, video] = [item('IMAGE'), item('VIDEO')]
  const all = { collaborators: ['a'], firstComment: 'Yes', audio: '1', audioName: 'Oven', videoCoverImage: 1 }
  const posts = Object.entries({ IMAGE: [image], CAROUSEL: [image, video], REEL: [video], STORY: [image] }).map(
    ([type, media]) => ({ accountType: 'INSTAGRAM' as const, caption: 'Bread', fields: { type, ...all }, media }),
  )
  const bodies = posts.flatMap((post) => [...itemBodies(post).map((body) => body()), postBody(post, ['1', '2'])])
  return (await Promise.all(bodies)).flatMap((body) => Object.keys(body))
}
