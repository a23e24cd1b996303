import { describe, expect, test } from 'vitest'
import { APPROVALS, type Approval, type ApprovalRuleName, type ReviewBar } from '#contract'
import { afterApproval, afterEdit, approvalBar, type BrandRule, refusalBar } from './approvals.ts'

const rule = (name: ApprovalRuleName, reviewers = 1, authorsMayApprove = false): BrandRule => ({
  rule: name,
  reviewers,
  authorsMayApprove,
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

  const free = { status: 'DRAFT', approval: 'PENDING', reviews: true, isAuthor: false, hasApproved: false } as const
  test.each<[string, object, BrandRule, ReviewBar | null]>([
    ['nothing in the way', {}, rule('REQUIRED'), null],
    ['no right', { reviews: false, isAuthor: true }, rule('REQUIRED'), 'role'],
    ['published', { status: 'PUBLISHED' }, rule('REQUIRED'), 'status'],
    ['approved', { approval: 'APPROVED' }, rule('REQUIRED'), 'not-waiting'],
    ['own', { isAuthor: true }, rule('REQUIRED'), 'own-post'],
    ['own, for the client', { isAuthor: true, approval: 'EXTERNAL_PENDING' }, rule('TEAM_THEN_CLIENT'), 'own-post'],
    ['own, and the brand lets authors', { isAuthor: true }, rule('REQUIRED', 1, true), null],
    ['own, and no rule', { isAuthor: true }, rule('OPTIONAL'), null],
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
  const facts = { rule: rule('REQUIRED'), isAuthor: true, hasApproved: true, reviews: true } as const
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
