import { expect, test } from 'vitest'
import type { HistoryItem, HistoryRead } from '#contract'
import { changeLines, titleOf, verbOf } from './history-words.ts'

const at = '2030-06-01T10:00:00Z'
const actor = { type: 'USER', name: 'Ada' } as const
const preferences = { locale: 'en-GB', hourCycle: 'h23', weekStart: 'auto' } as const
const lines = (read: HistoryRead) => changeLines({ at, actor, ...read } as HistoryItem, 'Europe/Berlin', preferences)

test('times are those of the social set, and states the words that the rest of the dashboard has', () => {
  expect(
    lines({
      action: 'updated',
      changes: {
        scheduledAt: { from: '2030-06-01T10:00:00.000Z', to: '2030-06-02T10:00:00.000Z' },
        approval: { from: 'PENDING', to: 'DENIED' },
        status: { from: 'SCHEDULED', to: 'DRAFT' },
        timezone: { from: 'America/New_York', to: 'Europe/Berlin' },
      },
    }),
  ).toEqual([
    expect.stringMatching(/^Time: from .*1 Jun.* 12:00.* to .*2 Jun.* 12:00/),
    'Approval: from Waiting for approval to Changes requested',
    'Status: from Scheduled to Draft',
    'Timezone: from America/New_York to Europe/Berlin',
  ])
})

const label = { id: '1', name: 'Spring' }
const status = { from: 'PUBLISHING', to: 'PUBLISHED' } as const
const scheduledAt = '2030-06-01T10:00:00.000Z'
const time = expect.stringMatching(/^Time: .*1 Jun.* 12:00/)

/** Every action: title, verb, lines. */
test.each<[HistoryRead, string, string, unknown[]]>([
  [
    {
      action: 'created',
      changes: {
        scheduledAt,
        status: 'DRAFT',
        approval: 'NONE',
        seriesId: '1',
        repeat: { interval: 'WEEK', occurrences: 3 },
      },
    },
    'created',
    'created',
    [time, 'Approval: Not needed', 'Status: Draft', 'Repeats 3 times, by week'],
  ],
  [
    { action: 'updated', changes: { posts: { added: [{ id: '1', accountType: 'BLUESKY' }] } } },
    'updated',
    'changed',
    ['Added posts: Bluesky'],
  ],
  [
    { action: 'updated', changes: { scheduledAt: { from: scheduledAt, to: scheduledAt } } },
    'updated',
    'moved',
    [expect.stringContaining('Time: from')],
  ],
  [{ action: 'scheduled', changes: {} }, 'scheduled', 'scheduled', []],
  [
    { action: 'moved to drafts', changes: { disconnected: 'TWITTER' } },
    'moved to drafts',
    'made a draft of',
    ['Disconnected: X'],
  ],
  [{ action: 'locked', changes: { reason: 'Legal' } }, 'locked', 'locked', ['Reason: Legal']],
  [{ action: 'unlocked', changes: { lock: { by: 'Bo', at } } }, 'unlocked', 'unlocked', []],
  [{ action: 'label added', changes: { label } }, 'label added', 'labeled', ['Spring']],
  [{ action: 'label removed', changes: { label } }, 'label removed', 'removed a label of', ['Spring']],
  [
    { action: 'labels changed', changes: { added: [label, label], removed: [] } },
    'labels changed',
    'changed the labels of',
    ['Added: Spring, Spring'],
  ],
  [
    { action: 'approved', changes: { approval: { from: 'PENDING', to: 'APPROVED' } } },
    'approved',
    'approved',
    ['Approval: from Waiting for approval to Approved'],
  ],
  [
    { action: 'changes requested', changes: { message: 'Shorter, please' } },
    'changes requested',
    'requested changes of',
    ['“Shorter, please”'],
  ],
  [{ action: 'review taken back', changes: {} }, 'review undone', 'undid the review of', []],
  [{ action: 'deleted', changes: { scheduledAt, status: 'DRAFT' } }, 'deleted', 'deleted', [time, 'Status: Draft']],
  [
    { action: 'restored', changes: { scheduledAt, status: { from: 'SCHEDULED', to: 'DRAFT' } } },
    'restored',
    'restored',
    [time, 'Status: from Scheduled to Draft'],
  ],
  [
    { action: 'publishing', changes: { status } },
    'publishing',
    'is publishing',
    ['Status: from Publishing to Published'],
  ],
  [
    { action: 'post published', changes: { postId: '1', accountType: 'BLUESKY', result: { status: 'POSTED' } } },
    'post published',
    'published a part of',
    ['Bluesky'],
  ],
  [
    { action: 'post failed', changes: { accountType: 'BLUESKY', result: { status: 'FAILED', message: 'Too late.' } } },
    'post failed',
    'could not publish a part of',
    ['Bluesky', 'Too late.'],
  ],
  [{ action: 'published', changes: { status } }, 'published', 'published', ['Status: from Publishing to Published']],
  [{ action: 'other', changes: { name: 'held by Bo' } }, 'changed', 'changed', ['Held by bo']],
])('%j has words', (read, title, verb, said) => {
  expect([titleOf(read), verbOf(read), lines(read)]).toEqual([title, verb, said])
})

test('an action that the server learned after the page was loaded has words, too', () => {
  const read = { action: 'postponed', changes: { by: 'a day' } } as unknown as HistoryRead
  expect([titleOf(read), verbOf(read), lines(read)]).toEqual(['changed', 'changed', []])
})
