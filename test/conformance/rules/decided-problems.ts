import type { Rule } from '../conformance.ts'

export const decidedProblemsRules: readonly Rule[] = [
  {
    id: 'problem-01',
    rule: 'Every error of every route is application/problem+json, unknown routes, wrong methods and malformed JSON included.',
  },
  {
    id: 'problem-02',
    rule: 'A problem has type, title, status, detail, code, message, requestId and errors, and nothing else.',
  },
  {
    id: 'problem-03',
    rule: 'type leads to the page of the code in the documentation, and every code has one.',
  },
  {
    id: 'problem-04',
    rule: 'message is the same as detail.',
  },
  {
    id: 'problem-05',
    rule: "requestId is that of the answer's header.",
  },
  {
    id: 'problem-06',
    rule: 'An entry of errors has code, message, path and pointer, and for posts accountType.',
  },
  {
    id: 'problem-07',
    rule: 'An entry has limit and actual where a number is at stake.',
  },
  {
    id: 'problem-08',
    rule: 'All problems of all posts are reported at once, one entry each.',
  },
  {
    id: 'problem-09',
    rule: 'Codes are a closed list: no answer has another one.',
  },
  {
    id: 'problem-10',
    rule: '400 request:invalid_json: the body is no JSON.',
  },
  {
    id: 'problem-11',
    rule: '400 request:invalid_body: a field of the body is wrong, missing or unknown.',
  },
  {
    id: 'problem-12',
    rule: '400 request:invalid_query: a query parameter is wrong, missing or unknown.',
  },
  {
    id: 'problem-13',
    rule: '400 note:invalid_range: the range of a list of notes is reversed or too wide.',
  },
  {
    id: 'problem-14',
    rule: '400 note:scheduled_at_not_updatable: the time of a recurring or an imported note would change.',
  },
  {
    id: 'problem-15',
    rule: '400 post-set:repeat_not_updatable: a set that is in a series is given a repeat rule.',
  },
  {
    id: 'problem-16',
    rule: '400 post-set:duplicate_references: an id of a post or media item occurs twice.',
  },
  {
    id: 'problem-17',
    rule: '400 post-set:unknown_reference: an id of a post or media item on create, or one that is not of this set on update.',
  },
  {
    id: 'problem-18',
    rule: '400 post-set:account_type_not_updatable: a post that exists is given another account type.',
  },
  {
    id: 'problem-19',
    rule: '401 auth:missing_credential: there is no credential; the answer asks for a bearer.',
  },
  {
    id: 'problem-20',
    rule: '401 auth:invalid_credential: an unknown, disabled or revoked key, all answered alike; the answer asks for a bearer.',
  },
  {
    id: 'problem-21',
    rule: '403 auth:insufficient_scope names the scope.',
  },
  {
    id: 'problem-22',
    rule: '403 plan:api_access_not_available: the plan does not include the API.',
  },
  {
    id: 'problem-23',
    rule: '403 plan:approvals_not_available: the plan has no approvals.',
  },
  {
    id: 'problem-24',
    rule: '403 auth:password_confirmation_failed: the password that confirms is wrong.',
  },
  {
    id: 'problem-25',
    rule: '404 note:not_found.',
  },
  {
    id: 'problem-26',
    rule: '404 post-set:not_found.',
  },
  {
    id: 'problem-27',
    rule: '404 social-set:not_found.',
  },
  {
    id: 'problem-28',
    rule: '404 media-upload:not_found and media-library:not_found.',
  },
  {
    id: 'problem-29',
    rule: '404 route:not_found.',
  },
  {
    id: 'problem-30',
    rule: '405 request:method_not_allowed, with the methods that the route takes.',
  },
  {
    id: 'problem-31',
    rule: '406 request:not_acceptable: the answer is wanted in another form than JSON.',
  },
  {
    id: 'problem-32',
    rule: '413 request:too_large.',
  },
  {
    id: 'problem-33',
    rule: '415 request:unsupported_media_type.',
  },
  {
    id: 'problem-34',
    rule: '409 api-key:limit_reached: an eleventh active key.',
  },
  {
    id: 'problem-35',
    rule: '412 post-set:locked: the set is locked in the product.',
  },
  {
    id: 'problem-36',
    rule: '412 post-set:version_conflict: If-Match is not the version of the set.',
  },
  {
    id: 'problem-37',
    rule: '422 post-set:invalid_posts: well-formed, but against the rules.',
  },
  {
    id: 'problem-38',
    rule: '429 rate-limit:exceeded: over the rate.',
  },
  {
    id: 'problem-39',
    rule: '500 internal:error names the id of the request and nothing else.',
  },
  {
    id: 'problem-40',
    rule: 'Entries of post-set:invalid_posts have codes of a closed list: texts, hashtags, mentions, media, fields.',
  },
  {
    id: 'problem-41',
    rule: 'post:duplicate_account_type: two posts of a scheduled set have one account type.',
  },
  {
    id: 'problem-42',
    rule: 'post:account_not_connected and post:account_reconnect_required: a post of a scheduled set has no connection that works.',
  },
  {
    id: 'problem-43',
    rule: "post:media_not_found is one and the same for a library item that does not exist, is another set's or another account's, or lies outside of the key's sets, at any status.",
  },
]
