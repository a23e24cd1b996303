import { expect, test } from 'vitest'
import { APPROVALS, type Approval, type CardState } from '#contract'
import { cardStateOf } from './card-state.ts'

const all = (states: readonly CardState[]) => Object.fromEntries(APPROVALS.map((name, index) => [name, states[index]]))
const stateOf = (status: 'DRAFT' | 'SCHEDULED' | 'PUBLISHING' | 'PUBLISHED', approval: Approval) =>
  cardStateOf({ status, approval, results: ['POSTED'], held: false, retried: false })

test.each([
  ['DRAFT', ['draft', 'pending', 'pending', 'approved', 'changes-requested']],
  ['SCHEDULED', ['scheduled', 'pending', 'pending', 'scheduled', 'changes-requested']],
  ['PUBLISHING', ['publishing', 'publishing', 'publishing', 'publishing', 'publishing']],
  ['PUBLISHED', ['published', 'published', 'published', 'published', 'published']],
] as const)('a %s set says what is to be done about it, by its approval', (status, states) => {
  const found = Object.fromEntries(APPROVALS.map((approval) => [approval, stateOf(status, approval)]))
  expect(found).toEqual(all(states))
})

test.each([
  [['POSTED', 'POSTED'], 'published'],
  [['POSTED', 'FAILED'], 'partly-published'],
  [['FAILED', 'POSTED', 'POSTED'], 'partly-published'],
  [['FAILED', 'FAILED'], 'failed'],
  [['FAILED'], 'failed'],
] as const)('a published set with %j is %s', (results, state) => {
  expect(cardStateOf({ status: 'PUBLISHED', approval: 'NONE', results, held: false, retried: false })).toBe(state)
})

test.each([
  ['DRAFT', 'draft'],
  ['SCHEDULED', 'held'],
  ['PUBLISHING', 'held'],
  ['PUBLISHED', 'published'],
] as const)('while publishing is stopped, a %s set is %s', (status, state) => {
  expect(cardStateOf({ status, approval: 'NONE', results: ['POSTED'], held: true, retried: false })).toBe(state)
  if (status === 'SCHEDULED') {
    expect(cardStateOf({ status, approval: 'PENDING', results: ['POSTED'], held: true, retried: false })).toBe(state)
  }
})

test('a published set of which something is sent again is publishing, or held', () => {
  const set = { status: 'PUBLISHED', approval: 'NONE', results: ['POSTED', 'FAILED'], retried: true } as const
  expect(cardStateOf({ ...set, held: false })).toBe('publishing')
  expect(cardStateOf({ ...set, held: true })).toBe('held')
})
