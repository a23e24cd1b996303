import { describe, expect, test } from 'vitest'
import type { CalendarCard } from '#contract'
import { monthsOf, nearest } from './elsewhere-months.ts'
import { countFilters, matches, NO_FILTERS, readFilters, serverFilters, writeFilters } from './filters.ts'

const card: CalendarCard = {
  id: '1',
  socialSetId: '1',
  scheduledAt: '2026-11-08T05:30:00.000Z',
  status: 'SCHEDULED',
  approval: 'PENDING',
  isLocked: false,
  lockedBy: null,
  version: 1,
  seriesId: null,
  startsSeries: false,
  labelsId: ['a', 'b'],
  networks: [{ accountType: 'BLUESKY', result: null }],
  state: 'pending',
  excerpt: 'Autumn teaser',
  thumbnailUrl: null,
  mediaType: null,
  mediaCount: 0,
  kinds: [],
  author: { type: 'USER', name: 'Anna' },
  mine: false,
}
const reviewer = { rights: ['post-sets:review' as const] }
const anna = { rights: ['post-sets:write' as const] }

describe('the address', () => {
  test('holds the filters, and gives them back', () => {
    const search = { net: 'BLUESKY,TIKTOK', status: 'draft,failed,needs-me', label: 'a', author: 'u1', q: 'sale' }
    const filters = readFilters(search)
    expect(filters).toMatchObject({ networks: ['BLUESKY', 'TIKTOK'], states: ['draft', 'failed'], needsMe: true })
    expect(countFilters(filters)).toBe(8)
    expect(writeFilters(filters)).toEqual(search)
  })

  test('without filters, or with unknown ones, filters nothing', () => {
    expect(readFilters({})).toEqual(NO_FILTERS)
    expect(readFilters({ status: 'nonsense,', q: '   ', net: ',,' })).toEqual(NO_FILTERS)
    expect(Object.values(writeFilters(NO_FILTERS)).every((value) => value === undefined)).toBe(true)
  })
})

describe('a card', () => {
  test('passes without filters, and with one of each kind', () => {
    expect(matches(card, NO_FILTERS, anna)).toBe(true)
    const all = { ...NO_FILTERS, networks: ['X', 'BLUESKY'], states: ['pending' as const], labelIds: ['z', 'b'] }
    expect(matches(card, all, anna)).toBe(true)
  })

  test.each([{ networks: ['TIKTOK'] }, { states: ['draft' as const] }, { labelIds: ['z'] }, { text: 'zz' }])(
    'does not pass %j',
    (filter) => {
      expect(matches(card, { ...NO_FILTERS, ...filter }, anna)).toBe(false)
    },
  )

  test('needs a reviewer while it is pending, and its author when changes are asked for', () => {
    const needsMe = { ...NO_FILTERS, needsMe: true }
    expect(matches(card, needsMe, reviewer)).toBe(true)
    expect(matches(card, needsMe, anna)).toBe(false)
    const returned = { ...card, approval: 'DENIED' as const, state: 'changes-requested' as const }
    expect(matches({ ...returned, mine: true }, needsMe, anna)).toBe(true)
    expect(matches(returned, needsMe, anna)).toBe(false)
  })

  test('is searched here by two letters, by the server from three on', () => {
    expect(matches(card, { ...NO_FILTERS, text: 'TE' }, anna)).toBe(true)
    expect(serverFilters({ ...NO_FILTERS, text: 'te' }).search).toBeNull()
    expect(serverFilters({ ...NO_FILTERS, text: 'tea' }).search).toBe('tea')
  })
})

describe('what matches elsewhere', () => {
  const group = { month: '2026-12', state: 'draft', status: 'DRAFT', approval: 'NONE', mine: false } as const

  test('is counted by month, of those that the screen filters by', () => {
    const groups = [
      { ...group, count: 3, first: '2026-12-04T10:00:00.000Z' },
      { ...group, count: 1, first: '2026-12-02T10:00:00.000Z', state: 'failed' as const, status: 'PUBLISHED' as const },
      { ...group, count: 2, first: '2027-01-02T10:00:00.000Z', month: '2027-01' },
    ]
    expect(monthsOf(groups, NO_FILTERS, anna)).toEqual([
      { month: '2026-12', count: 4, first: '2026-12-02T10:00:00.000Z' },
      { month: '2027-01', count: 2, first: '2027-01-02T10:00:00.000Z' },
    ])
    expect(monthsOf(groups, { ...NO_FILTERS, states: ['failed'] }, anna)).toEqual([
      { month: '2026-12', count: 1, first: '2026-12-02T10:00:00.000Z' },
    ])
  })

  test('is named where it is nearest, across years too', () => {
    const months = ['2020-01', '2026-08', '2026-12', '2027-01', '2030-01'].map((month) => ({
      month,
      count: 1,
      first: '',
    }))
    expect(nearest(months, '2026-11').map(({ month }) => month)).toEqual(['2026-08', '2026-12', '2027-01'])
  })
})
