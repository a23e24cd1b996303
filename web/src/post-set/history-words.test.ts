import { expect, test } from 'vitest'
import type { HistoryItem } from '#contract'
import { changeLines } from './history-words.ts'

const lines = (changes: HistoryItem['changes']) =>
  changeLines(
    { at: '2030-06-01T10:00:00Z', actor: { type: 'USER', name: 'Ada' }, action: 'updated', changes },
    'Europe/Berlin',
    { locale: 'en-GB', hourCycle: 'h23', weekStart: 'auto' },
  )

test('times are those of the social set, and states the words that the rest of the dashboard has', () => {
  expect(
    lines({
      scheduledAt: { from: '2030-06-01T10:00:00.000Z', to: '2030-06-02T10:00:00.000Z' },
      approval: { from: 'PENDING', to: 'DENIED' },
      status: { from: 'SCHEDULED', to: 'DRAFT' },
      timezone: { from: 'America/New_York', to: 'Europe/Berlin' },
      message: 'Shorter, please',
    }),
  ).toEqual([
    expect.stringMatching(/^Time: from .*1 Jun.* 12:00.* to .*2 Jun.* 12:00/),
    'Approval: from Waiting for approval to Changes requested',
    'Status: from Scheduled to Draft',
    'Timezone: from America/New_York to Europe/Berlin',
    '“Shorter, please”',
  ])
})

test('ids are not told', () => {
  expect(lines({ copyOf: '01a2', seriesId: '01a3', postId: '01a4', approval: 'NONE' })).toEqual([
    'Approval: Not needed',
  ])
})
