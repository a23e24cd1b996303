import type { Rule } from '../conformance.ts'

/** Shared calendars. */
export const decidedSharedCalendarsRules: readonly Rule[] = [
  {
    id: 'shared-01',
    rule: 'A shared calendar is a link for one or more social sets, with a name, what it shows, what guests may do, an optional passcode and an optional last day.',
  },
  {
    id: 'shared-02',
    rule: 'Its address holds 256 random bits, which are found by their hash and sealed beside it.',
  },
  {
    id: 'shared-03',
    rule: 'Renewing and closing end open visits at once.',
  },
  {
    id: 'shared-04',
    rule: "A link that is unknown, closed, expired or another's answers alike.",
  },
  {
    id: 'shared-05',
    rule: 'Guests give a name, and an address for news that is confirmed by a link.',
  },
  {
    id: 'shared-06',
    rule: 'A guest decides only on what is EXTERNAL_PENDING and shown by the link; history names the guest and the link.',
  },
  {
    id: 'shared-07',
    rule: 'Approving through a shared calendar sets APPROVED and never schedules; requesting changes sets DENIED and parks as DRAFT.',
  },
  {
    id: 'shared-08',
    rule: 'A decision carries the version that was seen; another version is 412 with what changed.',
  },
  {
    id: 'shared-09',
    rule: 'Notes of guests have source.type SHARED_CALENDAR and are ordinary notes otherwise.',
  },
  {
    id: 'shared-10',
    rule: 'A guest may take an approval back until somebody has scheduled, parked, changed or decided the set after it, or it begins to publish.',
  },
  {
    id: 'shared-11',
    rule: 'A set whose approval is undone is EXTERNAL_PENDING again and keeps its status; the version that the guest saw is compared, and history has a row.',
  },
]
