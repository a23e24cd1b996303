import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMENT_FIELDS as COMMENT_SHOWN, MEDIA_FIELDS as MEDIA_SHOWN } from './simulator.ts'
import { PARAMS } from './simulator-media.ts'
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
  test('know every parameter of a container that the simulator takes, which refuses all others', () => {
    const known = names(paramsOf('IGUser', 'POST', 'media'))
    const taken = Object.values(PARAMS).flatMap((each) => each.split(' '))
    // Documented on 1 June 2026, for accounts of Facebook login.
    expect([...new Set(taken)].filter((name) => !known.includes(name))).toEqual(['audio_configuration'])
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
