import { expect, test } from 'vitest'
import type { HistoryItem, HistoryRead } from '#contract'
import { changeLines, newsOf, titleOf } from './history-words.ts'
import { movedTitle } from './moved-words.ts'

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
    'Time zone: from America/New_York to Europe/Berlin',
  ])
})

const label = { id: '1', name: 'Spring' }
const status = { from: 'PUBLISHING', to: 'PUBLISHED' } as const
const scheduledAt = '2030-06-01T10:00:00.000Z'
const time = expect.stringMatching(/^Time: .*1 Jun.* 12:00/)

/** Every action: title, news, lines. */
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
    'Ada created this now.',
    [time, 'Approval: Not needed', 'Status: Draft', 'Repeats 3 times, weekly'],
  ],
  [
    { action: 'updated', changes: { posts: { added: [{ id: '1', accountType: 'BLUESKY' }] } } },
    'updated',
    'Ada changed this now.',
    ['Added posts: Bluesky'],
  ],
  [
    { action: 'updated', changes: { scheduledAt: { from: scheduledAt, to: scheduledAt } } },
    'updated',
    'Ada moved this now.',
    [expect.stringContaining('Time: from')],
  ],
  [{ action: 'scheduled', changes: {} }, 'scheduled', 'Ada scheduled this now.', []],
  [
    { action: 'moved to drafts', changes: { disconnected: 'TWITTER' } },
    'moved to drafts',
    'Ada moved this to drafts now.',
    ['Disconnected: X'],
  ],
  [{ action: 'locked', changes: { reason: 'Legal' } }, 'locked', 'Ada locked this now.', ['Reason: Legal']],
  [{ action: 'unlocked', changes: { lock: { by: 'Bo', at } } }, 'unlocked', 'Ada unlocked this now.', []],
  [{ action: 'label added', changes: { label } }, 'label added', 'Ada added a label to this now.', ['Spring']],
  [{ action: 'label removed', changes: { label } }, 'label removed', 'Ada removed a label from this now.', ['Spring']],
  [
    { action: 'labels changed', changes: { added: [label, label], removed: [] } },
    'labels changed',
    'Ada changed the labels of this now.',
    ['Added: Spring, Spring'],
  ],
  [
    { action: 'approved', changes: { approval: { from: 'PENDING', to: 'APPROVED' } } },
    'approved',
    'Ada approved this now.',
    ['Approval: from Waiting for approval to Approved'],
  ],
  [
    {
      action: 'approved',
      changes: {
        approval: { from: 'EXTERNAL_PENDING', to: 'APPROVED' },
        given: { count: 1, needed: 2 },
        forClient: true,
      },
    },
    'approved',
    'Ada approved this now.',
    ['For the client', 'Approval 1 of 2', 'Approval: from Waiting for the client to Approved'],
  ],
  [
    { action: 'approved', changes: { link: { id: '1', name: 'Spring' }, message: 'Lovely' } },
    'approved',
    'Ada approved this now.',
    ['By the shared calendar “Spring”', '“Lovely”'],
  ],
  [
    { action: 'changes requested', changes: { message: 'Shorter, please' } },
    'changes requested',
    'Ada requested changes to this now.',
    ['“Shorter, please”'],
  ],
  [{ action: 'review taken back', changes: {} }, 'review undone', 'Ada undid the review of this now.', []],
  [
    { action: 'deleted', changes: { scheduledAt, status: 'DRAFT' } },
    'deleted',
    'Ada deleted this now.',
    [time, 'Status: Draft'],
  ],
  [
    { action: 'deleted', changes: { scheduledAt, status: 'DRAFT', movedTo: { id: '1', name: 'Bakery' } } },
    'deleted',
    'Ada moved this now.',
    [time, 'Status: Draft'],
  ],
  [
    { action: 'restored', changes: { scheduledAt, status: { from: 'SCHEDULED', to: 'DRAFT' } } },
    'restored',
    'Ada restored this now.',
    [time, 'Status: from Scheduled to Draft'],
  ],
  [
    { action: 'webhooks slowed', changes: { until: scheduledAt } },
    'webhooks slowed down',
    'Webhooks about this were slowed down now.',
    [
      expect.stringMatching(
        /^Programs keep changing this post in turn with webhooks\. Until .+, its changes are sent as one\.$/,
      ),
    ],
  ],
  [
    { action: 'publishing', changes: { status } },
    'publishing',
    'Publishing of this began now.',
    ['Status: from Publishing to Published'],
  ],
  [
    { action: 'post published', changes: { postId: '1', accountType: 'BLUESKY', result: { status: 'POSTED' } } },
    'post published',
    'A part of this was published now.',
    ['Bluesky'],
  ],
  [
    { action: 'post failed', changes: { accountType: 'BLUESKY', result: { status: 'FAILED', message: 'Too late.' } } },
    'post failed',
    'A part of this failed now.',
    ['Bluesky', 'Too late.'],
  ],
  [
    {
      action: 'post failed',
      changes: {
        accountType: 'TWITTER',
        result: { status: 'FAILED', reason: 'ACCOUNT_SUSPENDED', message: '[64] account_suspended' },
      },
    },
    'post failed',
    'A part of this failed now.',
    ['X has suspended this account'],
  ],
  [
    { action: 'published', changes: { status } },
    'published',
    'This was published now.',
    ['Status: from Publishing to Published'],
  ],
  [
    { action: 'failure done', changes: { accountTypes: ['BLUESKY'] } },
    'marked as done',
    'Ada marked what failed of this as done now.',
    ['Bluesky'],
  ],
  [
    { action: 'failure reopened', changes: { accountTypes: ['BLUESKY'] } },
    'no longer done',
    'Ada brought back what failed of this now.',
    ['Bluesky'],
  ],
  [{ action: 'other', changes: { name: 'held by Bo' } }, 'changed', 'Ada changed this now.', ['Held by bo']],
])('%j has words', (read, title, news, said) => {
  expect([titleOf(read), newsOf(read, 'Ada', 'now'), lines(read)]).toEqual([title, news, said])
})

test('an action that the server learned after the page was loaded has words, too', () => {
  const read = { action: 'postponed', changes: { by: 'a day' } } as unknown as HistoryRead
  expect([titleOf(read), newsOf(read, 'Ada', 'now'), lines(read)]).toEqual(['changed', 'Ada changed this now.', []])
})

test.each<[HistoryRead, string | null]>([
  [
    { action: 'deleted', changes: { scheduledAt, status: 'DRAFT', movedTo: { id: '1', name: 'Bakery' } } },
    'moved to Bakery',
  ],
  [{ action: 'deleted', changes: { scheduledAt, status: 'DRAFT', movedTo: {} } }, 'moved to another brand'],
  [
    { action: 'created', changes: { scheduledAt, status: 'DRAFT', movedFrom: { id: '1', name: 'Bakery' } } },
    'moved from Bakery',
  ],
  [{ action: 'created', changes: { scheduledAt, status: 'DRAFT', movedFrom: {} } }, 'moved from another brand'],
  [{ action: 'deleted', changes: { scheduledAt, status: 'DRAFT' } }, null],
  [{ action: 'created', changes: { scheduledAt, status: 'DRAFT' } }, null],
])('a move is named on both sides: %#', (read, title) => {
  expect(movedTitle(read)).toBe(title)
})
