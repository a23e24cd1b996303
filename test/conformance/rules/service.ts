import type { Rule } from '../conformance.ts'

export const serviceRules: readonly Rule[] = [
  {
    id: 'service-01',
    rule: 'Requests and answers are JSON, sent over plain HTTP; no client library is needed.',
    proof: [
      'test/api/errors.error.test.ts › bodies › of another form',
      'test/e2e/readme.test.ts › the first post of the README is published',
    ],
  },
  {
    id: 'service-02',
    rule: 'Addresses in answers begin with the public URL of the installation, so that behind HTTPS they are HTTPS.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'service-03',
    rule: 'Every operation is below /v1, at the path that clients know.',
    proof: [
      'test/api/interface-rules.happy.test.ts › every operation that clients know is there, and all operations are below /v1',
    ],
  },
  {
    id: 'service-04',
    rule: 'Post sets are created, scheduled, listed, read and changed.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
      'test/api/post-set-lists.happy.test.ts › filters › %s',
    ],
  },
  {
    id: 'service-05',
    rule: 'A set has one time, one status and one post for each network that it goes to, each with its own caption, media and fields.',
    proof: ['test/api/post-sets.happy.test.ts › create › every account type with all of its fields'],
  },
  {
    id: 'service-06',
    rule: 'A post goes to one of eleven account types: INSTAGRAM, FACEBOOK, TWITTER, LINKEDIN_PAGE, LINKEDIN_PERSONAL, GMB, PINTEREST, TIKTOK, YOUTUBE, THREADS, BLUESKY.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › every account type with all of its fields',
      'test/e2e/all-networks.test.ts › every account type of the API has a network',
      'test/e2e/all-networks.test.ts › one set of eleven posts, %s as each allows, to permalinks that open',
    ],
  },
  {
    id: 'service-07',
    rule: 'A scheduled set is published to every network that it names, and each post is reported on its own.',
    proof: [
      'test/e2e/sandbox.test.ts › text, images and video go to both networks at once, and every permalink opens',
      'test/e2e/bluesky-server.test.ts › from a key to a post on a real server, and back',
    ],
  },
  {
    id: 'service-08',
    rule: 'Approval tracks a review; the status alone decides whether a set is published.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
      'test/api/publishing-rules.happy.test.ts › a draft is not published, with any approval and however late it is',
      'test/api/publishing-rules.happy.test.ts › a scheduled set is published on time, with any approval',
    ],
  },
  {
    id: 'service-09',
    rule: 'Approving a set never schedules it.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'src/operations/approvals/review.test.ts › approving leaves the status of a set, raises its version and records in history what changed',
    ],
  },
  {
    id: 'service-10',
    rule: 'A reviewer who requests changes parks the set as a draft.',
    proof: [
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'src/operations/approvals/review.test.ts › requesting changes denies a set and parks a scheduled one as a draft',
    ],
  },
  {
    id: 'service-11',
    rule: 'A set that is made as DRAFT with approval PENDING publishes nothing until a member acts.',
    proof: [
      'test/api/publishing-rules.happy.test.ts › a draft is not published, with any approval and however late it is',
    ],
  },
  {
    id: 'service-12',
    rule: 'A set that is made as SCHEDULED with approval PENDING publishes on time.',
    proof: ['test/api/publishing-rules.happy.test.ts › a scheduled set is published on time, with any approval'],
  },
  {
    id: 'service-13',
    rule: 'A SCHEDULED set whose reviewer requests changes before its time is not published.',
    proof: [
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'test/api/publishing-rules.happy.test.ts › a draft is not published, with any approval and however late it is',
    ],
  },
  {
    id: 'service-14',
    rule: 'Post sets repeat daily, weekly, monthly or yearly.',
    proof: [
      'test/api/series.happy.test.ts › a new series › keeps the wall-clock time of the social set when summer time begins and ends',
      'test/api/series.happy.test.ts › a new series › ends at the last day of a shorter month, counted from the first time',
    ],
  },
  {
    id: 'service-15',
    rule: 'Notes repeat daily, weekly, monthly or yearly.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'service-16',
    rule: "Notes, reminders on a day of a social set's calendar, are made and read.",
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'service-17',
    rule: 'Social sets are listed together with their connected accounts.',
    proof: ['test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret'],
  },
  {
    id: 'service-18',
    rule: 'Images and videos are imported from a public URL into the media library of a social set.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
      'test/api/media.happy.test.ts › a video has a length and no thumbnail, and is named by its address',
    ],
  },
  {
    id: 'service-19',
    rule: 'An import runs in the background; the client asks until it is ready.',
    proof: ['test/api/media.happy.test.ts › progress is seen while the file comes'],
  },
  {
    id: 'service-20',
    rule: 'The media library can be browsed.',
    proof: ['test/api/media.happy.test.ts › the library in pages, newest first; nothing overlaps, nothing is left out'],
  },
  {
    id: 'service-21',
    rule: "A published post has the network's id of the post and a permalink.",
    proof: [
      'test/api/post-sets.happy.test.ts › read › results of the present content are answered, with what they have',
      'test/e2e/bluesky-server.test.ts › from a key to a post on a real server, and back',
    ],
  },
  {
    id: 'service-22',
    rule: 'A post that failed has a reason code.',
    proof: [
      'test/e2e/sandbox.test.ts › a post that the network refuses is reported with its reason, and its sisters are posted',
    ],
  },
  {
    id: 'service-23',
    rule: 'The history of a set names the key that created it.',
    proof: ['test/api/post-sets.happy.test.ts › create › history names the key that created the set'],
  },
  {
    id: 'service-24',
    rule: 'The history of a set names the key that changed it.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › versions, times and history › history records what changed, and by which key',
    ],
  },
  {
    id: 'service-25',
    rule: "Every write is held against the account's plan: monthly posts, video, carousels, repeats and approvals.",
    proof: [
      'test/api/plans.error.test.ts › everything that the plan lacks is reported at once',
      'test/api/plans.error.test.ts › the monthly post limit › counts drafts, scheduled sets and every set of a series; says limit and count',
    ],
  },
  {
    id: 'service-26',
    rule: 'There are no analytics in the API: it has the operations that are listed and no others.',
    proof: [
      'test/api/errors.happy.test.ts › the description of the API › is OpenAPI 3.1 with every operation, its problems, its key and its name',
    ],
  },
  {
    id: 'service-27',
    rule: 'Every page of the documentation is given as markdown too, at its address with .md behind it.',
    proof: ['test/api/docs.happy.test.ts › with .md at the end, every page is markdown with everything filled in'],
  },
  {
    id: 'service-28',
    rule: 'The typical way works from beginning to end: a key, the social sets, an import until READY, a set, and its results.',
    proof: ['test/e2e/bluesky-server.test.ts › from a key to a post on a real server, and back'],
  },
]
