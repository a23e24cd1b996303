import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { type AccountType, accountTypeEntry } from '#contract'
import { DAY_MS } from '#contract/durations'
import { answer, page } from '../kit/testing.ts'
import type { Finding, Manifest } from '../network.ts'
import { sandboxDefaults } from '../options.ts'
import { signInsOf } from '../sign-ins.ts'
import { answerOf } from './describe-reads.ts'
import type { ConformanceHarness } from './harness.ts'
import { openSampleMedia } from './media.ts'

/** What a network says of itself: manifest, rules, error table, and the files of its folder. */
export function describeData(harness: ConformanceHarness): void {
  const { manifest, checkPost } = harness.network
  const folder = harness.apart?.folder ?? join(import.meta.dirname, '..', manifest.name)
  const entryOf = (accountType: AccountType) => harness.apart?.entry ?? accountTypeEntry(accountType)

  describe('manifest', () => {
    test('serves account types of its own', () => {
      expect(manifest.accountTypes.length).toBeGreaterThan(0)
      for (const accountType of manifest.accountTypes) expect(entryOf(accountType).network).toBe(manifest.name)
    })

    test.each(Object.entries(manifest.limits))('limit %s has a value, a source and the day it was read', (_, limit) => {
      expect(Number.isFinite(limit.value)).toBe(true)
      expect(limit.unit).not.toBe('')
      expect(limit.source).toMatch(/^https:\/\/\S+$/)
      expect(limit.read).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect(new Date(limit.read).getTime()).toBeLessThan(Date.now() + DAY_MS)
      if (limit.unsure !== undefined) expect(limit.unsure.length).toBeGreaterThan(10)
    })

    test.each(Object.entries(manifest.endpoints))('endpoint %s has a secure default and a setting', (_, endpoint) => {
      expect(endpoint.default).toMatch(/^https:\/\/[^/]+(\/.*[^/])?$/)
      expect(endpoint.setting).toMatch(/^[A-Z][A-Z0-9_]*$/)
    })

    test('every account type has its forms, whose numbers are limits', () => {
      expect(Object.keys(manifest.forms).sort()).toEqual([...manifest.accountTypes].sort())
      const known = Object.values(manifest.limits).map(({ value }) => value)
      for (const [accountType, forms = []] of Object.entries(manifest.forms)) {
        const { fields } = entryOf(accountType as AccountType)
        const types = (fields.type?.schema as { enum?: string[] } | undefined)?.enum
        expect(forms.map(({ type }) => type).sort()).toEqual([...(types ?? [null])].sort())
        for (const { caption, media } of forms) {
          if (caption) expect(known).toContain(caption.max)
          expect(media.max).toBeGreaterThanOrEqual(media.min)
          expect(media.max).toBe(media.mixed ? media.max : Math.max(media.images, media.videos, media.documents))
        }
      }
    })

    test('publishing defaults are described, and the sandbox has the required ones', () => {
      for (const field of manifest.defaults) {
        expect(field.name).toMatch(/^[a-z][A-Za-z0-9]*$/)
        expect(field.title.length).toBeGreaterThan(3)
        expect(field.description.length).toBeGreaterThan(10)
        if (field.required) expect(field.sandbox).toBeDefined()
        if (field.sandbox !== undefined) expect(Value.Check(field.schema, field.sandbox)).toBe(true)
      }
    })

    test('versions that end have their day, and the default is one of them', () => {
      for (const { ends, default: fallback } of Object.values(manifest.settings)) {
        if (ends === undefined) continue
        expect(Object.keys(ends)).toContain(fallback)
        for (const day of Object.values(ends)) expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      }
    })

    test('each way to sign in has its words, when there are several', () => {
      const { oauth, otherSignIns = {} } = harness.network.connect
      const ways = manifest.signIns ?? []
      expect(ways.map(({ name }) => name).slice(1)).toEqual(Object.keys(otherSignIns))
      expect(signInsOf(harness.network).length).toBe(oauth ? Math.max(1, ways.length) : 0)
      for (const { title, description } of ways) {
        expect(title.length).toBeGreaterThan(5)
        expect(description).toMatch(/^[A-Z].{20,}\.$/)
      }
    })

    test('the settings of the sign-ins are declared, and the sandbox has its own', () => {
      for (const name of signInsOf(harness.network).flatMap(({ oauth }) => oauth.requires)) {
        expect(manifest.settings[name]?.default).toBeUndefined()
        expect(manifest.settings[name]?.sandbox?.length).toBeGreaterThan(5)
      }
    })

    test('settings are described, secret ones have no default', () => {
      for (const [name, { description, secret, default: fallback }] of Object.entries(manifest.settings)) {
        expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/)
        expect(description.length).toBeGreaterThan(10)
        if (secret) expect(fallback).toBeUndefined()
      }
    })

    test('the folder has a page for people that names every setting, and an icon that runs nothing', async () => {
      const readme = await readFile(join(folder, 'README.md'), 'utf8')
      expect(readme.startsWith(`# ${manifest.title}\n`)).toBe(true)
      const addresses = Object.values(manifest.endpoints).map(({ setting }) => setting)
      const own = [...Object.keys(manifest.settings), ...addresses]
      const prefix = `ALMANAC_${manifest.name.replaceAll('-', '_').toUpperCase()}_`
      expect(own.filter((setting) => !readme.includes(`\`${prefix}${setting}\``))).toEqual([])
      const icon = await readFile(join(folder, 'icon.svg'), 'utf8')
      expect(icon).toMatch(/^<svg[^>]*viewBox=/)
      expect(icon).not.toMatch(/<script|href=|\son\w+=|<foreignObject/i)
    })
  })

  describe('rules', () => {
    test.each(harness.samples)('take the sample $title', async (sample) => {
      const { accountType, caption, fields = {}, media = [], thread = [] } = sample
      const sources = await openSampleMedia()
      try {
        const post = { accountType, caption, fields, media: await sources.of(media) }
        expect(checkPost(post, sandboxDefaults(manifest, accountType))).toEqual([])
        for (const part of thread) {
          const further = { ...post, caption: part.caption, media: await sources.of(part.media ?? []) }
          expect(checkPost(further, sandboxDefaults(manifest, accountType))).toEqual([])
        }
      } finally {
        await sources.close()
      }
    })

    test.each(harness.broken ?? [])('refuse $title', ({ post, codes, defaults }) => {
      const findings = checkPost(post, defaults ?? sandboxDefaults(manifest, post.accountType))
      expect(findings.map(({ code, warning }) => (warning ? `${code}?` : code)).sort()).toEqual([...codes].sort())
      for (const finding of findings) expectWords(manifest, finding)
    })
  })

  const { errors } = harness
  if (!errors) return
  describe('error table', () => {
    test.each(errors.rows.map((row, index) => [row.title, row, index] as const))('%s', (_, row, index) => {
      expect(row.source).toMatch(/^https:\/\/\S+/)
      const { row: found, meaning } = errors.lookUp(answerOf(row.example), new Date())
      expect(errors.rows[found ?? -1]?.title).toBe(errors.rows[index]?.title)
      expect(meaning.message).toMatch(/^[A-Z].{10,}/)
    })

    test('what it does not know is never taken for a success', () => {
      for (const unknown of [answer(500), page(200)]) {
        expect(errors.lookUp(unknown, new Date()).meaning.kind).toBe('ambiguous')
      }
    })
  })
}

/** A finding says what and where, in a sentence, with both numbers or none. */
export function expectWords(manifest: Manifest, { message, steps, limit, actual }: Finding): void {
  expect(message).toMatch(/^[A-Z].{20,}\.$/s)
  expect(message).toContain(manifest.title)
  expect(steps.length).toBeGreaterThan(0)
  expect(actual === undefined).toBe(limit === undefined)
  if (limit !== undefined) expect(Object.values(manifest.limits).map(({ value }) => value)).toContain(limit)
}
