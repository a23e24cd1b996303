import { lexicons } from '@atproto/api'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { LIMITS, manifest } from './manifest.ts'
import { POSTS } from './publish.ts'
import { isTid, tidAt } from './state.ts'

/** The numbers of the manifest beside the schemas of the installed package. */

const [language] = manifest.defaults
const isLanguage = (code: string) => language !== undefined && Value.Check(language.schema, code)

describe('the schemas know', () => {
  test.each([
    ['galleries, and posts that hold one', 'embed.gallery', { items: { maxLength: LIMITS.images.value } }],
    ['posts', 'feed.post', { embed: { refs: expect.arrayContaining(['lex:app.bsky.embed.gallery']) } }],
    ['texts', 'feed.post', { text: { maxLength: LIMITS.textBytes.value, maxGraphemes: LIMITS.textGraphemes.value } }],
    ['images', 'embed.images', { images: { maxLength: LIMITS.imagesWithoutGallery.value } }],
    ['videos', 'embed.video', { video: { maxSize: LIMITS.videoBytes.value } }],
    ['cards', 'embed.external', { thumb: { maxSize: LIMITS.thumbBytes.value } }, 'external'],
  ])('%s', (_, id, properties, name = 'main') => {
    const found = lexicons.get(`app.bsky.${id}`)?.defs[name]
    expect(found && 'record' in found ? found.record : found).toMatchObject({ properties })
  })

  test('all languages that may be chosen', () => {
    const record = { $type: POSTS, text: 'a', createdAt: '2026-11-21T07:00:00.000Z' }
    const langs = ['zh-Hant-TW', 'es-419', 'sl-rozaj']
    expect(langs.filter(isLanguage)).toEqual(langs)
    expect(() => lexicons.assertValidRecord(POSTS, { ...record, langs })).not.toThrow()
    expect(['', 'e', 'English', 'en_US', 'en-', 'EN', 'x'].filter(isLanguage)).toEqual([])
  })
})

test('keys are of the form that servers want, differ, hold the clock and sort by it', () => {
  const time = Date.parse('2026-11-21T07:00:00.000Z')
  const keysAt = (ms: number) => Array.from({ length: 50 }, () => tidAt(new Date(ms))).sort()
  const [early, late] = [keysAt(time), keysAt(time + 1)]
  const digits = '234567abcdefghijklmnopqrstuvwxyz'
  const timeOf = (key: string) => [...key].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n) >> 10n
  expect([...early, ...late].every(isTid)).toBe(true)
  expect(new Set(early).size).toBeGreaterThan(48)
  expect(early.map((key) => Number(timeOf(key) / 1000n))).toEqual(Array(50).fill(time))
  expect([...early, ...late].sort()).toEqual([...early, ...late])
  const others = ['', '3lbtidtidtid', '3lbtidtidtid22', '1lbtidtidtid2', 'zlbtidtidtid2', '3LBTIDTIDTID2']
  expect(others.filter(isTid)).toEqual([])
})
