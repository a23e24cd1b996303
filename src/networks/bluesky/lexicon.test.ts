import { lexicons } from '@atproto/api'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { LIMITS, manifest } from './manifest.ts'

/** The numbers of the manifest beside the schemas of the installed package. */

interface Schema {
  properties?: Record<string, Schema>
  maxLength?: number
  maxGraphemes?: number
  maxSize?: number
  refs?: string[]
}
const schemaOf = (id: string, name = 'main') => {
  const found = lexicons.get(id)?.defs[name] as (Schema & { record?: Schema }) | undefined
  return found?.record ?? found
}

describe('the schemas know', () => {
  test('galleries, and posts that hold one', () => {
    const gallery = schemaOf('app.bsky.embed.gallery')?.properties?.items
    expect(gallery?.maxLength).toBe(LIMITS.images.value)
    expect(schemaOf('app.bsky.feed.post')?.properties?.embed?.refs).toContain('lex:app.bsky.embed.gallery')
    expect(schemaOf('app.bsky.embed.images')?.properties?.images?.maxLength).toBe(LIMITS.imagesWithoutGallery.value)
  })

  test('texts, videos and cards of the same size', () => {
    const { maxLength, maxGraphemes } = schemaOf('app.bsky.feed.post')?.properties?.text ?? {}
    expect([maxLength, maxGraphemes]).toEqual([LIMITS.textBytes.value, LIMITS.textGraphemes.value])
    expect(schemaOf('app.bsky.embed.video')?.properties?.video?.maxSize).toBe(LIMITS.videoBytes.value)
    expect(schemaOf('app.bsky.embed.external', 'external')?.properties?.thumb?.maxSize).toBe(LIMITS.thumbBytes.value)
  })

  test.each([
    ...['en', 'de-CH', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419', 'sl-rozaj', 'fil'].map(
      (code) => [code, true] as const,
    ),
    ...['', 'e', 'English', 'en_US', 'en-', 'EN', 'x'].map((code) => [code, false] as const),
  ])('the language %j: %s', (code, isTaken) => {
    const [language] = manifest.defaults
    expect(language && Value.Check(language.schema, code)).toBe(isTaken)
    const record = { $type: 'app.bsky.feed.post', text: 'a', createdAt: '2026-11-21T07:00:00.000Z', langs: [code] }
    if (isTaken) expect(() => lexicons.assertValidRecord('app.bsky.feed.post', record)).not.toThrow()
  })
})
