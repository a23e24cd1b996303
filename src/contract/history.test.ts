import { expect, test } from 'vitest'
import { HISTORY, type HistoryAction, type HistoryEvent, HistoryItem, readHistoryEvent, validatorOf } from '#contract'

const status = { from: 'PUBLISHING', to: 'PUBLISHED' }

test('a row is read as what it is', () => {
  expect(readHistoryEvent('published', { status })).toEqual({ action: 'published', changes: { status } })
})

test.each([
  ['an action of another version', 'held', { reason: 'A bad day' }],
  ['changes that the action does not have', 'published', { status: ['PUBLISHING', 'PUBLISHED'] }],
  ['the name of something that every object has', 'constructor', {}],
  ['the name that unknown actions get', 'other', {}],
])('%s is read as other, by its name alone', (_, action, changes) => {
  expect(readHistoryEvent(action, changes)).toEqual({ action: 'other', changes: { name: action } })
})

test('every item that can be read can be answered', () => {
  const about = { id: '1', at: '2030-06-01T10:00:00.000Z', actor: { type: 'USER', name: 'Ada' } }
  const check = (action: string, changes: unknown) => validatorOf(HistoryItem).Check({ ...about, action, changes })
  expect(check('published', { status })).toBe(true)
  expect(check('other', { name: 'held' })).toBe(true)
  expect(check('held', {})).toBe(false)
  expect(check('published', {})).toBe(false)
  expect(Object.keys(HISTORY)).not.toContain('other')
})

test('a typo does not compile, nor do the changes of another action', () => {
  // @ts-expect-error: no such action
  const typo: HistoryAction = 'lable added'
  // @ts-expect-error: a label is no lock
  const mixed: HistoryEvent = { action: 'label added', changes: { reason: 'Legal' } }
  expect([readHistoryEvent(typo, {}).action, readHistoryEvent(mixed.action, mixed.changes).action]).toEqual([
    'other',
    'other',
  ])
})
