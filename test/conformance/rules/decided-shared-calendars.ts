import type { Rule } from '../conformance.ts'

const link = (title: string) => `test/api/shared-calendars.happy.test.ts › ${title}`
const guests = (title: string) => `test/api/guests.happy.test.ts › ${title}`
const refused = (title: string) => `test/api/shared-calendars.error.test.ts › ${title}`
const strangers = (title: string) => `test/api/shared-calendars.security.test.ts › ${title}`
const secure = (title: string) => `test/api/guests.security.test.ts › ${title}`

/** Shared calendars. */
export const decidedSharedCalendarsRules: readonly Rule[] = [
  {
    id: 'shared-01',
    rule: 'A shared calendar is a link for one or more social sets, with a name, what it shows, what guests may do, an optional passcode and an optional last day.',
    proof: [
      link('a link › is made, listed, changed, renewed and closed, and its address is reported when it is new'),
      link('a link › works to the end of its last day where its brands are, and again with another one'),
      link('a visit › asks for a passcode and takes the right one'),
      link('what is shown › is %s'),
      refused('what a link does not allow › is refused, and nothing is written'),
    ],
  },
  {
    id: 'shared-02',
    rule: 'Its address holds 256 random bits, which are stored as a hash.',
    proof: [
      link('a link › is made, listed, changed, renewed and closed, and its address is reported when it is new'),
      strangers('the secret of an address › is in no row, answer, error or page'),
    ],
  },
  {
    id: 'shared-03',
    rule: 'Renewing and closing end open visits at once.',
    proof: [
      secure('what ends a visit ends it at once: › %s'),
      secure('what ends a visit ends it at once: › also for who decides at that moment'),
    ],
  },
  {
    id: 'shared-04',
    rule: "A link that is unknown, closed, expired or another's answers alike.",
    proof: [
      strangers('a caller who has no visit of that link › gets one answer, for as many queries, for every reason: %s'),
      strangers(
        'a caller who has no visit of that link › gets one page at an address that opens nothing, for as many queries',
      ),
    ],
  },
  {
    id: 'shared-05',
    rule: 'Guests give a name, and an address for news that is confirmed by a link.',
    proof: [
      refused('what a link does not allow › waits for a name'),
      guests('news › go to an address that a link in a mail has confirmed, and bring the guest back'),
    ],
  },
  {
    id: 'shared-06',
    rule: 'A guest decides only on what is EXTERNAL_PENDING and shown by the link; history names the guest and the link.',
    proof: [
      guests('deciding › approves what waits and leaves its status'),
      refused('a decision › about what does not wait is refused: %s'),
      secure('a guest › reaches nothing but what the link shows'),
    ],
  },
  {
    id: 'shared-07',
    rule: 'Approving through a shared calendar sets APPROVED and never schedules; requesting changes sets DENIED and parks as DRAFT.',
    proof: [
      guests('deciding › approves what waits and leaves its status'),
      guests('deciding › requests changes in words and makes a draft, which stays shown while it is the same'),
    ],
  },
  {
    id: 'shared-08',
    rule: 'A decision carries the version that was seen; another version is 412 with what changed.',
    proof: [
      refused('a decision › about another version is refused with what has changed'),
      refused('a decision › of the second of two is refused'),
      guests('deciding › approves many, each by itself'),
    ],
  },
  {
    id: 'shared-09',
    rule: 'Notes of guests have source.type SHARED_CALENDAR and are ordinary notes otherwise.',
    proof: [guests('a note of a guest is one of the brand, of a shared calendar')],
  },
]
