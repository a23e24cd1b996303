import { afterEach, expect, test, vi } from 'vitest'
import { type AccountType, accountTypes, LIMITS } from '#contract'
import { checked } from './kit/testing.ts'
import type { CheckedMedia } from './network.ts'
import { loadNetworks, networksOf } from './registry.ts'

/** What the rules of a text may cost, held by its causes: which texts reach the counters that look into them. */

const networks = networksOf((await loadNetworks()).all)
afterEach(() => void vi.restoreAllMocks())

const fields: Readonly<Partial<Record<AccountType, Record<string, unknown>>>> = {
  INSTAGRAM: { type: 'IMAGE', collaborators: [] },
  FACEBOOK: { type: 'TEXT', richCaption: [] },
  PINTEREST: { title: 'A title', website: '' },
  YOUTUBE: { title: 'A title', privacy: 'PUBLIC' },
  GMB: { ctaType: 'NONE' },
}

function check(accountType: AccountType, caption: string, media: CheckedMedia[] = []) {
  const network = networks.serving(accountType)
  if (!network) throw new Error(`No network serves ${accountType}.`)
  return network.checkPost({ accountType, caption, media, fields: fields[accountType] ?? {} }, {})
}

/** Lengths of the texts that reach a counter while `work` runs. */
function lettersCounted(work: () => unknown): number[] {
  const seen: number[] = []
  const segment = Intl.Segmenter.prototype.segment
  const matchAll = String.prototype.matchAll
  vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    seen.push(text.length)
    return segment.call(this, text)
  })
  vi.spyOn(String.prototype, 'matchAll').mockImplementation(function (this: string, pattern) {
    seen.push(this.length)
    return matchAll.call(this, pattern)
  })
  work()
  vi.restoreAllMocks()
  return seen
}

const most = (unit: string) => unit.repeat(Math.floor(LIMITS.captionCodePoints / [...unit].length))
const TEXTS = ['Ж.Я.', '漢.字.', 'a.', '#a', '@a', '👩‍👩‍👧‍👦', 'e\u0301', '1 2 ', 'http://a.b '].map(most)

test.each(accountTypes)('a caption on %s that is far too long reaches no counter as a whole', (accountType) => {
  for (const text of [...TEXTS, `http://a.b/${')'.repeat(LIMITS.captionCodePoints - 11)}`]) {
    const letters = lettersCounted(() => check(accountType, text))
    // Twice the longest limit of a network that has counters: YouTube's 5,000 bytes.
    expect(letters.reduce((sum, each) => sum + each, 0)).toBeLessThan(15_000)
    const found = check(accountType, text).filter(({ code }) => code === 'post:caption_too_long')
    expect(found).not.toEqual([])
    for (const { limit, actual } of found) expect(actual).toBeGreaterThan(limit ?? Number.POSITIVE_INFINITY)
  }
})

test('words without end reach the counter of X in parts no longer than a host or a link can be', () => {
  for (const text of ['Ж.Я.', '漢.字.', 'https://a.co/漢.', 'https://a.invalid/Ж.', 'a'].map((unit) =>
    unit.repeat(Math.floor(25_000 / unit.length)),
  )) {
    const letters = lettersCounted(() => check('TWITTER', text))
    expect(Math.max(...letters)).toBeLessThanOrEqual(text.includes('.') ? 253 + 'https://'.length : 2_048)
  }
  const link = `https://example.com/?token=${'a.b'.repeat(600)}`
  expect(check('TWITTER', `${link} ${'a'.repeat(256)}`)).toEqual([])
})

test('alternative texts of items that Bluesky does not take are not counted', () => {
  const item = checked({}, { altText: 'e\u0301'.repeat(2_500) })
  expect(lettersCounted(() => check('BLUESKY', 'x', Array(50).fill(item)))).toEqual(Array(20).fill(5_000))
})

test.each(accountTypes)('a caption on %s is counted as its rule counts', (accountType) => {
  const network = networks.serving(accountType)
  for (const sign of ['x', '🥖', 'ß', 'https://example.com/a/long/path ']) {
    const post = (caption: string) => ({ accountType, caption, media: [], fields: fields[accountType] ?? {} })
    const counted = (caption: string) => network?.countCaption(post(caption), {})
    const found = (caption: string) =>
      check(accountType, caption).find(({ code, warning }) => code === 'post:caption_too_long' && !warning)
    const one = (counted(sign.repeat(2))?.actual ?? 0) - (counted(sign)?.actual ?? 0)
    const limit = counted(sign)?.limit ?? 0
    expect(limit).toBeGreaterThan(0)
    const most = sign.repeat(Math.floor(limit / one))
    expect([counted(most)?.actual, found(most)]).toEqual([expect.any(Number), undefined])
    const over = sign.repeat(Math.floor(limit / one) + 2)
    expect(found(over)).toMatchObject({ limit: counted(over)?.limit, actual: counted(over)?.actual })
  }
})
