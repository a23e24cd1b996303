import type { Rule } from '../conformance.ts'

export const serviceRules: readonly Rule[] = [
  {
    id: 'service-01',
    rule: 'Requests and answers are JSON, sent over plain HTTP; no client library is needed.',
  },
  {
    id: 'service-02',
    rule: 'Addresses in answers begin with the public URL of the installation, so that behind HTTPS they are HTTPS.',
  },
  {
    id: 'service-03',
    rule: 'Every operation is below /v1, at the path that clients know.',
  },
  {
    id: 'service-04',
    rule: 'Post sets are created, scheduled, listed, read and changed.',
  },
  {
    id: 'service-05',
    rule: 'A set has one time, one status and one post for each network that it goes to, each with its own caption, media and fields.',
  },
  {
    id: 'service-06',
    rule: 'A post goes to one of eleven account types: INSTAGRAM, FACEBOOK, TWITTER, LINKEDIN_PAGE, LINKEDIN_PERSONAL, GMB, PINTEREST, TIKTOK, YOUTUBE, THREADS, BLUESKY.',
  },
  {
    id: 'service-07',
    rule: 'A scheduled set is published to every network that it names, and each post is reported on its own.',
  },
  {
    id: 'service-08',
    rule: 'Approval tracks a review; the status alone decides whether a set is published.',
  },
  {
    id: 'service-09',
    rule: 'Approving a set never schedules it.',
  },
  {
    id: 'service-10',
    rule: 'A reviewer who requests changes parks the set as a draft.',
  },
  {
    id: 'service-11',
    rule: 'A set that is made as DRAFT with approval PENDING publishes nothing until a member acts.',
  },
  {
    id: 'service-12',
    rule: 'A set that is made as SCHEDULED with approval PENDING publishes on time.',
  },
  {
    id: 'service-13',
    rule: 'A SCHEDULED set whose reviewer requests changes before its time is not published.',
  },
  {
    id: 'service-14',
    rule: 'Post sets repeat daily, weekly, monthly or yearly.',
  },
  {
    id: 'service-15',
    rule: 'Notes repeat daily, weekly, monthly or yearly.',
  },
  {
    id: 'service-16',
    rule: "Notes, reminders on a day of a social set's calendar, are made and read.",
  },
  {
    id: 'service-17',
    rule: 'Social sets are listed together with their connected accounts.',
  },
  {
    id: 'service-18',
    rule: 'Images and videos are imported from a public URL into the media library of a social set.',
  },
  {
    id: 'service-19',
    rule: 'An import runs in the background; the client asks until it is ready.',
  },
  {
    id: 'service-20',
    rule: 'The media library can be browsed.',
  },
  {
    id: 'service-21',
    rule: "A published post has the network's id of the post and a permalink.",
  },
  {
    id: 'service-22',
    rule: 'A post that failed has a reason code.',
  },
  {
    id: 'service-23',
    rule: 'The history of a set names the key that created it.',
  },
  {
    id: 'service-24',
    rule: 'The history of a set names the key that changed it.',
  },
  {
    id: 'service-25',
    rule: "Every write is held against the account's plan: monthly posts, video, carousels, repeats and approvals.",
  },
  {
    id: 'service-26',
    rule: 'There are no analytics in the API: it has the operations that are listed and no others.',
  },
  {
    id: 'service-27',
    rule: 'Every page of the documentation is given as markdown too, at its address with .md behind it.',
  },
  {
    id: 'service-28',
    rule: 'The typical way works from beginning to end: a key, the social sets, an import until READY, a set, and its results.',
  },
]
