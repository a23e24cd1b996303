import type { Rule } from '../conformance.ts'

export const endpointsPostSetsRules: readonly Rule[] = [
  {
    id: 'post-sets-01',
    rule: 'GET /v1/post-sets requires socialSetId and lists the sets of that social set alone.',
    proof: [
      'test/api/post-sets.error.test.ts › the query of a list › %s',
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-set-rules.happy.test.ts › a list holds the sets of its social set alone, each as it is read by its id',
    ],
  },
  {
    id: 'post-sets-02',
    rule: 'page and size are optional and choose a page.',
    proof: ['test/api/post-set-lists.happy.test.ts › pages › say where they are'],
  },
  {
    id: 'post-sets-03',
    rule: 'filters[startDate] gives sets scheduled at or after that time.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › %s'],
  },
  {
    id: 'post-sets-04',
    rule: 'filters[endDate] gives sets scheduled before that time.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › %s'],
  },
  {
    id: 'post-sets-05',
    rule: 'filters[status][] may be repeated, with DRAFT, SCHEDULED, PUBLISHING, PUBLISHED.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-sets.error.test.ts › the query of a list › %s',
    ],
  },
  {
    id: 'post-sets-06',
    rule: 'filters[socialNetworks][] may be repeated and gives sets with a post for one of these networks.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › %s'],
  },
  {
    id: 'post-sets-07',
    rule: 'filters[socialNetworks][] takes INSTAGRAM, FACEBOOK, TWITTER, LINKEDIN, GMB, PINTEREST, TIKTOK, YOUTUBE, THREADS, BLUESKY.',
    proof: ['test/api/post-set-rules.happy.test.ts › sets are found by each network that a filter may name'],
  },
  {
    id: 'post-sets-08',
    rule: 'filters[approval][] may be repeated, with each of the five values.',
    proof: ['test/api/post-set-rules.happy.test.ts › sets are found by each approval, and by several at once'],
  },
  {
    id: 'post-sets-09',
    rule: 'filters[labelsId][] may be repeated and gives sets that carry one of these labels.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › labels'],
  },
  {
    id: 'post-sets-10',
    rule: 'filters[search] searches captions and has at least 3 characters.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-sets.error.test.ts › the query of a list › %s',
    ],
  },
  {
    id: 'post-sets-11',
    rule: 'sort[scheduledAt] is ASC or DESC.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › sorts › the time of publishing, ascending, is the default',
      'test/api/post-sets.error.test.ts › the query of a list › %s',
    ],
  },
  {
    id: 'post-sets-12',
    rule: 'sort[createdAt] is ASC or DESC.',
    proof: ['test/api/post-set-lists.happy.test.ts › sorts › the time of creation'],
  },
  {
    id: 'post-sets-13',
    rule: 'The answer is a page of whole post sets.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › say where they are',
      'test/api/post-set-rules.happy.test.ts › a list holds the sets of its social set alone, each as it is read by its id',
    ],
  },
  {
    id: 'post-sets-14',
    rule: 'GET /v1/post-sets/{id} gives the whole set.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null'],
  },
  {
    id: 'post-sets-15',
    rule: 'GET /v1/post-sets/{id} is 404 when there is no such set.',
    proof: ['test/api/post-sets.error.test.ts › what is not there › a set, with any form of id'],
  },
  {
    id: 'post-sets-16',
    rule: 'GET /v1/post-sets/{id} is 404 when the set lies outside of what the key may see.',
    proof: [
      'test/api/post-sets.security.test.ts › what a key does not see is not there › sets, social sets and media of another account',
      'test/api/post-sets.security.test.ts › what a key does not see is not there › sets and social sets outside of the restriction of a key, in bodies too',
    ],
  },
  {
    id: 'post-sets-17',
    rule: 'POST /v1/post-sets needs post-sets:write.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else',
      'test/api/post-sets.security.test.ts › scopes › publishing alone does not write',
    ],
  },
  {
    id: 'post-sets-18',
    rule: 'POST /v1/post-sets with status SCHEDULED needs post-sets:publish as well.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'post-sets-19',
    rule: 'POST /v1/post-sets answers the created set with 201.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null'],
  },
  {
    id: 'post-sets-20',
    rule: 'The answer to a create with repeat is the set of the first occurrence.',
    proof: [
      'test/api/series.happy.test.ts › a new series › is made of sets of their own that share a series; the first one is answered and has the rule',
    ],
  },
  {
    id: 'post-sets-21',
    rule: 'POST /v1/post-sets requires socialSetId.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
    ],
  },
  {
    id: 'post-sets-22',
    rule: 'POST /v1/post-sets requires scheduledAt, an ISO 8601 time.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
    ],
  },
  {
    id: 'post-sets-23',
    rule: 'POST /v1/post-sets requires status, DRAFT or SCHEDULED.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
    ],
  },
  {
    id: 'post-sets-24',
    rule: 'POST /v1/post-sets requires posts, 1 to 11 of them.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-sets.happy.test.ts › create › every account type with all of its fields',
    ],
  },
  {
    id: 'post-sets-25',
    rule: 'repeat is optional, with an interval and 2 to 50 occurrences.',
    proof: [
      'test/api/series.error.test.ts › a repeat rule › %j is refused at create and at update, and makes nothing',
      'test/api/series.happy.test.ts › a new series › takes as many queries for fifty sets of eleven posts as for two',
    ],
  },
  {
    id: 'post-sets-26',
    rule: 'POST /v1/post-sets requires approval, one of the five values.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
      'test/api/post-sets.happy.test.ts › create › repeat may be null, and every approval is taken',
    ],
  },
  {
    id: 'post-sets-27',
    rule: 'An approval other than NONE requires approvals in the plan, else 403.',
    proof: ['test/api/plans.error.test.ts › without approvals › a set is made without one, and none is changed'],
  },
  {
    id: 'post-sets-28',
    rule: 'With repeat, the first occurrence is published at scheduledAt and each next one an interval later.',
    proof: [
      'test/api/series.happy.test.ts › a new series › keeps the wall-clock time of the social set when summer time begins and ends',
    ],
  },
  {
    id: 'post-sets-29',
    rule: 'With repeat, as many sets are made as occurrences says, all at once, with one seriesId.',
    proof: [
      'test/api/series.happy.test.ts › a new series › is made of sets of their own that share a series; the first one is answered and has the rule',
    ],
  },
  {
    id: 'post-sets-30',
    rule: 'Every occurrence counts toward the monthly post limit.',
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › counts drafts, scheduled sets and every set of a series; says limit and count',
      'test/api/series.error.test.ts › a series is made whole or not at all › when it would pass the monthly limit',
    ],
  },
  {
    id: 'post-sets-31',
    rule: 'repeat is 403 post-set:repeats_not_available when the plan has no repeats.',
    proof: ['test/api/plans.error.test.ts › without repeats nothing is repeated'],
  },
  {
    id: 'post-sets-32',
    rule: 'Drafts are checked loosely.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft may break every rule of a network'],
  },
  {
    id: 'post-sets-33',
    rule: "Scheduling checks each post against its network's rules; what fails is post-set:invalid_posts with one entry per problem.",
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'post-sets-34',
    rule: 'mediaLibraryId of every media item belongs to the same social set.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › library items that are not of the social set, at any status, all as one',
    ],
  },
  {
    id: 'post-sets-35',
    rule: 'PATCH /v1/post-sets/{id} needs post-sets:write.',
    proof: ['test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else'],
  },
  {
    id: 'post-sets-36',
    rule: 'PATCH /v1/post-sets/{id} needs post-sets:publish as well when the set ends SCHEDULED, by this request or before it.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'post-sets-37',
    rule: 'Fields that an update leaves out keep their values.',
    proof: ['test/api/post-set-updates.happy.test.ts › the fields of a set › omitted fields keep their values'],
  },
  {
    id: 'post-sets-38',
    rule: 'An update changes scheduledAt.',
    proof: ['test/api/post-set-updates.happy.test.ts › the fields of a set › omitted fields keep their values'],
  },
  {
    id: 'post-sets-39',
    rule: 'An update changes status to DRAFT or SCHEDULED.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
      'test/api/post-sets.error.test.ts › a change › of another shape',
    ],
  },
  {
    id: 'post-sets-40',
    rule: 'repeat in an update makes the set the start of a series.',
    proof: [
      'test/api/series.happy.test.ts › a set that is turned into a series › is the first one, as the request leaves it; labels and approval go with it',
      'test/api/series.happy.test.ts › a set that is turned into a series › by nothing but the rule',
    ],
  },
  {
    id: 'post-sets-41',
    rule: 'repeat in an update of a set that is in a series is 400 post-set:repeat_not_updatable.',
    proof: ['test/api/series.error.test.ts › a repeat rule › of a set that belongs to a series cannot change'],
  },
  {
    id: 'post-sets-42',
    rule: 'A change of approval requires approvals in the plan, else 403.',
    proof: ['test/api/plans.error.test.ts › without approvals › a set is made without one, and none is changed'],
  },
  {
    id: 'post-sets-43',
    rule: 'posts in an update replaces the whole list.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a post with an id is kept, one without is new, one that is not named goes',
    ],
  },
  {
    id: 'post-sets-44',
    rule: 'A post with an id keeps that post, whose account type cannot change.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a post with an id is kept, one without is new, one that is not named goes',
      'test/api/post-sets.error.test.ts › a change › of references',
    ],
  },
  {
    id: 'post-sets-45',
    rule: 'A post without an id is created.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a post with an id is kept, one without is new, one that is not named goes',
    ],
  },
  {
    id: 'post-sets-46',
    rule: 'A post that the list does not name is removed.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a post with an id is kept, one without is new, one that is not named goes',
    ],
  },
  {
    id: 'post-sets-47',
    rule: 'A media item with an id keeps an item of the set, which may move to another post.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a media item is kept by its id with what is said of it, also when it moves; others go',
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a media item survives when its post goes and it moves',
    ],
  },
  {
    id: 'post-sets-48',
    rule: 'A media item with a mediaLibraryId adds an item of the library.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a media item is kept by its id with what is said of it, also when it moves; others go',
    ],
  },
  {
    id: 'post-sets-49',
    rule: 'A media item that is not named is removed.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › a media item is kept by its id with what is said of it, also when it moves; others go',
    ],
  },
  {
    id: 'post-sets-50',
    rule: 'An id of a post or of a media item that occurs twice is post-set:duplicate_references.',
    proof: ['test/api/post-sets.error.test.ts › a change › of references'],
  },
  {
    id: 'post-sets-51',
    rule: 'An update of a set that is PUBLISHING or PUBLISHED is 412 post-set:read_only.',
    proof: [
      'test/api/post-sets.error.test.ts › sets that cannot be changed › publishing and published ones, with any body',
    ],
  },
  {
    id: 'post-sets-52',
    rule: 'PATCH /v1/post-sets/{id} is 404 for a set that does not exist or lies outside of what the key may see.',
    proof: [
      'test/api/post-sets.error.test.ts › what is not there › a set, with any form of id',
      'test/api/post-sets.security.test.ts › what a key does not see is not there › sets and social sets outside of the restriction of a key, in bodies too',
    ],
  },
]
