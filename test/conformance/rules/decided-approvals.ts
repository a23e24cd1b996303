import type { Rule } from '../conformance.ts'

export const decidedApprovalsRules: readonly Rule[] = [
  {
    id: 'approval-01',
    rule: 'The rule of a brand is optional until an owner or admin chooses another: no one must ask for an approval.',
  },
  {
    id: 'approval-02',
    rule: 'Required (n): a set stays PENDING until n different reviewers approved it, each a row of history.',
  },
  {
    id: 'approval-03',
    rule: 'Where a rule binds, a member without the right to publish unapproved leaves nothing scheduled that is not approved.',
  },
  {
    id: 'approval-04',
    rule: 'Team then client: the approval of the team sets EXTERNAL_PENDING, that of the client APPROVED.',
  },
  {
    id: 'approval-05',
    rule: 'A member may decide EXTERNAL_PENDING for the client, and history says so.',
  },
  {
    id: 'approval-06',
    rule: "An edit of content in the product sets a set back to the first step of the brand's rule, and voids what was given.",
  },
  {
    id: 'approval-07',
    rule: 'No one’s approval in the product counts for content that they changed last; where no eligible reviewer is left an admin approves with a reason, which fulfills the team’s step whatever n is, never the client’s. The API is not bound by it.',
  },
  {
    id: 'approval-08',
    rule: 'A decision carries the version that was seen; another version is 412, with what changed.',
  },
  {
    id: 'approval-09',
    rule: 'The rule of a brand binds people in the product, never the API.',
  },
  {
    id: 'approval-10',
    rule: 'Where a rule binds, APPROVED comes from reviews alone.',
  },
  {
    id: 'approval-11',
    rule: 'What waits is reminded of 48, 24 and 3 hours before its time, once each, and by its new time when it is moved.',
  },
  {
    id: 'comment-01',
    rule: 'Comments belong to a post set: inner, for members alone, or shared with its guests.',
  },
  {
    id: 'comment-02',
    rule: 'Comments are not part of the API.',
  },
]
