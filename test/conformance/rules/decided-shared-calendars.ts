import type { Rule } from '../conformance.ts'

const link = (title: string) => `test/api/shared-calendars.happy.test.ts › ${title}`
const guests = (title: string) => `test/api/guests.happy.test.ts › ${title}`
const refused = (title: string) => `test/api/shared-calendars.error.test.ts › ${title}`
const undo = (title: string) => `test/api/guest-undo.test.ts › ${title}`
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
  {
    id: 'shared-10',
    rule: 'A guest may take an approval back until somebody has scheduled, parked, changed or decided the set after it, or it begins to publish.',
    proof: [
      undo('a guest takes an approval back › and the post waits again, with the status that it had: %s'),
      undo('a guest takes an approval back › although somebody labeled and locked the post meanwhile'),
      undo('an approval stays › once the post was %s'),
      undo('an approval stays › once it was parked'),
      undo('an approval stays › once the post says something else'),
      undo('an approval stays › once it is being published'),
      undo('an approval stays › when it is another guest’s, a member’s, or none'),
    ],
  },
  {
    id: 'shared-11',
    rule: 'A set whose approval is taken back is EXTERNAL_PENDING again and keeps its status; the version that the guest saw is compared, and history has a row.',
    proof: [
      undo('a guest takes an approval back › and the post waits again, with the status that it had: %s'),
      undo('an approval stays › when two take it back at once, it is taken back once'),
    ],
  },
]
