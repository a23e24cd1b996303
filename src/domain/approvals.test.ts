import { describe, expect, test } from 'vitest'
import { APPROVALS, type Approval, type ApprovalRuleName, type ReviewBar } from '#contract'
import {
  afterApproval,
  afterEdit,
  approvalBar,
  type BrandRule,
  changesContent,
  needsReason,
  refusalBar,
} from './approvals.ts'

const rule = (name: ApprovalRuleName, reviewers = 1): BrandRule => ({
  rule: name,
  reviewers,
})

describe('an approval', () => {
  test.each<[ApprovalRuleName, number, Approval, number, Approval]>([
    ['OPTIONAL', 3, 'PENDING', 1, 'APPROVED'],
    ['OPTIONAL', 3, 'EXTERNAL_PENDING', 1, 'APPROVED'],
    ['REQUIRED', 1, 'PENDING', 1, 'APPROVED'],
    ['REQUIRED', 3, 'NONE', 1, 'PENDING'],
    ['REQUIRED', 3, 'DENIED', 2, 'PENDING'],
    ['REQUIRED', 3, 'PENDING', 3, 'APPROVED'],
    ['REQUIRED', 2, 'PENDING', 5, 'APPROVED'],
    ['REQUIRED', 3, 'EXTERNAL_PENDING', 1, 'APPROVED'],
    ['TEAM_THEN_CLIENT', 2, 'PENDING', 1, 'PENDING'],
    ['TEAM_THEN_CLIENT', 2, 'PENDING', 2, 'EXTERNAL_PENDING'],
    ['TEAM_THEN_CLIENT', 2, 'EXTERNAL_PENDING', 1, 'APPROVED'],
  ])('%s of %i: what is %s is with %i given %s', (name, reviewers, approval, given, after) => {
    expect(afterApproval(rule(name, reviewers), approval, given)).toBe(after)
  })

  const free = { status: 'DRAFT', approval: 'PENDING', reviews: true, changedLast: false, hasApproved: false } as const
  test.each<[string, object, BrandRule, ReviewBar | null]>([
    ['nothing in the way', {}, rule('REQUIRED'), null],
    ['no right', { reviews: false, changedLast: true }, rule('REQUIRED'), 'role'],
    ['published', { status: 'PUBLISHED' }, rule('REQUIRED'), 'status'],
    ['approved', { approval: 'APPROVED' }, rule('REQUIRED'), 'not-waiting'],
    ['own', { changedLast: true }, rule('REQUIRED'), 'changed-last'],
    [
      'own, for the client',
      { changedLast: true, approval: 'EXTERNAL_PENDING' },
      rule('TEAM_THEN_CLIENT'),
      'changed-last',
    ],
    ['own, and no rule', { changedLast: true }, rule('OPTIONAL'), 'changed-last'],
    ['given', { hasApproved: true }, rule('REQUIRED', 2), 'given'],
    [
      'given, and it is for the client now',
      { hasApproved: true, approval: 'EXTERNAL_PENDING' },
      rule('REQUIRED', 2),
      null,
    ],
    ['denied', { approval: 'DENIED' }, rule('REQUIRED'), null],
  ])('%s', (_, facts, of, bar) => {
    expect(approvalBar({ ...free, rule: of, ...facts })).toBe(bar)
  })
})

test('requesting changes needs the right, a set that can change, and one that is not sent back already', () => {
  const facts = { rule: rule('REQUIRED'), changedLast: true, hasApproved: true, reviews: true } as const
  expect(refusalBar({ ...facts, status: 'SCHEDULED', approval: 'APPROVED' })).toBeNull()
  expect(refusalBar({ ...facts, status: 'SCHEDULED', approval: 'DENIED' })).toBeNull()
  expect(refusalBar({ ...facts, status: 'DRAFT', approval: 'DENIED' })).toBe('not-waiting')
  expect(refusalBar({ ...facts, status: 'PUBLISHING', approval: 'PENDING' })).toBe('status')
  expect(refusalBar({ ...facts, reviews: false, status: 'DRAFT', approval: 'PENDING' })).toBe('role')
})

test('an edit takes the last step back and never gives one', () => {
  const after = (name: ApprovalRuleName) => APPROVALS.map((approval) => afterEdit(rule(name), approval))
  expect(after('OPTIONAL')).toEqual(['NONE', 'PENDING', 'EXTERNAL_PENDING', 'PENDING', 'DENIED'])
  expect(after('REQUIRED')).toEqual(['NONE', 'PENDING', 'PENDING', 'PENDING', 'DENIED'])
  expect(after('TEAM_THEN_CLIENT')).toEqual(after('REQUIRED'))
})

test('an admin gives a reason for the team, while no one else can approve', () => {
  expect(needsReason('PENDING', { bar: 'changed-last', left: 0 })).toBe(true)
  expect(needsReason('NONE', { bar: 'given', left: 0 })).toBe(true)
  expect(needsReason('PENDING', { bar: 'changed-last', left: 1 })).toBe(false)
  expect(needsReason('PENDING', { bar: null, left: 0 })).toBe(false)
  expect(needsReason('APPROVED', { bar: 'not-waiting', left: 0 })).toBe(false)
  expect(needsReason('EXTERNAL_PENDING', { bar: 'changed-last', left: 0 })).toBe(false)
})

test('content is the posts and that it repeats', () => {
  expect(changesContent({})).toBe(false)
  expect(changesContent({ posts: undefined, repeat: null })).toBe(false)
  expect(changesContent({ posts: {} })).toBe(true)
  expect(changesContent({ repeat: { interval: 'DAY', occurrences: 2 } })).toBe(true)
})
