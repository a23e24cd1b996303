import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { CARD_STATES, DELIVERY_STEPS } from './calendar.ts'
import { FAILURE_FIXES, TROUBLE_CAUSES } from './failures.ts'
import { HoldShown } from './holds.ts'
import * as LIMITS from './limits.ts'
import { PicturedType, PostKinds } from './media.ts'
import { PostResult } from './post-sets.ts'
import { closed, Excerpt, orNull } from './schema.ts'
import { POST_SET_STATUSES } from './states.ts'
import { Possible, Why } from './why.ts'

const AccountTypeName = Type.Enum([...accountTypes])

/**
 * Groups of post sets whose time has come. `needs-you`: one of its posts failed, may be live, or is a thread that ended early, and no
 * one has retried it or marked it as done. `not-confirmed`: nothing needs people, and something is still under way. `inbox`:
 * neither of these, and one of its posts waits in an inbox, or was not finished there. `published`: everything is
 * live. `done`: its failures are marked as done.
 */
export const RESULT_GROUPS = ['needs-you', 'not-confirmed', 'published', 'done', 'inbox'] as const
export type ResultGroup = (typeof RESULT_GROUPS)[number]

/** One post of a set, on one account. */
export const ResultPost = closed({
  postId: Type.String(),
  accountType: AccountTypeName,
  connectionId: orNull(Type.String()),
  connectionName: orNull(Type.String()),
  state: Type.Enum([...DELIVERY_STEPS]),
  hold: orNull(HoldShown),
  attempts: Type.Integer({ description: 'Of the sending that is under way, or was the last.' }),
  retries: Type.Integer({ description: 'How often a person has sent it again.' }),
  nextAt: orNull(Type.String({ description: 'When it goes on by itself; null when done, or held.' })),
  message: orNull(Type.String({ description: 'What the network said last.' })),
  /** The last one that is known, also while the post is sent again. Null: there is none yet. */
  result: orNull(PostResult),
  /** When the visible call was made first. */
  sentAt: orNull(Type.String()),
  /** When the result was known. */
  endedAt: orNull(Type.String()),
  /** Of a post that failed or whose thread ended early, and that is not being sent again; null else. `retry` of a thread continues it. */
  failure: orNull(
    closed({
      cause: Type.Enum([...TROUBLE_CAUSES]),
      fix: Type.Enum([...FAILURE_FIXES]),
      retry: Possible,
      /** The copy in which it is fixed, until that is live. Null: there is none. */
      copy: orNull(
        closed({ id: Type.String(), status: Type.Enum([...POST_SET_STATUSES]), scheduledAt: Type.String() }),
      ),
    }),
  ),
  /** Of a post that the network has not confirmed: whether it can be asked right now. Null: there is nothing to ask. */
  look: orNull(Possible),
})
export type ResultPost = Type.Static<typeof ResultPost>

export const ResultItem = closed({
  id: Type.String({ description: 'Of the post set.' }),
  socialSetId: Type.String(),
  timezone: Type.String({ description: 'IANA name, of the social set.' }),
  scheduledAt: Type.String(),
  version: Type.Integer(),
  state: Type.Enum([...CARD_STATES]),
  labelsId: Type.Array(Type.String()),
  excerpt: Excerpt,
  thumbnailUrl: orNull(Type.String()),
  mediaType: orNull(PicturedType),
  mediaCount: Type.Integer(),
  kinds: PostKinds,
  unseen: Type.Boolean({ description: 'A post of it failed since the member looked at results.' }),
  /** In the order of the set. */
  posts: Type.Array(ResultPost),
})
export type ResultItem = Type.Static<typeof ResultItem>

/** One group, newest first. */
export const ResultPage = closed({
  group: Type.Enum([...RESULT_GROUPS]),
  /** Null on a page behind the first one. */
  total: orNull(Type.Integer({ description: 'Exact up to 10,000.' })),
  totalIsExact: Type.Boolean(),
  data: Type.Array(ResultItem),
  next: orNull(Type.String({ description: '`cursor` of the next page; null on the last one.' })),
})
export type ResultPage = Type.Static<typeof ResultPage>

