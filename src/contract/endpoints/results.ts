import type { EndpointTable } from '../endpoint.ts'
import {
  DonePostSet,
  FailuresDone,
  LookedPostSet,
  PostSetsRetried,
  PostSetsRetry,
  PostsOfSet,
  Results,
  ResultsQuery,
  RetriedPostSet,
  SeenResults,
  UnseenFailures,
} from '../results.ts'

/** The results of posts, and what members do about what failed. */
export const RESULT_ENDPOINTS = {
  'GET /results': {
    query: ResultsQuery,
    status: 200,
    answer: Results,
    problems: ['social-set:not_found'],
  },
  'GET /results/unseen': {
    status: 200,
    answer: UnseenFailures,
    problems: [],
  },
  'PUT /results/seen': {
    body: SeenResults,
    touches: ['unseen-failures'],
    status: 200,
    answer: UnseenFailures,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
  'POST /post-sets/:id/retry': {
    api: {
      tag: 'Post sets',
      summary: 'Send again what failed',
      operationId: 'retryPostSet',
      description:
        'Extension. Sends the failed posts of a published set again, now: those that are named, or all. What is live, or may be, is never sent again and stands in `left` with the reason. A thread that ended early goes on with its first missing part, if that is absent for certain and the part before is still there; asked again meanwhile, it is the same one. The set stays PUBLISHED, and each post keeps its last result until there is another one; `result.thread` grows.',
    },
    right: 'post-sets:publish',
    body: PostsOfSet,
    touches: ['results', 'post-sets', 'calendar', 'unseen-failures'],
    status: 200,
    answer: RetriedPostSet,
    problems: ['request:invalid_body', 'post-set:not_found', 'request:refused'],
  },
  'POST /post-sets/retry': {
    right: 'post-sets:publish',
    body: PostSetsRetry,
    touches: ['results', 'post-sets', 'calendar', 'unseen-failures'],
    status: 200,
    answer: PostSetsRetried,
    problems: ['request:invalid_body'],
  },
  'PUT /post-sets/:id/done': {
    right: 'post-sets:publish',
    body: FailuresDone,
    touches: ['results', 'post-sets', 'unseen-failures'],
    status: 200,
    answer: DonePostSet,
    problems: ['request:invalid_body', 'post-set:not_found', 'request:refused'],
  },
  'POST /post-sets/:id/look': {
    right: 'post-sets:publish',
    body: PostsOfSet,
    touches: ['results', 'post-sets', 'calendar', 'unseen-failures'],
    status: 200,
    answer: LookedPostSet,
    problems: ['request:invalid_body', 'post-set:not_found', 'request:refused'],
  },
} as const satisfies EndpointTable
