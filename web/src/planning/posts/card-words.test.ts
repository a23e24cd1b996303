import { describe, expect, test } from 'vitest'
import type { CalendarCard } from '#contract'
import { APPROVAL_WORDS } from '../approvals/approval-words.ts'
import { approvalWarning, stateWords } from './card-words.ts'

const NOW = Date.parse('2030-06-12T10:00:00Z')

const warned = (scheduledAt: string, more: Partial<Pick<CalendarCard, 'status' | 'approval' | 'state'>> = {}) =>
  approvalWarning({ status: 'SCHEDULED', approval: 'PENDING', scheduledAt, ...more }, NOW)

describe('what goes out without an approval', () => {
  test.each([
    ['2030-06-12T15:00:00Z', 'in 5 hours'],
    ['2030-06-13T10:00:00Z', 'in 1 day'],
    ['2030-06-12T10:01:00Z', 'in 1 minute'],
    ['2030-06-12T10:00:59Z', 'in less than a minute'],
    ['2030-06-12T09:59:00Z', 'in less than a minute'],
  ])('publish-27: at %s is warned of: %s', (scheduledAt, when) => {
    expect(warned(scheduledAt)).toBe(`Not approved, publishes ${when}`)
    expect(warned(scheduledAt, { approval: 'EXTERNAL_PENDING' })).toBe(`Not approved, publishes ${when}`)
  })

  test('while publishing is stopped, nothing goes out', () => {
    expect(warned('2030-06-12T15:00:00Z', { state: 'held' })).toBeNull()
  })

  test('publish-27: more than a day before, nothing is said', () => {
    expect(warned('2030-06-13T10:00:00.001Z')).toBeNull()
  })

  test.each(['NONE', 'APPROVED', 'DENIED'] as const)('an approval that is %s is none to wait for', (approval) => {
    expect(warned('2030-06-12T15:00:00Z', { approval })).toBeNull()
  })

  test.each(['DRAFT', 'PUBLISHING', 'PUBLISHED'] as const)('what is %s does not go out', (status) => {
    expect(warned('2030-06-12T15:00:00Z', { status })).toBeNull()
  })
})

test.each(['PENDING', 'EXTERNAL_PENDING'] as const)(
  'what is %s has one name as a card and as an approval',
  (approval) => {
    expect(stateWords({ state: 'pending', approval })).toBe(APPROVAL_WORDS[approval])
  },
)
