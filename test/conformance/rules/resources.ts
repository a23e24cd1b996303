import type { Rule } from '../conformance.ts'

export const resourcesRules: readonly Rule[] = [
  {
    id: 'resources-01',
    rule: 'Every identifier is a string.',
  },
  {
    id: 'resources-02',
    rule: 'Every time in an answer is an ISO 8601 string.',
  },
  {
    id: 'resources-03',
    rule: 'A note has an id; each occurrence of a repeating note has its own.',
  },
  {
    id: 'resources-04',
    rule: 'A note names its social set as socialSetId.',
  },
  {
    id: 'resources-05',
    rule: 'The type of a note is ONE_TIME, or RECURRING for an occurrence of a repeating note.',
  },
  {
    id: 'resources-06',
    rule: 'source.type of a note is APP, SHARED_CALENDAR or GOOGLE_IMPORT.',
  },
  {
    id: 'resources-07',
    rule: 'The content of a note is text of at most 1024 characters.',
  },
  {
    id: 'resources-08',
    rule: 'hexColor of a note is one of the nine colors.',
  },
  {
    id: 'resources-09',
    rule: 'A note has the time that it is pinned to and the time of its creation.',
  },
  {
    id: 'resources-10',
    rule: 'Notes of the product, of a shared calendar and of an import from another calendar are read like those of the API.',
  },
  {
    id: 'resources-11',
    rule: 'A post set has an id and names its social set as socialSetId.',
  },
  {
    id: 'resources-12',
    rule: 'scheduledAt of a set is the time at which it is published.',
  },
  {
    id: 'resources-13',
    rule: 'The status of a set is DRAFT, SCHEDULED, PUBLISHING or PUBLISHED.',
  },
  {
    id: 'resources-14',
    rule: 'A set holds its posts, one per network, with their media and the fields of their network.',
  },
  {
    id: 'resources-15',
    rule: 'seriesId is there when the set belongs to a series, and is the same for all of its occurrences.',
  },
  {
    id: 'resources-16',
    rule: 'repeat is there on the set that started a series.',
  },
  {
    id: 'resources-17',
    rule: 'labelsId lists the ids of the labels that were put on the set in the product.',
  },
  {
    id: 'resources-18',
    rule: 'approval of a set is NONE, PENDING, EXTERNAL_PENDING, APPROVED or DENIED.',
  },
  {
    id: 'resources-19',
    rule: 'isLocked says whether the set is locked in the product.',
  },
  {
    id: 'resources-20',
    rule: 'A set says when it was created and when it was last changed.',
  },
  {
    id: 'resources-73',
    rule: 'NONE: no approval is needed, and no one is asked for one.',
  },
  {
    id: 'resources-74',
    rule: 'PENDING: the set waits for a member of the team to approve it in the product.',
  },
  {
    id: 'resources-75',
    rule: 'EXTERNAL_PENDING: the set waits for an external reviewer, and no longer for the team.',
  },
  {
    id: 'resources-21',
    rule: 'A reviewer who approves a set leaves it APPROVED; one who requests changes leaves it DENIED.',
  },
  {
    id: 'resources-22',
    rule: 'approval and status of a set are independent of each other.',
  },
  {
    id: 'resources-24',
    rule: 'interval of a repeat rule is DAY, WEEK, MONTH or YEAR.',
  },
  {
    id: 'resources-25',
    rule: 'occurrences of a repeat rule is a whole number, for notes from 2 to 100.',
  },
  {
    id: 'resources-26',
    rule: 'occurrences of a repeat rule is a whole number, for post sets from 2 to 50.',
  },
  {
    id: 'resources-72',
    rule: "A link with the ids of a social set and of a post set opens the set in the product's calendar.",
  },
]
