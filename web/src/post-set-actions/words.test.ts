import { expect, test } from 'vitest'
import { ago, fasterSentence } from './faster.ts'
import { movedSentence, saidTime } from './words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const plain = { locale: 'en-GB', hourCycle: 'auto', weekStart: 'auto' } as const
const subject = {
  id: '1',
  socialSetId: '1',
  scheduledAt: '2026-10-22T13:45:00Z',
  status: 'DRAFT',
  approval: 'NONE',
  isLocked: false,
  lockedBy: null,
  version: 1,
  seriesId: null,
  labelsId: [],
  networks: [],
  kinds: [],
  excerpt: 'Autumn teaser',
} as const

test('a move is reported with day, date and clock time of the zone', () => {
  expect(
    movedSentence(
      { ...subject, labelsId: [], networks: [], kinds: [] },
      '2026-11-08T05:30:00Z',
      'Europe/Berlin',
      plain,
    ),
  ).toBe('Autumn teaser moved to Sunday 8 November 2026, 06:30.')
  expect(saidTime('2026-11-08T05:30:00Z', 'America/New_York', plain)).toBe('Sunday 8 November 2026, 00:30')
})

test('who was faster is distinguished from the history', () => {
  const entry = { id: '1', at: '2026-11-21T11:58:00Z', actor: { type: 'USER', name: 'Anna' } } as const
  expect(fasterSentence({ ...entry, action: 'updated', changes: { scheduledAt: { from: '1', to: '2' } } }, now)).toBe(
    'Anna moved this 2 minutes ago.',
  )
  expect(fasterSentence({ ...entry, action: 'locked', changes: {} }, now)).toBe('Anna locked this 2 minutes ago.')
  const deleted = { status: 'DRAFT', scheduledAt: '2026-11-21T11:58:00Z' } as const
  expect(fasterSentence({ ...entry, action: 'deleted', changes: deleted }, now)).toBe(
    'Anna deleted this 2 minutes ago.',
  )
  expect(fasterSentence(undefined, now)).toBe('Someone else changed this in the meantime.')
})

test.each([
  ['2026-11-21T11:59:50Z', 'just now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T11:00:00Z', '1 hour ago'],
  ['2026-11-19T12:00:00Z', '2 days ago'],
  ['2026-11-21T12:00:30Z', 'just now'],
])('%s is %s', (instant, words) => {
  expect(ago(instant, now)).toBe(words)
})
