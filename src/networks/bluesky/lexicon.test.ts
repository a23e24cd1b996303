import { lexicons } from '@atproto/api'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { LIMITS, manifest } from './manifest.ts'
import { POSTS } from './publish.ts'
import { isTid, tidAt } from './state.ts'

/** The numbers of the manifest beside the schemas of the installed package. */

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

  test.each(['en', 'de-CH', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419', 'sl-rozaj', 'fil'])(
    'the language %s',
    (code) => {
      expect(isLanguage(code)).toBe(true)
      const record = { $type: POSTS, text: 'a', createdAt: '2026-11-21T07:00:00.000Z', langs: [code] }
      expect(() => lexicons.assertValidRecord(POSTS, record)).not.toThrow()
    },
  )
})

const isLanguage = (code: string) => manifest.defaults.every(({ schema }) => Value.Check(schema, code))

test.each(['', 'e', 'English', 'en_US', 'en-', 'EN', 'x'])('the language %j is none', (code) => {
  expect(isLanguage(code)).toBe(false)
})

test('keys are of the form that servers want, differ, hold the clock and sort by it', () => {
  const times = [Date.parse('2026-11-21T07:00:00.000Z'), Date.parse('2026-11-21T07:00:00.001Z')]
  const keys = times.flatMap((time) => Array.from({ length: 50 }, () => tidAt(new Date(time))))
  const digits = '234567abcdefghijklmnopqrstuvwxyz'
  const timeOf = (key: string) => [...key].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n) >> 10n
  expect(keys.every(isTid)).toBe(true)
  expect(new Set(keys).size).toBeGreaterThan(98)
  expect(keys.map((key) => Number(timeOf(key) / 1000n))).toEqual(times.flatMap((time) => Array(50).fill(time)))
  expect(
    keys
      .slice(0, 50)
      .sort()
      .at(-1)
      ?.localeCompare(keys.slice(50).sort()[0] ?? ''),
  ).toBe(-1)
  const others = ['', '3lbtidtidtid', '3lbtidtidtid22', '1lbtidtidtid2', 'zlbtidtidtid2', '3LBTIDTIDTID2']
  expect(others.filter(isTid)).toEqual([])
})
