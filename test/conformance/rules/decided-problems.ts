import type { Rule } from '../conformance.ts'

export const decidedProblemsRules: readonly Rule[] = [
  {
    id: 'problem-01',
    rule: 'Every error of every route is application/problem+json, unknown routes, wrong methods and malformed JSON included.',
    proof: [
      'test/api/errors.error.test.ts › routes that there are not',
      'test/api/errors.error.test.ts › methods that a route does not take',
      'test/api/errors.error.test.ts › bodies › that are no JSON',
      'test/api/errors.error.test.ts › what is hardly HTTP › is answered with a problem all the same',
      'test/api/error-rules.error.test.ts › %i because of %s has the members of a problem, all of them and no other',
    ],
  },
  {
    id: 'problem-02',
    rule: 'A problem has type, title, status, detail, code, message, requestId and errors, and nothing else.',
    proof: [
      'test/api/errors.security.test.ts › of an error of ours, nothing is reported but the request',
      'test/api/error-rules.error.test.ts › %i because of %s has the members of a problem, all of them and no other',
    ],
  },
  {
    id: 'problem-03',
    rule: 'type leads to the page of the code in the documentation, and every code has one.',
    proof: [
      'test/api/errors.happy.test.ts › pages of errors › the type of a problem leads there',
      'test/api/errors.happy.test.ts › pages of errors › there is one for every code',
      'test/api/docs.happy.test.ts › every link of every page leads somewhere, to its very place',
    ],
  },
  {
    id: 'problem-04',
    rule: 'message is the same as detail.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
      'test/api/error-rules.error.test.ts › %i because of %s has the members of a problem, all of them and no other',
    ],
  },
  {
    id: 'problem-05',
    rule: "requestId is that of the answer's header.",
    proof: ['test/api/errors.happy.test.ts › every answer names its request, and API answers are not cached'],
  },
  {
    id: 'problem-06',
    rule: 'An entry of errors has code, message, path and pointer, and for posts accountType.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
      'src/contract/check-shape.test.ts › the place begins where the value is',
      'test/api/error-rules.error.test.ts › %i because of %s has the members of a problem, all of them and no other',
    ],
  },
  {
    id: 'problem-07',
    rule: 'An entry has limit and actual where a number is at stake.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'problem-08',
    rule: 'All problems of all posts are reported at once, one entry each.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
      'test/api/post-sets.error.test.ts › the shape of a new set › missing fields, and all problems at once, each with its place and account type',
    ],
  },
  {
    id: 'problem-09',
    rule: 'Codes are a closed list: no answer has another one.',
    proof: [
      'test/api/error-rules.error.test.ts › %i because of %s has the members of a problem, all of them and no other',
    ],
  },
  {
    id: 'problem-10',
    rule: '400 request:invalid_json: the body is no JSON.',
    proof: ['test/api/errors.error.test.ts › bodies › that are no JSON'],
  },
  {
    id: 'problem-11',
    rule: '400 request:invalid_body: a field of the body is wrong, missing or unknown.',
    proof: ['test/api/post-sets.error.test.ts › the shape of a new set › %s'],
  },
  {
    id: 'problem-12',
    rule: '400 request:invalid_query: a query parameter is wrong, missing or unknown.',
    proof: ['test/api/post-sets.error.test.ts › the query of a list › %s'],
  },
  {
    id: 'problem-13',
    rule: '400 note:invalid_range: the range of a list of notes is reversed or too wide.',
    proof: ['test/api/note-rules.error.test.ts › the query of a list › a range that is %s'],
  },
  {
    id: 'problem-14',
    rule: '400 note:scheduled_at_not_updatable: the time of a recurring or an imported note would change.',
    proof: [
      'test/api/note-rules.error.test.ts › the time of a recurring note and of one that was imported cannot change',
    ],
  },
  {
    id: 'problem-15',
    rule: '400 post-set:repeat_not_updatable: a set that is in a series is given a repeat rule.',
    proof: ['test/api/series.error.test.ts › a repeat rule › of a set that belongs to a series cannot change'],
  },
  {
    id: 'problem-16',
    rule: '400 post-set:duplicate_references: an id of a post or media item occurs twice.',
    proof: ['test/api/post-sets.error.test.ts › a change › of references'],
  },
  {
    id: 'problem-17',
    rule: '400 post-set:unknown_reference: an id of a post or media item on create, or one that is not of this set on update.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › references to what only an update can keep',
      'test/api/post-sets.error.test.ts › a change › of references',
    ],
  },
  {
    id: 'problem-18',
    rule: '400 post-set:account_type_not_updatable: a post that exists is given another account type.',
    proof: ['test/api/post-sets.error.test.ts › a change › of references'],
  },
  {
    id: 'problem-19',
    rule: '401 auth:missing_credential: there is no credential; the answer asks for a bearer.',
    proof: ['test/api/keys.security.test.ts › a credential › that is missing'],
  },
  {
    id: 'problem-20',
    rule: '401 auth:invalid_credential: an unknown, disabled or revoked key, all answered alike; the answer asks for a bearer.',
    proof: [
      'test/api/keys.security.test.ts › a credential › that is none, unknown, disabled, expired or revoked is answered alike',
    ],
  },
  {
    id: 'problem-21',
    rule: '403 auth:insufficient_scope names the scope.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else',
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'problem-22',
    rule: '403 plan:api_access_not_available: the plan does not include the API.',
    proof: ['test/api/plans.error.test.ts › a plan without the API opens nothing'],
  },
  {
    id: 'problem-23',
    rule: '403 plan:approvals_not_available: the plan has no approvals.',
    proof: ['test/api/plans.error.test.ts › without approvals › a set is made without one, and none is changed'],
  },
  {
    id: 'problem-24',
    rule: '403 auth:password_confirmation_failed: the password that confirms is wrong.',
    proof: [
      'test/api/keys-of-dashboard.error.test.ts › a wrong password is 403, and too many of them are 429 with the time to wait',
      'test/api/member-keys.security.test.ts › without the password of a member of the account nothing happens › for any caller, and any action',
    ],
  },
  {
    id: 'problem-25',
    rule: '404 note:not_found.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
    ],
  },
  {
    id: 'problem-26',
    rule: '404 post-set:not_found.',
    proof: ['test/api/post-sets.error.test.ts › what is not there › a set, with any form of id'],
  },
  {
    id: 'problem-27',
    rule: '404 social-set:not_found.',
    proof: ['test/api/post-sets.error.test.ts › what is not there › a social set, with any form of id'],
  },
  {
    id: 'problem-28',
    rule: '404 media-upload:not_found and media-library:not_found.',
    proof: ['test/api/media.error.test.ts › what is not there: %j'],
  },
  {
    id: 'problem-29',
    rule: '404 route:not_found.',
    proof: ['test/api/errors.error.test.ts › routes that there are not'],
  },
  {
    id: 'problem-30',
    rule: '405 request:method_not_allowed, with the methods that the route takes.',
    proof: ['test/api/errors.error.test.ts › methods that a route does not take'],
  },
  {
    id: 'problem-31',
    rule: '406 request:not_acceptable: the answer is wanted in another form than JSON.',
    proof: ['test/api/errors.error.test.ts › answers in another form than JSON'],
  },
  {
    id: 'problem-32',
    rule: '413 request:too_large.',
    proof: ['test/api/errors.error.test.ts › bodies › that are too large, declared or not'],
  },
  {
    id: 'problem-33',
    rule: '415 request:unsupported_media_type.',
    proof: ['test/api/errors.error.test.ts › bodies › of another form'],
  },
  {
    id: 'problem-34',
    rule: '409 api-key:limit_reached: an eleventh active key.',
    proof: [
      'test/api/keys.error.test.ts › ten active keys › are all that an account has; disabled and revoked ones do not count',
      'test/api/member-keys.error.test.ts › ten active keys › are not passed by a hundred that are made at once',
      'test/api/keys-of-dashboard.error.test.ts › an eleventh active key is 409 in words, made or enabled',
    ],
  },
  {
    id: 'problem-35',
    rule: '412 post-set:locked: the set is locked in the product.',
    proof: ['test/api/post-sets.error.test.ts › sets that cannot be changed › locked ones, but for parking alone'],
  },
  {
    id: 'problem-36',
    rule: '412 post-set:version_conflict: If-Match is not the version of the set.',
    proof: [
      'test/api/post-set-versions.happy.test.ts › If-Match › %s does not match version 1',
      'test/api/post-set-versions.happy.test.ts › If-Match › of two changes that know the same version, one gets through',
    ],
  },
  {
    id: 'problem-37',
    rule: '422 post-set:invalid_posts: well-formed, but against the rules.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'problem-38',
    rule: '429 rate-limit:exceeded: over the rate.',
    proof: [
      'test/api/rate-limit.error.test.ts › a request that is one too many › is a problem that says when to come back',
    ],
  },
  {
    id: 'problem-39',
    rule: '500 internal:error names the id of the request and nothing else.',
    proof: ['test/api/errors.security.test.ts › of an error of ours, nothing is reported but the request'],
  },
  {
    id: 'problem-40',
    rule: 'Entries of post-set:invalid_posts have codes of a closed list: texts, hashtags, mentions, media, fields.',
    proof: [
      'src/networks/instagram/rules.test.ts › each limit at, within and behind its edge › %s',
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'problem-41',
    rule: 'post:duplicate_account_type: two posts of a scheduled set have one account type.',
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › all problems of all posts, with the numbers at stake',
    ],
  },
  {
    id: 'problem-42',
    rule: 'post:account_not_connected and post:account_reconnect_required: a post of a scheduled set has no connection that works.',
    proof: ['test/api/post-sets.error.test.ts › posts that cannot be published › an account that must be reconnected'],
  },
  {
    id: 'problem-43',
    rule: "post:media_not_found is one and the same for a library item that does not exist, is another set's or another account's, or lies outside of the key's sets, at any status.",
    proof: [
      'test/api/post-sets.error.test.ts › posts that cannot be published › library items that are not of the social set, at any status, all as one',
    ],
  },
]
