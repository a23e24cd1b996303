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

/** The results of posts, and actions on failures. */
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
      summary: 'Retry failed posts',
      operationId: 'retryPostSet',
      description:
        'Extension. Sends the failed posts of a published set again, now: those that are named, or all. Posts that are or may be live are never sent again and are listed in `left` with the reason. A thread that ended early continues with its first missing part, if that is certainly absent and the part before is still there; repeating the request changes nothing. The set stays PUBLISHED, and each post keeps its last result until there is another one; `result.thread` grows.',
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
