import type { Rule } from '../conformance.ts'

const happy = (title: string) => `test/api/approvals.happy.test.ts › ${title}`
const error = (title: string) => `test/api/approvals.error.test.ts › ${title}`
const eyes = (title: string) => `test/api/four-eyes.security.test.ts › ${title}`
const stories = (title: string) => `test/api/four-eyes-stories.test.ts › ${title}`
const security = (title: string) => `test/api/approvals.security.test.ts › ${title}`

export const decidedApprovalsRules: readonly Rule[] = [
  {
    id: 'approval-01',
    rule: 'The rule of a brand is optional until an owner or admin chooses another: no one must ask for an approval.',
    proof: [
      happy('the rule of a brand › is optional until an owner or admin sets it, and says how many may approve'),
      happy('the rule of a brand › optional: one approval is enough'),
      security('only owners and admins set the rule, and schedule past it'),
    ],
  },
  {
    id: 'approval-02',
    rule: 'Required (n): a set stays PENDING until n different reviewers approved it, each a row of history.',
    proof: [
      happy(
        'the rule of a brand › required: a set stays pending until so many different reviewers have approved, each a row of history',
      ),
      security('two reviewers at the same moment are two approvals, and one reviewer twice is one'),
      happy('the rule of a brand › asking again, or requesting changes, begins again'),
    ],
  },
  {
    id: 'approval-03',
    rule: 'Where a rule binds, a member without the right to publish unapproved leaves nothing scheduled that is not approved.',
    proof: [
      error('a member who may not schedule unapproved › creates nothing that is scheduled, with any approval'),
      error(
        'a member who may not schedule unapproved › schedules, moves, edits and repeats nothing that is not approved',
      ),
      error(
        'a member who may not schedule unapproved › edits nothing that is approved and scheduled without making a draft of it',
      ),
      happy(
        'the rule of a brand › who may schedule unapproved is not bound, nor is a key; approved, an editor schedules',
      ),
    ],
  },
  {
    id: 'approval-04',
    rule: 'Team then client: the approval of the team sets EXTERNAL_PENDING, that of the client APPROVED.',
    proof: [
      happy(
        'the rule of a brand › team, then client: the approval of the team asks the client, for whom a member may decide, and history says so',
      ),
    ],
  },
  {
    id: 'approval-05',
    rule: 'A member may decide EXTERNAL_PENDING for the client, and history says so.',
    proof: [
      happy(
        'the rule of a brand › team, then client: the approval of the team asks the client, for whom a member may decide, and history says so',
      ),
    ],
  },
  {
    id: 'approval-06',
    rule: "An edit of content in the product sets a set back to the first step of the brand's rule, and voids what was given.",
    proof: [
      happy('the rule of a brand › %s: an edit of what is %s leaves it %s'),
      happy('the rule of a brand › an approval is of the posts that were seen: an edit voids it, by a member or a key'),
    ],
  },
  {
    id: 'approval-07',
    rule: 'No one’s approval in the product counts for content that they changed last; where no eligible reviewer is left an admin approves with a reason, which fulfills the team’s step whatever n is, never the client’s. The API is not bound by it.',
    proof: [
      stories(
        'whatever people do in whatever order, no one approves what they changed last, and two always get it out',
      ),
      eyes(
        'no one’s approval counts for what they changed last › an editor rewrites another’s draft and neither approves nor schedules it',
      ),
      eyes('no one’s approval counts for what they changed last › %s: whichever way it is tried'),
      eyes('no one’s approval counts for what they changed last › what a key changed last is no one’s own'),
      eyes(
        'content › is that it repeats: it sets an approval back, voids approvals given before, and names who did it',
      ),
      eyes('when no reviewer is left › the screen says so, and an admin approves with a reason that history keeps'),
      eyes('when no reviewer is left › only then, only an admin, only of the team, and only with words'),
      error('a decision › about what they changed last is refused'),
      happy('the rule of a brand › what a key created is no one’s own'),
    ],
  },
  {
    id: 'approval-08',
    rule: 'A decision carries the version that was seen; another version is 412, with what changed.',
    proof: [
      error('a decision › names the version that was seen, and another one is refused with what has changed'),
      error('a decision › of many needs a version for each'),
      security('a stale decision loses against the edit that came first'),
    ],
  },
  {
    id: 'approval-09',
    rule: 'The rule of a brand binds people in the product, never the API.',
    proof: [security('the API does what it did: no rule binds a key, and approval never changes the status')],
  },
  {
    id: 'approval-10',
    rule: 'Where a rule binds, APPROVED comes from reviews alone.',
    proof: [
      error('where a rule binds, approval comes from reviews alone'),
      error('a decision taken back does not approve what was edited since'),
    ],
  },
  {
    id: 'approval-11',
    rule: 'What waits is reminded of 48, 24 and 3 hours before its time, once each, and by its new time when it is moved.',
    proof: [
      'test/engine/review-reminders.test.ts › a reminder › comes 48, 24 and 3 hours before, the last step that is due, and each once',
      'test/engine/review-reminders.test.ts › a reminder › of a set that is moved comes by its new time, and not again for the old one',
      'test/engine/review-reminders.test.ts › housekeeping gives them, in one process at a time, and after a restart not again',
    ],
  },
  {
    id: 'comment-01',
    rule: 'Comments belong to a post set: inner, for members alone, or shared with its guests.',
    proof: [
      'test/api/comments.happy.test.ts › a thread has what members and guests write, in its order, each as it was meant',
      'test/api/comments.security.test.ts › guests read what is shared and nothing of the rest: no text, no count, no id, no name but that of who wrote it',
      'test/api/comments.security.test.ts › events, history, kept answers and logs carry nothing of a comment, and no table but that of comments has its words',
      'test/api/comments.error.test.ts › bad input › the audience of a comment never changes',
    ],
  },
  {
    id: 'comment-02',
    rule: 'Comments are not part of the API.',
    proof: [
      'test/api/comments.security.test.ts › an inner comment is in no answer of the API, its description and its pages',
      'test/api/comments.security.test.ts › a key reads and writes no comments',
    ],
  },
]
