import { describe, expect, test } from 'vitest'
import type { CalendarCard, Note } from '#contract'
import { rangeOf } from '../planning/dates/dates.ts'
import { besideCards, drawnOf, groupByDay, stacksOf } from './days.ts'
import { stepInGrid } from './grid-keys.ts'

const BERLIN = 'Europe/Berlin'
const card = (id: string, scheduledAt: string) => ({ id, scheduledAt }) as CalendarCard
const note = (id: string, scheduledAt: string) => ({ id, scheduledAt, content: id }) as Note
const november = rangeOf('month', Temporal.PlainDate.from('2026-11-08'), 1)

describe('days', () => {
  test('hold what the clock of the zone shows on them, by time', () => {
    const cards = [
      card('late', '2026-11-08T22:59:00Z'),
      card('next', '2026-11-08T23:00:00Z'),
      card('early', '2026-11-08T05:30:00Z'),
      card('elsewhere', '2027-11-08T05:30:00Z'),
    ]
    const days = groupByDay({ cards, notes: [note('n', '2026-11-08T00:00:00Z')] }, november, BERLIN)
    const [eighth, ninth] = [
      days.find(({ date }) => date === '2026-11-08'),
      days.find(({ date }) => date === '2026-11-09'),
    ]
    expect(eighth?.cards.map(({ id }) => id)).toEqual(['early', 'late'])
    expect(eighth?.notes).toHaveLength(1)
    expect(ninth?.cards.map(({ id }) => id)).toEqual(['next'])
    expect(days.flatMap((day) => day.cards)).toHaveLength(3)
  })

  test('say what stands beside cards that go: in a grid on the same day', () => {
    const cards = ['08T01', '08T02', '08T03', '10T01'].map((time) => card(time, `2026-11-${time}:00:00Z`))
    const days = groupByDay({ cards, notes: [] }, november, 'UTC')
    expect(besideCards(days, ['08T02'], true)).toBe('card-08T03')
    expect(besideCards(days, ['08T03'], true)).toBe('card-08T02')
    expect(besideCards(days, ['08T03'], false)).toBe('card-10T01')
    expect(besideCards(days, ['08T01', '08T02', '08T03'], true)).toBe('day-2026-11-08')
    expect(besideCards(days, ['10T01'], true)).toBe('day-2026-11-10')
    expect(
      besideCards(
        days,
        cards.map(({ id }) => id),
        false,
      ),
    ).toBeNull()
    expect(besideCards(days, ['elsewhere'], true)).toBeNull()
  })

  test('of the week have their cards by the minute, of many at once a number', () => {
    const same = ['1', '2', '3', '4', '5'].map((id) => card(id, '2026-11-08T09:10:00Z'))
    const cards = [...same, card('6', '2026-11-08T09:40:00Z')]
    const stacks = stacksOf({ date: '2026-11-08', notes: [], cards }, BERLIN)
    expect(stacks.map(({ minutes, cards, more }) => [minutes, cards.map(({ id }) => id).join(''), more])).toEqual([
      [610, '123', 2],
      [640, '6', 0],
    ])
  })

  test('with more than have room draw one that failed, and that is in sight before it', () => {
    const states = ['published', 'failed', 'published', 'partly-published', 'scheduled'] as const
    const cards = states.map((state, index) => ({ ...card(String(index), '2026-11-08T09:10:00Z'), state }))
    const drawn = (count: number, inSight: string | null = null) =>
      drawnOf(cards, count, inSight).cards.map(({ id }) => id)
    expect([drawn(1), drawn(2), drawn(3), drawn(5)]).toEqual([
      ['1'],
      ['0', '1'],
      ['0', '1', '3'],
      ['0', '1', '2', '3', '4'],
    ])
    expect(drawn(3, '4')).toEqual(['0', '1', '4'])
    expect(drawnOf(cards, 3, null).more).toBe(2)
  })
})

describe('arrows', () => {
  const days = Array.from({ length: 14 }, (_, index) => {
    const date = Temporal.PlainDate.from('2026-11-02').add({ days: index }).toString()
    return { date, ids: index === 3 ? [date, 'a', 'b', 'c'] : index === 4 ? [date, 'd'] : [date] }
  })
  const step = (from: string, key: string) => stepInGrid(days, from, key)
  const to = (id: string) => ({ kind: 'item', id })

  test('go through a day and beyond it into the week after', () => {
    expect(step('2026-11-05', 'ArrowDown')).toEqual(to('a'))
    expect(step('c', 'ArrowDown')).toEqual(to('2026-11-12'))
    expect(step('2026-11-12', 'ArrowUp')).toEqual(to('c'))
    expect(step('a', 'ArrowUp')).toEqual(to('2026-11-05'))
  })

  test('go to the days beside, as deep as there is something', () => {
    expect(step('a', 'ArrowRight')).toEqual(to('d'))
    expect(step('c', 'ArrowRight')).toEqual(to('d'))
    expect(step('c', 'ArrowLeft')).toEqual(to('2026-11-04'))
    expect(step('2026-11-05', 'ArrowRight')).toEqual(to('2026-11-06'))
  })

  test('go to the ends of the week', () => {
    expect(step('b', 'Home')).toEqual(to('2026-11-02'))
    expect(step('b', 'End')).toEqual(to('2026-11-08'))
  })

  test('lead out of the page at its edges', () => {
    expect(step('2026-11-02', 'ArrowLeft')).toEqual({ kind: 'outside', date: '2026-11-01' })
    expect(step('2026-11-15', 'ArrowRight')).toEqual({ kind: 'outside', date: '2026-11-16' })
    expect(step('2026-11-15', 'ArrowDown')).toEqual({ kind: 'outside', date: '2026-11-22' })
    expect(step('2026-11-02', 'ArrowUp')).toEqual({ kind: 'outside', date: '2026-10-26' })
  })

  test('begin at the first day when nothing had the focus', () => {
    expect(step('gone', 'ArrowDown')).toEqual(to('2026-11-02'))
    expect(step('2026-11-05', 'Enter')).toBeNull()
  })
})
