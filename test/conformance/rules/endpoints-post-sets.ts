import type { Rule } from '../conformance.ts'

export const endpointsPostSetsRules: readonly Rule[] = [
  {
    id: 'post-sets-01',
    rule: 'GET /v1/post-sets requires socialSetId and lists the sets of that social set alone.',
  },
  {
    id: 'post-sets-02',
    rule: 'page and size are optional and choose a page.',
  },
  {
    id: 'post-sets-03',
    rule: 'filters[startDate] gives sets scheduled at or after that time.',
  },
  {
    id: 'post-sets-04',
    rule: 'filters[endDate] gives sets scheduled before that time.',
  },
  {
    id: 'post-sets-05',
    rule: 'filters[status][] may be repeated, with DRAFT, SCHEDULED, PUBLISHING, PUBLISHED.',
  },
  {
    id: 'post-sets-06',
    rule: 'filters[socialNetworks][] may be repeated and gives sets with a post for one of these networks.',
  },
  {
    id: 'post-sets-07',
    rule: 'filters[socialNetworks][] takes INSTAGRAM, FACEBOOK, TWITTER, LINKEDIN, GMB, PINTEREST, TIKTOK, YOUTUBE, THREADS, BLUESKY.',
  },
  {
    id: 'post-sets-08',
    rule: 'filters[approval][] may be repeated, with each of the five values.',
  },
  {
    id: 'post-sets-09',
    rule: 'filters[labelsId][] may be repeated and gives sets that carry one of these labels.',
  },
  {
    id: 'post-sets-10',
    rule: 'filters[search] searches captions and has at least 3 characters.',
  },
  {
    id: 'post-sets-11',
    rule: 'sort[scheduledAt] is ASC or DESC.',
  },
  {
    id: 'post-sets-12',
    rule: 'sort[createdAt] is ASC or DESC.',
  },
  {
    id: 'post-sets-13',
    rule: 'The answer is a page of whole post sets.',
  },
  {
    id: 'post-sets-14',
    rule: 'GET /v1/post-sets/{id} gives the whole set.',
  },
  {
    id: 'post-sets-15',
    rule: 'GET /v1/post-sets/{id} is 404 when there is no such set.',
  },
  {
    id: 'post-sets-16',
    rule: 'GET /v1/post-sets/{id} is 404 when the set lies outside of what the key may see.',
  },
  {
    id: 'post-sets-17',
    rule: 'POST /v1/post-sets needs post-sets:write.',
  },
  {
    id: 'post-sets-18',
    rule: 'POST /v1/post-sets with status SCHEDULED needs post-sets:publish as well.',
  },
  {
    id: 'post-sets-19',
    rule: 'POST /v1/post-sets answers the created set with 201.',
  },
  {
    id: 'post-sets-20',
    rule: 'The answer to a create with repeat is the set of the first occurrence.',
  },
  {
    id: 'post-sets-21',
    rule: 'POST /v1/post-sets requires socialSetId.',
  },
  {
    id: 'post-sets-22',
    rule: 'POST /v1/post-sets requires scheduledAt, an ISO 8601 time.',
  },
  {
    id: 'post-sets-23',
    rule: 'POST /v1/post-sets requires status, DRAFT or SCHEDULED.',
  },
  {
    id: 'post-sets-24',
    rule: 'POST /v1/post-sets requires posts, 1 to 11 of them.',
  },
  {
    id: 'post-sets-25',
    rule: 'repeat is optional, with an interval and 2 to 50 occurrences.',
  },
  {
    id: 'post-sets-26',
    rule: 'POST /v1/post-sets requires approval, one of the five values.',
  },
  {
    id: 'post-sets-27',
    rule: 'An approval other than NONE requires approvals in the plan, else 403.',
  },
  {
    id: 'post-sets-28',
    rule: 'With repeat, the first occurrence is published at scheduledAt and each next one an interval later.',
  },
  {
    id: 'post-sets-29',
    rule: 'With repeat, as many sets are made as occurrences says, all at once, with one seriesId.',
  },
  {
    id: 'post-sets-30',
    rule: 'Every occurrence counts toward the monthly post limit.',
  },
  {
    id: 'post-sets-31',
    rule: 'repeat is 403 post-set:repeats_not_available when the plan has no repeats.',
  },
  {
    id: 'post-sets-32',
    rule: 'Drafts are checked loosely.',
  },
  {
    id: 'post-sets-33',
    rule: "Scheduling checks each post against its network's rules; what fails is post-set:invalid_posts with one entry per problem.",
  },
  {
    id: 'post-sets-34',
    rule: 'mediaLibraryId of every media item belongs to the same social set.',
  },
  {
    id: 'post-sets-35',
    rule: 'PATCH /v1/post-sets/{id} needs post-sets:write.',
  },
  {
    id: 'post-sets-36',
    rule: 'PATCH /v1/post-sets/{id} needs post-sets:publish as well when the set ends SCHEDULED, by this request or before it.',
  },
  {
    id: 'post-sets-37',
    rule: 'Fields that an update leaves out keep their values.',
  },
  {
    id: 'post-sets-38',
    rule: 'An update changes scheduledAt.',
  },
  {
    id: 'post-sets-39',
    rule: 'An update changes status to DRAFT or SCHEDULED.',
  },
  {
    id: 'post-sets-40',
    rule: 'repeat in an update makes the set the start of a series.',
  },
  {
    id: 'post-sets-41',
    rule: 'repeat in an update of a set that is in a series is 400 post-set:repeat_not_updatable.',
  },
  {
    id: 'post-sets-42',
    rule: 'A change of approval requires approvals in the plan, else 403.',
  },
  {
    id: 'post-sets-43',
    rule: 'posts in an update replaces the whole list.',
  },
  {
    id: 'post-sets-44',
    rule: 'A post with an id keeps that post, whose account type cannot change.',
  },
  {
    id: 'post-sets-45',
    rule: 'A post without an id is created.',
  },
  {
    id: 'post-sets-46',
    rule: 'A post that the list does not name is removed.',
  },
  {
    id: 'post-sets-47',
    rule: 'A media item with an id keeps an item of the set, which may move to another post.',
  },
  {
    id: 'post-sets-48',
    rule: 'A media item with a mediaLibraryId adds an item of the library.',
  },
  {
    id: 'post-sets-49',
    rule: 'A media item that is not named is removed.',
  },
  {
    id: 'post-sets-50',
    rule: 'An id of a post or of a media item that occurs twice is post-set:duplicate_references.',
  },
  {
    id: 'post-sets-51',
    rule: 'An update of a set that is PUBLISHING or PUBLISHED is 412 post-set:read_only.',
  },
  {
    id: 'post-sets-52',
    rule: 'PATCH /v1/post-sets/{id} is 404 for a set that does not exist or lies outside of what the key may see.',
  },
]