/** `GET /internal/results`: each group's first page, or a page of one group. */
export const Results = closed({
  groups: Type.Array(ResultPage),
  newestFailureAt: orNull(Type.String({ description: '`until` of `PUT /internal/results/seen`. Null: none failed.' })),
})
export type Results = Type.Static<typeof Results>

export const RESULTS_PAGE = { defaultSize: 25, maxSize: 100, maxDays: 366 } as const

export const ResultsQuery = Type.Object({
  socialSetId: Type.Optional(Type.String({ description: 'Default: all that the member sees.' })),
  group: Type.Optional(Type.Enum([...RESULT_GROUPS])),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: RESULTS_PAGE.maxDays,
      description: 'Scheduled in the last days. Default: all.',
    }),
  ),
  'filters[accountTypes][]': Type.Optional(
    Type.Array(AccountTypeName, { description: 'Of needs-you and done: failed there. Else: with a post there.' }),
  ),
  cursor: Type.Optional(Type.String({ description: '`next` of the page before, with its group and filters.' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: RESULTS_PAGE.maxSize, default: RESULTS_PAGE.defaultSize })),
})
export type ResultsQuery = Type.Static<typeof ResultsQuery>

/** Post sets with failures in the last `UNSEEN_DAYS` days that the member has not seen. */
export const UnseenFailures = closed({
  total: Type.Integer({ description: 'Over all social sets that the member sees; counted up to 1,000 of each.' }),
  data: Type.Array(closed({ socialSetId: Type.String(), unseen: Type.Integer() })),
})
export type UnseenFailures = Type.Static<typeof UnseenFailures>

/** Older failures are not counted, seen or not. */
export const UNSEEN_DAYS = 30

/** Body of `PUT /internal/results/seen` */
export const SeenResults = closed({
  socialSetId: Type.Optional(orNull(Type.String({ description: 'Default: all that the member sees.' }))),
  until: Type.String({ description: 'ISO 8601: the newest failure that was shown. Never moved back.' }),
})
export type SeenResults = Type.Static<typeof SeenResults>

const RetriedPost = closed({ postId: Type.String(), accountType: AccountTypeName })
const LeftPost = closed({
  postId: Type.String(),
  accountType: AccountTypeName,
  why: Why,
})

/** The outcome of retrying a post set. */
export const RetriedPostSet = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  version: Type.Integer(),
  /** What is sent again, or goes on with its thread. */
  retried: Type.Array(RetriedPost),
  /** Failed posts of the set that were not retried, and threads that were not continued. */
  left: Type.Array(LeftPost),
})
export type RetriedPostSet = Type.Static<typeof RetriedPostSet>

/** Body of `POST /post-sets/{id}/retry` and `/look`; without it, all eligible posts of the set. */
export const PostsOfSet = closed({
  postIds: Type.Optional(orNull(Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.postsPerSet.max }))),
})
export type PostsOfSet = Type.Static<typeof PostsOfSet>

/** Body of `PUT /internal/post-sets/{id}/done` */
export const FailuresDone = closed({
  done: Type.Boolean({ description: 'False: what failed needs people again.' }),
})
export type FailuresDone = Type.Static<typeof FailuresDone>

/** Whether the failures of a post set are marked as done. */
export const DonePostSet = closed({ id: Type.String(), socialSetId: Type.String(), done: Type.Boolean() })
export type DonePostSet = Type.Static<typeof DonePostSet>

/** Body of `POST /internal/post-sets/retry` */
export const PostSetsRetry = closed({
  ids: Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.postSetsAtOnce }),
})
export type PostSetsRetry = Type.Static<typeof PostSetsRetry>

/** One entry for each id, in one of the lists. */
export const PostSetsRetried = closed({
  done: Type.Array(RetriedPostSet),
  refused: Type.Array(
    closed({ id: Type.String(), code: Type.String(), message: Type.String(), why: Type.Optional(Why) }),
  ),
})
export type PostSetsRetried = Type.Static<typeof PostSetsRetried>

/** `POST /internal/post-sets/{id}/look` */
export const LookedPostSet = closed({
  /** The network is asked about these within a second or two. */
  asking: Type.Array(RetriedPost),
  left: Type.Array(LeftPost),
})
export type LookedPostSet = Type.Static<typeof LookedPostSet>
