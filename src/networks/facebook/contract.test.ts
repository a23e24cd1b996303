import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EDGES } from './simulator.ts'
import { POST_FIELDS as SIMULATED_POST_FIELDS } from './simulator-posts.ts'
import { VIDEO_FIELDS as SIMULATED_VIDEO_FIELDS } from './simulator-videos.ts'
import { KNOWN_POST_FIELDS, PHOTO_POST_FIELDS, VIDEO_FIELDS } from './wire.ts'

/** The vendor's machine-readable contracts. They are not part of the project and lie beside it on some machines. */
const contracts = join(import.meta.dirname, '../../../../shared/contracts/meta')
const missing = !existsSync(contracts)
if (missing && process.env.CI === 'true') throw new Error(`The contracts of the vendor are not at ${contracts}.`)
if (missing) process.stderr.write(`Contracts of the vendor: not at ${contracts}, so nothing is compared with them.\n`)

interface Contract {
  apis: { method: string; endpoint?: string; params: { name: string }[] }[]
  fields: { name: string }[]
}
const read = (name: string): Contract => JSON.parse(readFileSync(join(contracts, `${name}.json`), 'utf8'))
/** Names of fields and edges. */
const partsOf = (name: string) => {
  const { fields, apis } = read(name)
  return [...fields.map((field) => field.name), ...apis.map(({ endpoint }) => endpoint)]
}
const paramsOf = (method: string, edge: string) => {
  const api = read('Page').apis.find((each) => each.method === method && each.endpoint === edge)
  return api?.params.map(({ name }) => name) ?? []
}

describe.skipIf(missing)('the contracts of the vendor, when they lie beside the checkout,', () => {
  // What the simulator does not take, it refuses: so nothing else is sent. A file is no parameter of the contracts.
  test.each(Object.entries(EDGES))('know every parameter of %s that is sent or taken', (edge, [, taken]) => {
    expect(['source', ...paramsOf('POST', edge)]).toEqual(expect.arrayContaining(taken.split(' ')))
  })

  test('know every listing and field that is asked for', () => {
    for (const edge of ['published_posts', 'stories']) expect(paramsOf('GET', edge)).not.toEqual([])
    expect(paramsOf('GET', 'stories')).toContain('since')
    const plain = (fields: string) => fields.replace(/\{.*\}/, '').split(',')
    const ofPosts = [...plain(PHOTO_POST_FIELDS), ...plain(KNOWN_POST_FIELDS), ...SIMULATED_POST_FIELDS]
    expect(partsOf('PagePost')).toEqual(expect.arrayContaining(ofPosts))
    expect(partsOf('AdVideo')).toEqual(expect.arrayContaining([...plain(VIDEO_FIELDS), ...SIMULATED_VIDEO_FIELDS]))
    const ofPages = ['id', 'name', 'username', 'link', 'access_token', 'picture']
    expect(partsOf('Page')).toEqual(expect.arrayContaining(ofPages))
  })
})
