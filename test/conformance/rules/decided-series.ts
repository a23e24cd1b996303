import type { Rule } from '../conformance.ts'

export const decidedSeriesRules: readonly Rule[] = [
  {
    id: 'series-01',
    rule: "Occurrences keep the time on the wall of the social set's timezone across changes of the clock.",
  },
  {
    id: 'series-02',
    rule: "A step of a month or year from the 29th, 30th or 31st ends on the month's last day, counted from the first occurrence.",
  },
  {
    id: 'series-03',
    rule: 'A time that a change of the clock skips moves forward by the gap.',
  },
  {
    id: 'series-04',
    rule: 'All occurrences are made in one transaction: all or none.',
  },
  {
    id: 'series-05',
    rule: 'An update of an occurrence changes that one alone.',
  },
  {
    id: 'series-06',
    rule: 'An update with repeat makes the set, as that request leaves it, the first occurrence.',
  },
  {
    id: 'series-07',
    rule: 'Of a set that becomes a series, posts, media items with new ids, approval and labels are copied; lock and results are not.',
  },
  {
    id: 'series-08',
    rule: 'Of an update with repeat, the occurrences but the first count toward the monthly limit.',
  },
  {
    id: 'series-09',
    rule: 'repeat is answered on the set that started the series, and on no other.',
  },
  {
    id: 'publish-01',
    rule: 'A set may be scheduled in the past, and is then published at once.',
  },
  {
    id: 'publish-02',
    rule: 'A set that is first claimed more than the late limit after its time is not sent: its posts are FAILED, UNKNOWN, with words on why.',
  },
  {
    id: 'publish-03',
    rule: 'Lateness of a set that was scheduled in the past counts from the request.',
  },
  {
    id: 'publish-04',
    rule: 'Retries and waits of a post end 24 hours after its time.',
  },
  {
    id: 'publish-05',
    rule: 'An unknown outcome is looked up after 1 s, 5 s, 15 s, 30 s, 1 min, 5 min, 15 min, 1 h and 6 h; a look counts when the network answered; then it ends FAILED, UNKNOWN, with words that the post may be live.',
  },
  {
    id: 'publish-06',
    rule: 'Rules are asked when a request schedules a set, or changes posts or time of one that ends SCHEDULED.',
  },
  {
    id: 'publish-07',
    rule: 'Rules are asked again right before a post is sent.',
  },
  {
    id: 'publish-08',
    rule: 'Rules are not asked for approval, labels, lock, or parking as a draft.',
  },
  {
    id: 'publish-09',
    rule: 'Approval through the API never changes the status.',
  },
  {
    id: 'publish-10',
    rule: "A reviewer's request for changes sets DENIED and parks the set; approving sets APPROVED and leaves the status.",
  },
  {
    id: 'publish-11',
    rule: 'Each post of a set is published independently of the others.',
  },
  {
    id: 'publish-12',
    rule: 'A set is PUBLISHED when every post has its result, with any results.',
  },
  {
    id: 'publish-13',
    rule: 'What is said of a media item and the network has no place for is kept and not sent.',
  },
  {
    id: 'publish-14',
    rule: 'A first comment that fails leaves the post POSTED, and is reported in history and in warnings of the result.',
  },
  {
    id: 'publish-15',
    rule: 'Credentials of one account of a network are stored once and shared by its connections.',
  },
  {
    id: 'publish-16',
    rule: 'A scheduled set whose connection is closed stays and fails visibly.',
  },
  {
    id: 'publish-17',
    rule: 'A media item that is closed stays in the sets that have it.',
  },
  {
    id: 'publish-18',
    rule: 'Notes that are made through the API have source.type APP.',
  },
  {
    id: 'publish-19',
    rule: 'The content of a note has at least one character; characters are code points.',
  },
  {
    id: 'publish-20',
    rule: 'A locked set answers 412 post-set:locked to programs, but parking it, by status DRAFT alone, is allowed.',
  },
  {
    id: 'publish-21',
    rule: 'A locked set is published on time.',
  },
  {
    id: 'publish-22',
    rule: 'History records of every change when it was, who made it and what changed.',
  },
  {
    id: 'publish-23',
    rule: 'What is due is decided by the clock of the database.',
  },
  {
    id: 'publish-24',
    rule: 'doctor warns when the clock of a process and that of the database differ by more than two seconds.',
  },
  {
    id: 'publish-25',
    rule: 'A connection that is closed is kept, so that what names it still does.',
  },
  {
    id: 'publish-26',
    rule: 'What a network demands and posts have no field for is chosen for the connection; a scheduled post without it is a problem.',
  },
  {
    id: 'publish-27',
    rule: 'A set that is still pending at its time is published; from 24 hours before, the product warns of it.',
  },
  {
    id: 'extension-01',
    rule: 'DELETE /v1/notes/{id} removes a note, with notes:write.',
  },
  {
    id: 'extension-02',
    rule: 'DELETE /v1/post-sets/{id} removes a set that is DRAFT, with post-sets:write, or SCHEDULED, with post-sets:publish too.',
  },
  {
    id: 'extension-03',
    rule: 'DELETE of a set that is PUBLISHING or PUBLISHED is 412 post-set:read_only.',
  },
  {
    id: 'extension-04',
    rule: 'POST /v1/post-sets/validate takes the body of a create, writes nothing, and answers problems and warnings.',
  },
  {
    id: 'extension-05',
    rule: 'A set has a version that every change raises, which is its ETag.',
  },
  {
    id: 'extension-06',
    rule: 'An update or removal whose If-Match is not the present version is 412 post-set:version_conflict and changes nothing.',
  },
  {
    id: 'extension-07',
    rule: 'GET /v1/labels lists the labels of the account.',
  },
  {
    id: 'extension-08',
    rule: 'The API describes itself as OpenAPI 3.1, and answers what it describes.',
  },
  {
    id: 'extension-09',
    rule: 'GET /v1/networks says what each account type takes: fields, kinds of posts, publishing defaults and limits.',
  },
  {
    id: 'extension-10',
    rule: 'A post of an account type that takes it has a thread: up to 24 further parts with id, caption and media, answered in their order, null for none. GET /v1/networks says who takes it.',
  },
  {
    id: 'extension-11',
    rule: 'On update a thread that is left out stays, its parts and their media are kept by their ids, and null or an empty list removes it.',
  },
  {
    id: 'extension-12',
    rule: 'Each part of a thread keeps to the rules of a post of its network; its problems lie below thread. An account type that takes none refuses one.',
  },
  {
    id: 'extension-13',
    rule: 'Copies of a set and the sets of a series have its threads, with ids of their own.',
  },
  {
    id: 'extension-14',
    rule: 'Search and the plan look into the parts of a thread.',
  },
  {
    id: 'extension-15',
    rule: 'A first comment is an option of posts of Facebook, LinkedIn, Threads and YouTube: answered as it was sent, found by search, and no default of an account.',
  },
  {
    id: 'extension-16',
    rule: 'An option may be a list. Its values are those that its network lists, each once; others are a problem when the set is scheduled.',
  },
  {
    id: 'extension-17',
    rule: 'A STORY of Instagram and Facebook takes one to ten items.',
  },
]
