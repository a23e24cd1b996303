import { describe, expect, test } from 'vitest'
import type { CalendarCard } from '#contract'
import {
  awaitsReview,
  isApproved,
  lacksApproval,
  nameOf,
  type PostSetSubject,
  whyNotChangeable,
} from '../planning/posts/subject.ts'
import { clockChoices, publishesAtOnce, resolveTarget, staysPut } from './plan-move.ts'

const BERLIN = 'Europe/Berlin'
const DAY_CLOCK = { locale: 'en-GB', hourCycle: 'h23', weekStart: 'auto' } as const
const at = (scheduledAt: string) => ({ scheduledAt })
const exact = (instant: string) => ({ kind: 'exact', instant })

describe('where a move leads', () => {
  test('another day keeps the clock time, over a change of clocks too', () => {
    expect(resolveTarget(at('2026-10-22T13:45:00Z'), BERLIN, { to: 'day', date: '2026-10-28' })).toEqual(
      exact('2026-10-28T14:45:00.000Z'),
    )
    expect(resolveTarget(at('2027-03-29T13:45:00Z'), BERLIN, { to: 'days', days: -7 })).toEqual(
      exact('2027-03-22T14:45:00.000Z'),
    )
  })

  test('a time of a day', () => {
    expect(resolveTarget(at('2026-10-22T13:45:00Z'), BERLIN, { to: 'time', date: '2026-11-08', minutes: 390 })).toEqual(
      exact('2026-11-08T05:30:00.000Z'),
    )
  })

  test('a quarter of an hour is one, in the night when clocks change too', () => {
    expect(resolveTarget(at('2026-10-25T00:45:00Z'), BERLIN, { to: 'minutes', minutes: 15 })).toEqual(
      exact('2026-10-25T01:00:00.000Z'),
    )
  })

  test('a gap and an overlap are reported with both ways out', () => {
    const gap = resolveTarget(at('2027-03-27T01:30:00Z'), BERLIN, { to: 'days', days: 1 })
    const overlap = resolveTarget(at('2026-10-24T00:30:00Z'), BERLIN, { to: 'day', date: '2026-10-25' })
    if (gap.kind === 'exact' || overlap.kind === 'exact') return expect.fail('Nothing is asked.')
    expect(clockChoices(gap, BERLIN, DAY_CLOCK)).toEqual([
      { instant: '2027-03-28T00:30:00.000Z', label: '01:30 (UTC+01:00)' },
      { instant: '2027-03-28T01:30:00.000Z', label: '03:30 (UTC+02:00)' },
    ])
    expect(clockChoices(overlap, BERLIN, DAY_CLOCK)).toEqual([
      { instant: '2026-10-25T00:30:00.000Z', label: 'First 02:30 (UTC+02:00)' },
      { instant: '2026-10-25T01:30:00.000Z', label: 'Second 02:30 (UTC+01:00)' },
    ])
    expect(clockChoices(gap, BERLIN, { ...DAY_CLOCK, hourCycle: 'h12' })[1]?.label).toMatch(/^0?3:30\sam \(UTC/)
  })

  test('to where it is already is no move, in any notation', () => {
    expect(staysPut(at('2026-10-22T13:45:00Z'), '2026-10-22T13:45:00.000Z')).toBe(true)
    expect(staysPut(at('2026-10-22T13:45:00Z'), '2026-10-22T13:46:00.000Z')).toBe(false)
  })

  test('only what is scheduled is published by a move into the past', () => {
    const now = Date.parse('2026-11-21T12:00:00Z')
    expect(publishesAtOnce({ status: 'SCHEDULED' }, '2026-11-20T12:00:00Z', now)).toBe(true)
    expect(publishesAtOnce({ status: 'SCHEDULED' }, '2026-11-22T12:00:00Z', now)).toBe(false)
    expect(publishesAtOnce({ status: 'DRAFT' }, '2026-11-20T12:00:00Z', now)).toBe(false)
  })
})

describe('who may', () => {
  const subject: PostSetSubject = {
    id: '1',
    socialSetId: '1',
    scheduledAt: '2026-10-22T13:45:00Z',
    status: 'SCHEDULED',
    approval: 'NONE',
    isLocked: false,
    lockedBy: null,
    version: 1,
    seriesId: null,
    labelsId: [],
    networks: [],
    kinds: [],
    excerpt: 'Autumn teaser',
  }
  const editor = ['post-sets:write', 'post-sets:publish'] as const

  test('a set that can be changed has no reason against it', () => {
    expect(whyNotChangeable(subject, editor)).toBeNull()
    expect(whyNotChangeable({ ...subject, status: 'DRAFT' }, ['post-sets:write'])).toBeNull()
  })

  test.each<[Partial<CalendarCard>, RegExp]>([
    [{ status: 'PUBLISHED' }, /has been sent/],
    [{ status: 'PUBLISHING' }, /is being published/],
    [{ isLocked: true, lockedBy: 'Anna' }, /locked by Anna/],
    [{ isLocked: true }, /is locked\. Unlock/],
  ])('%j cannot be changed, and it is said why', (change, why) => {
    expect(whyNotChangeable({ ...subject, ...change }, editor)).toMatch(why)
  })

  test('authors change drafts only, reviewers nothing', () => {
    expect(whyNotChangeable(subject, ['post-sets:write'])).toMatch(/drafts only/)
    expect(whyNotChangeable(subject, ['post-sets:review'])).toMatch(/Your role/)
  })

  test('a set is called by the first line of its text', () => {
    expect(nameOf({ excerpt: 'Autumn teaser\nwith more' })).toBe('Autumn teaser')
    expect(nameOf({ excerpt: '  ' })).toBe('Post without text')
    expect(nameOf({ excerpt: '', kinds: ['STORY', 'REEL'] })).toBe('Story, Reel')
    expect(nameOf({ excerpt: 'Autumn', kinds: ['REEL'] })).toBe('Autumn')
    expect(nameOf({ excerpt: '🍁'.repeat(70) })).toBe(`${'🍁'.repeat(60)}…`)
  })

  test('approval is asked for where it is neither given nor asked for', () => {
    const asked = ['NONE', 'DENIED', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED'] as const
    expect(asked.filter((approval) => lacksApproval({ status: 'DRAFT', approval }))).toEqual(['NONE', 'DENIED'])
  })

  test('approval is asked for again where it is given and nothing has gone out', () => {
    const all = ['NONE', 'DENIED', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED'] as const
    expect(all.filter((approval) => isApproved({ status: 'SCHEDULED', approval }))).toEqual(['APPROVED'])
    const sent = ['PUBLISHING', 'PUBLISHED'] as const
    expect(sent.filter((status) => isApproved({ status, approval: 'APPROVED' }))).toEqual([])
  })

  test('reviewers are asked about what is pending', () => {
    expect(awaitsReview({ ...subject, approval: 'PENDING' })).toBe(true)
    expect(awaitsReview({ ...subject, approval: 'APPROVED' })).toBe(false)
  })
})
