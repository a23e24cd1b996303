import type { Rule } from '../conformance.ts'

export const decidedSeriesRules: readonly Rule[] = [
  {
    id: 'series-01',
    rule: "Occurrences keep the time on the wall of the social set's timezone across changes of the clock.",
    proof: [
      'test/api/series.happy.test.ts › a new series › keeps the wall-clock time of the social set when summer time begins and ends',
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
      'src/domain/series.test.ts › every zone, two years › around each change of its clock no occurrence drifts and none is lost',
    ],
  },
  {
    id: 'series-02',
    rule: "A step of a month or year from the 29th, 30th or 31st ends on the month's last day, counted from the first occurrence.",
    proof: [
      'test/api/series.happy.test.ts › a new series › ends at the last day of a shorter month, counted from the first time',
      'test/api/note-rules.happy.test.ts › a note that repeats › ends on the last day of a shorter month, counted from the first',
      'src/domain/series.test.ts › by hand › months end at their last day, counted from the first one',
      'src/domain/series.test.ts › by hand › a leap day is the last of February in other years',
    ],
  },
  {
    id: 'series-03',
    rule: 'A time that a change of the clock skips moves forward by the gap.',
    proof: [
      'test/api/series.happy.test.ts › a new series › moves a time that summer time skips forward by the gap, that one alone',
    ],
  },
  {
    id: 'series-04',
    rule: 'All occurrences are made in one transaction: all or none.',
    proof: ['test/api/series.error.test.ts › a series is made whole or not at all › when posts break the rules'],
  },
  {
    id: 'series-05',
    rule: 'An update of an occurrence changes that one alone.',
    proof: [
      'test/api/series.happy.test.ts › the sets of a series › change one by one',
      'test/api/note-rules.happy.test.ts › a change of a note › of one that repeats is one of this occurrence alone',
    ],
  },
  {
    id: 'series-06',
    rule: 'An update with repeat makes the set, as that request leaves it, the first occurrence.',
    proof: [
      'test/api/series.happy.test.ts › a set that is turned into a series › is the first one, as the request leaves it; labels and approval go with it',
    ],
  },
  {
    id: 'series-07',
    rule: 'Of a set that becomes a series, posts, media items with new ids, approval and labels are copied; lock and results are not.',
    proof: [
      'test/api/series.happy.test.ts › a set that is turned into a series › is the first one, as the request leaves it; labels and approval go with it',
    ],
  },
  {
    id: 'series-08',
    rule: 'Of an update with repeat, the occurrences but the first count toward the monthly limit.',
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › counts drafts, scheduled sets and every set of a series; says limit and count',
    ],
  },
  {
    id: 'series-09',
    rule: 'repeat is answered on the set that started the series, and on no other.',
    proof: [
      'test/api/series.happy.test.ts › a new series › is made of sets of their own that share a series; the first one is answered and has the rule',
    ],
  },
  {
    id: 'publish-01',
    rule: 'A set may be scheduled in the past, and is then published at once.',
    proof: [
      'test/engine/calendar.test.ts › a set scheduled in the past counts as late from its request on',
      'test/api/post-sets.happy.test.ts › create › a set may be scheduled in the past, and in the future',
    ],
  },
  {
    id: 'publish-02',
    rule: 'A set that is first claimed more than the late limit after its time is not sent: its posts are FAILED, UNKNOWN, with words on why.',
    proof: ['test/engine/calendar.test.ts › a set that is past the late limit is not sent, and says why'],
  },
  {
    id: 'publish-03',
    rule: 'Lateness of a set that was scheduled in the past counts from the request.',
    proof: [
      'test/engine/calendar.test.ts › a set scheduled in the past counts as late from its request on',
      'test/api/post-set-updates.happy.test.ts › versions, times and history › lateness counts from the request that scheduled the set or moved it',
    ],
  },
  {
    id: 'publish-04',
    rule: 'Retries and waits of a post end 24 hours after its time.',
    proof: ['test/engine/delivery.test.ts › waits end 24 hours after the time of the post'],
  },
  {
    id: 'publish-05',
    rule: 'An unknown outcome is looked up after 1 s, 5 s, 15 s, 30 s, 1 min, 5 min, 15 min, 1 h and 6 h; a look counts when the network answered; then it ends FAILED, UNKNOWN, with words that the post may be live.',
    proof: [
      'test/engine/delivery.test.ts › what no look can decide is looked up nine times and ends as perhaps live',
      'test/engine/looks.test.ts › looks without an answer do not count, and are made again with the pauses of retries',
    ],
  },
  {
    id: 'publish-06',
    rule: 'Rules are asked when a request schedules a set, or changes posts or time of one that ends SCHEDULED.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › when a change schedules, moves or changes a set',
    ],
  },
  {
    id: 'publish-07',
    rule: 'Rules are asked again right before a post is sent.',
    proof: ['test/engine/delivery.test.ts › rules are run again: what became wrong meanwhile is not sent'],
  },
  {
    id: 'publish-08',
    rule: 'Rules are not asked for approval, labels, lock, or parking as a draft.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › rules of scheduled posts › are not asked again for what does not change',
      'test/api/post-sets.error.test.ts › posts that cannot be published › when a change schedules, moves or changes a set',
      'test/api/post-set-rules.happy.test.ts › labels and the lock of a scheduled set ask nothing about its posts',
    ],
  },
  {
    id: 'publish-09',
    rule: 'Approval through the API never changes the status.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
    ],
  },
  {
    id: 'publish-10',
    rule: "A reviewer's request for changes sets DENIED and parks the set; approving sets APPROVED and leaves the status.",
    proof: [
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'src/operations/approvals/review.test.ts › requesting changes denies a set and parks a scheduled one as a draft',
      'src/operations/approvals/review.test.ts › approving leaves the status of a set, raises its version and records in history what changed',
    ],
  },
  {
    id: 'publish-11',
    rule: 'Each post of a set is published independently of the others.',
    proof: [
      'test/e2e/sandbox.test.ts › a post that the network refuses is reported with its reason, and its sisters are posted',
    ],
  },
  {
    id: 'publish-12',
    rule: 'A set is PUBLISHED when every post has its result, with any results.',
    proof: [
      'test/engine/calendar.test.ts › a set is published when its last post is done, also when both end at once',
      'test/engine/delivery.test.ts › a refusal is the result',
    ],
  },
  {
    id: 'publish-13',
    rule: 'What is said of a media item and the network has no place for is kept and not sent.',
    proof: [
      'src/networks/instagram/publish.test.ts › what is sent › a story, without what stories do not have',
      'test/api/post-rules.happy.test.ts › what is said of a media item is kept, tags at the edges of the image included',
    ],
  },
  {
    id: 'publish-14',
    rule: 'A first comment that fails leaves the post POSTED, and is reported in history and in warnings of the result.',
    proof: [
      'test/engine/follow-up.test.ts › a refused comment leaves the post POSTED, with a warning',
      'test/api/publishing-rules.happy.test.ts › a first comment that was refused is reported in history with the post',
    ],
  },
  {
    id: 'publish-15',
    rule: 'Credentials of one account of a network are stored once and shared by its connections.',
    proof: [
      'src/operations/connections/add.test.ts › the same account again renews the connection, wherever it is used, and keeps its id',
      'test/engine/tokens.test.ts › twenty posts that meet an expired token at once refresh it once',
    ],
  },
  {
    id: 'publish-16',
    rule: 'A scheduled set whose connection is closed stays and fails visibly.',
    proof: ['test/engine/delivery.test.ts › a connection that was closed fails its posts visibly'],
  },
  {
    id: 'publish-17',
    rule: 'A media item that is closed stays in the sets that have it.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › posts, the complete new list › an item that is closed in the library stays in the set that has it',
      'test/api/media.error.test.ts › an item that was closed is gone from the library, and its address stays good',
    ],
  },
  {
    id: 'publish-18',
    rule: 'Notes that are made through the API have source.type APP.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'publish-19',
    rule: 'The content of a note has at least one character; characters are code points.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has 1 to 1024 characters, which are code points',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'publish-20',
    rule: 'A locked set answers 412 post-set:locked to programs, but parking it, by status DRAFT alone, is allowed.',
    proof: [
      'test/api/post-sets.error.test.ts › sets that cannot be changed › locked ones, but for parking alone',
      'test/api/post-set-updates.happy.test.ts › a locked set › may be parked, by a request that says nothing else',
    ],
  },
  {
    id: 'publish-21',
    rule: 'A locked set is published on time.',
    proof: ['test/api/publishing-rules.happy.test.ts › a locked set is published on time'],
  },
  {
    id: 'publish-22',
    rule: 'History records of every change when it was, who made it and what changed.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › versions, times and history › history records what changed, and by which key',
      'src/operations/post-sets/marks.test.ts › a lock is set and taken away once, with its author in history, and is no change of content',
      'test/engine/delivery.test.ts › a set that is due is claimed, sent and published, and history records it',
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
    ],
  },
  {
    id: 'publish-23',
    rule: 'What is due is decided by the clock of the database.',
    proof: [
      'test/engine/delivery.test.ts › what certainly did not happen is tried again after a pause, what the network asks to wait for costs no attempt',
      'test/engine/calendar.test.ts › a set that is past the late limit is not sent, and says why',
    ],
  },
  {
    id: 'publish-24',
    rule: 'doctor warns when the clock of a process and that of the database differ by more than two seconds.',
    proof: [
      'test/api/clock-rules.error.test.ts › doctor reports that the clock of its process is %i ms away from that of the database: well is %s',
    ],
  },
  {
    id: 'publish-25',
    rule: 'A connection that is closed is kept, so that what names it still does.',
    proof: ['src/operations/connections/add.test.ts › another account is refused in words until the first is closed'],
  },
  {
    id: 'publish-26',
    rule: 'What a network demands and posts have no field for is chosen for the connection; a scheduled post without it is a problem.',
    proof: [
      'test/api/publishing-defaults.error.test.ts › $accountType: each that is missing is a problem of a scheduled post, and named',
      'src/operations/connections/authorization.test.ts › publishing defaults are chosen by their schema and by what the network offers',
    ],
  },
  {
    id: 'publish-27',
    rule: 'A set that is still pending at its time is published; from 24 hours before, the product warns of it.',
    proof: [
      'test/api/publishing-rules.happy.test.ts › a scheduled set is published on time, with any approval',
      'web/src/planning/card-words.test.ts › what goes out without an approval › at %s is warned of: %s',
      'web/src/planning/card-words.test.ts › what goes out without an approval › more than a day before, nothing is said',
      'test/e2e/dashboard/states.matrix.test.ts › what goes out without an approval › warns on its card, in the list, on narrow screens and in its panel, from a day before',
    ],
  },
  {
    id: 'extension-01',
    rule: 'DELETE /v1/notes/{id} removes a note, with notes:write.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that is deleted is gone, of a series that occurrence alone',
      'test/api/note-rules.error.test.ts › who may › notes:write is needed to write, and nothing to read',
    ],
  },
  {
    id: 'extension-02',
    rule: 'DELETE /v1/post-sets/{id} removes a set that is DRAFT, with post-sets:write, or SCHEDULED, with post-sets:publish too.',
    proof: [
      'test/api/post-set-deletion.happy.test.ts › deleting a post set › of status %s takes it off the calendar with its posts; media and history stay',
      'test/api/post-set-deletion.happy.test.ts › deleting a post set › needs the scope for writing, and of a scheduled set the one for publishing too',
      'test/api/post-set-deletion.happy.test.ts › deleting a post set › of a scheduled set is possible for a key that only writes, once it has parked the set as a draft',
      'test/api/post-set-deletion.happy.test.ts › deleting a post set › that waits while somebody schedules the set needs the scope for publishing',
    ],
  },
  {
    id: 'extension-03',
    rule: 'DELETE of a set that is PUBLISHING or PUBLISHED is 412 post-set:read_only.',
    proof: [
      'test/api/post-set-deletion.happy.test.ts › deleting a post set › is refused when it is publishing, published or locked',
    ],
  },
  {
    id: 'extension-04',
    rule: 'POST /v1/post-sets/validate takes the body of a create, writes nothing, and answers problems and warnings.',
    proof: [
      'test/api/post-set-validation.happy.test.ts › what creating would refuse are problems, by the same codes and places',
      'test/api/post-set-validation.happy.test.ts › what stops a draft from being scheduled is a warning',
      'test/api/post-set-validation.happy.test.ts › nothing is written',
    ],
  },
  {
    id: 'extension-05',
    rule: 'A set has a version that every change raises, which is its ETag.',
    proof: [
      'test/api/post-set-versions.happy.test.ts › the version of a post set › is in every answer, and in its entity tag',
      'test/api/post-set-versions.happy.test.ts › the version of a post set › rises with every change, and with nothing else',
    ],
  },
  {
    id: 'extension-06',
    rule: 'An update or removal whose If-Match is not the present version is 412 post-set:version_conflict and changes nothing.',
    proof: [
      'test/api/post-set-versions.happy.test.ts › If-Match › %s does not match version 1',
      'test/api/post-set-versions.happy.test.ts › If-Match › of two changes that know the same version, one gets through',
    ],
  },
  {
    id: 'extension-07',
    rule: 'GET /v1/labels lists the labels of the account.',
    proof: [
      'test/api/labels.happy.test.ts › the labels of the account by name',
      'test/api/labels.security.test.ts › a key sees the labels of its account and no others, with any scopes and social sets',
    ],
  },
  {
    id: 'extension-08',
    rule: 'The API describes itself as OpenAPI 3.1, and answers what it describes.',
    proof: [
      'test/api/errors.happy.test.ts › the description of the API › is OpenAPI 3.1 with every operation, its problems, its key and its name',
      'src/http/route.test.ts › an answer that does not fit is an error where that is wanted, elsewhere it is cleaned; the log hears of both',
    ],
  },
  {
    id: 'extension-09',
    rule: 'GET /v1/networks says what each account type takes: fields, kinds of posts, publishing defaults and limits.',
    proof: [
      'test/api/networks.happy.test.ts › every account type is there with its fields, forms, defaults and limits',
      'test/e2e/twelfth-network.test.ts › it is among the networks, with its fields and limits',
    ],
  },
]
