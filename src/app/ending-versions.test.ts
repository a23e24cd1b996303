import { expect, test } from 'vitest'
import { loadNetworks, type Manifest } from '#networks'
import { endingVersions } from './ending-versions.ts'

const manifest = {
  name: 'two-words',
  title: 'Two Words',
  settings: { API_VERSION: { description: '', default: 'v2', ends: { v1: '2026-01-31', v2: '2027-03-02' } } },
} as Partial<Manifest> as Manifest
const at = (time: string, settings = {}) => endingVersions(manifest, settings, new Date(time))

test.each([
  ['2026-12-31T23:59:59Z', null],
  ['2027-01-01T00:00:00Z', 'in 60 days'],
  ['2027-03-01T00:00:00Z', 'in 1 day'],
  ['2027-03-02T00:00:00Z', 'has ended on 2027-03-02'],
])('at %s: %s', (time, words) => {
  const reported = at(time)
  expect(reported).toHaveLength(words === null ? 0 : 1)
  if (words === null) return
  expect(reported[0]?.message).toContain(words)
  expect(reported[0]?.message).toContain('ALMANAC_TWO_WORDS_API_VERSION')
  expect(reported[0]?.ended).toBe(words.startsWith('has'))
})

test('the version that is set counts, and one that is not known here is reported as such', () => {
  expect(at('2026-02-01T00:00:00Z', { API_VERSION: 'v1' })).toMatchObject([{ ended: true }])
  expect(at('2028-02-01T00:00:00Z', { API_VERSION: 'v9' })).toMatchObject([
    { ended: false, message: expect.stringContaining('does not know version v9') },
  ])
})

test('no shipped version ends within sixty days of this release', async () => {
  const release = new Date('2026-11-21T00:00:00Z')
  const { all } = await loadNetworks()
  expect(all.flatMap((network) => endingVersions(network.manifest, {}, release))).toEqual([])
})
