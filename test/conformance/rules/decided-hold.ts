import type { Rule } from '../conformance.ts'

const engine = (title: string) => `test/engine/hold.test.ts › ${title}`
const release = (title: string) => `test/engine/hold-release.test.ts › ${title}`
const happy = (title: string) => `test/api/hold.happy.test.ts › ${title}`

/** `hold`. */
export const decidedHoldRules: readonly Rule[] = [
  {
    id: 'hold-01',
    rule: 'Social sets and their accounts answer hold: null, or since, by and reason.',
    proof: [
      happy('a held social set says so, to programs and members, until it is released'),
      happy('a held connection says so itself'),
      happy('the hold of the account is that of all its social sets, unless they have one of their own'),
    ],
  },
  {
    id: 'hold-02',
    rule: 'Due sets of a held account or social set stay SCHEDULED; posts of a held connection wait.',
    proof: [
      engine('while publishing is stopped › for %s, due sets stay scheduled, and a release publishes them'),
      engine('while publishing is stopped › of a connection, its post alone waits, and goes on with the release'),
    ],
  },
  {
    id: 'hold-03',
    rule: 'No visible call begins after a hold is answered, and the answer counts the posts that a network has already got.',
    proof: [
      engine(
        'while publishing is stopped › a hold waits for a fence that is being set, and counts its post as with a network',
      ),
      engine(
        'while publishing is stopped › a hundred posts and a hold in the midst of their fences: none is set after the answer',
      ),
      happy('holding says how many posts are already with a network'),
    ],
  },
  {
    id: 'hold-04',
    rule: 'What is fenced is confirmed and looked up while it is held.',
    proof: [
      engine('while publishing is stopped › what is fenced is confirmed'),
      engine(
        'while publishing is stopped › what is unknown is looked up; when it was not done, it waits for the release',
      ),
      engine('a worker that stands still › behind the fence: another worker looks the post up'),
    ],
  },
  {
    id: 'hold-05',
    rule: 'Held time counts neither as late nor toward the 24 hours.',
    proof: [
      release('time under a hold › is not late: three days later a release publishes'),
      release('time under a hold › does not count toward the 24 hours of retries'),
    ],
  },
  {
    id: 'hold-06',
    rule: 'A release publishes what is late now or parks it as drafts.',
    proof: [
      release('a release that parks › makes drafts of what is late, and leaves the rest of the calendar'),
      release(
        'a release that parks › makes a draft of a set of which nothing was sent, also when another hold stops the rest of it',
      ),
      happy('what is held can be changed as before, and a release is asked about what is late alone'),
      happy('a release that publishes is reported in the history of what was late'),
    ],
  },
  {
    id: 'hold-07',
    rule: 'Members who may publish, and the operator, hold and release; API keys do not.',
    proof: [
      'test/api/hold.security.test.ts › who may not publish may not stop publishing: %s',
      'test/api/hold.security.test.ts › API keys read holds of what they see, and place none',
      'test/cli/hold.test.ts › the operator stops publishing, reads what is stopped, and lets it go on',
    ],
  },
  {
    id: 'hold-08',
    rule: 'An account that is connected in place of a held one is held.',
    proof: [
      'test/api/connections.happy.test.ts › an account that takes the place of a held one is held, and gets the posts that wait',
    ],
  },
]
