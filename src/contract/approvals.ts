import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { ActorShown, EarlierChanges, PostSetChanges } from './history.ts'
import * as LIMITS from './limits.ts'
import { PicturedType, PostKinds } from './media.ts'
import { closed, Excerpt, orNull } from './schema.ts'
import { APPROVALS, DECISIONS, POST_SET_STATUSES } from './states.ts'

/**
 * Whom the posts of a brand need an approval of. `OPTIONAL`: of no one; who wants one asks for it. `REQUIRED`: of so many
 * reviewers. `TEAM_THEN_CLIENT`: of so many reviewers, and then of the client.
 */
const APPROVAL_RULES = ['OPTIONAL', 'REQUIRED', 'TEAM_THEN_CLIENT'] as const
export type ApprovalRuleName = (typeof APPROVAL_RULES)[number]

/** Body of `PUT /internal/social-sets/{id}/approval-rule` */
export const ApprovalRuleBody = closed({
  rule: Type.Enum([...APPROVAL_RULES]),
  reviewers: Type.Integer({
    minimum: 1,
    maximum: LIMITS.reviewers,
    description: 'How many different members have to approve. Means nothing to OPTIONAL.',
  }),
})
export type ApprovalRuleBody = Type.Static<typeof ApprovalRuleBody>

/** `GET /internal/social-sets/{id}/approval-rule` */
export const ApprovalRule = closed({
  ...ApprovalRuleBody.properties,
  binding: Type.Boolean({ description: 'Neither OPTIONAL nor of an account whose plan has no approvals.' }),
  eligible: Type.Integer({ description: 'Members who see the brand and may approve.' }),
})
export type ApprovalRule = Type.Static<typeof ApprovalRule>

/** Why a member cannot approve a post now: the role; the member changed its content last; the approval was given already. */
const REVIEW_BARS = ['role', 'changed-last', 'given', 'not-waiting', 'status'] as const
export type ReviewBar = (typeof REVIEW_BARS)[number]

/** Who decided for whom. A member may decide for the client. */
const REVIEW_STEPS = ['TEAM', 'CLIENT'] as const
export type ReviewStep = (typeof REVIEW_STEPS)[number]

/** A decision about a post set. */
export const DecisionShown = closed({
  decision: Type.Enum([...DECISIONS]),
  step: Type.Enum([...REVIEW_STEPS], {
    description: 'CLIENT with an actor of type USER: a member decided for the client.',
  }),
  by: ActorShown,
  byYou: Type.Boolean(),
  at: Type.String(),
  message: orNull(Type.String({ description: 'What the reviewer wrote.' })),
  reason: orNull(Type.String({ description: 'Of an approval by an admin when no other reviewer was left.' })),
  version: Type.Integer({ description: 'The version of the post set that the decision led to.' }),
  changedSince: Type.Boolean({ description: 'The posts say something else now.' }),
})
export type DecisionShown = Type.Static<typeof DecisionShown>

/** A post set as its reviewers see it. */
export const ApprovalItem = closed({
  id: Type.String({ description: 'Of the post set.' }),
  socialSetId: Type.String(),
  timezone: Type.String({ description: 'IANA name, of the brand.' }),
  scheduledAt: Type.String(),
  status: Type.Enum([...POST_SET_STATUSES]),
  approval: Type.Enum([...APPROVALS]),
  version: Type.Integer(),
  isLocked: Type.Boolean(),
  urgent: Type.Boolean({ description: 'It waits, and its time is less than 24 hours away, or has passed.' }),
  labelsId: Type.Array(Type.String()),
  accountTypes: Type.Array(Type.Enum([...accountTypes]), { description: 'In the order of the posts.' }),
  excerpt: Excerpt,
  thumbnailUrl: orNull(Type.String()),
  mediaType: orNull(PicturedType),
  mediaCount: Type.Integer(),
  kinds: PostKinds,
  /** Who created it. */
  author: ActorShown,
  mine: Type.Boolean({ description: 'The reader created it.' }),
  /** Who asked for the review that it waits for; null when it does not wait. */
  asked: orNull(closed({ by: ActorShown, byYou: Type.Boolean(), at: Type.String() })),
  rule: Type.Enum([...APPROVAL_RULES], { description: 'OPTIONAL when the rule does not bind.' }),
  /** Approvals of the team that count now, and how many are needed. */
  approvals: closed({
    needed: Type.Integer(),
    given: Type.Array(closed({ by: ActorShown, byYou: Type.Boolean(), at: Type.String() })),
  }),
  /** What approving would be: of the team, or for the client. */
  step: Type.Enum([...REVIEW_STEPS]),
  reviewersLeft: Type.Integer({ description: 'Members who can still approve it for the team.' }),
  needsReason: Type.Boolean({
    description: 'None of them is left, and the reader may approve it for the whole team, with a reason.',
  }),
  yourChange: orNull(
    closed({
      version: Type.Integer({ description: 'The version that the reader’s last change of the content led to.' }),
      changedBy: ActorShown,
      at: Type.String(),
    }),
    { description: 'Who has changed the content last, when it was behind the reader.' },
  ),
  /** Null: the reader may approve it now. */
  cannotApprove: orNull(Type.Enum([...REVIEW_BARS])),
  /** Null: the reader may request changes now. */
  cannotRequestChanges: orNull(Type.Enum([...REVIEW_BARS])),
  /** The newest decision about it, and the newest of the reader's own. */
  decision: orNull(DecisionShown),
  yourDecision: orNull(DecisionShown),
  comments: Type.Integer({ description: 'Of the whole thread, inner ones too.' }),
})
export type ApprovalItem = Type.Static<typeof ApprovalItem>

/**
 * `waiting`: the reader has not approved it and may, also with a reason, oldest publish time first. `requested`: the reader asked, and it still waits, in the same order. `decided`: it was decided,
 * by anyone, newest decision first.
 */
const APPROVAL_TABS = ['waiting', 'requested', 'decided'] as const
export type ApprovalTab = (typeof APPROVAL_TABS)[number]

export const APPROVALS_PAGE = { defaultSize: 25, maxSize: 100 } as const

export const ApprovalsQuery = Type.Object({
  tab: Type.Enum([...APPROVAL_TABS]),
  socialSetId: Type.Optional(Type.String({ description: 'Default: all that the member sees.' })),
  cursor: Type.Optional(Type.String({ description: '`next` of the page before, with its tab and brand.' })),
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: APPROVALS_PAGE.maxSize, default: APPROVALS_PAGE.defaultSize }),
  ),
})
export type ApprovalsQuery = Type.Static<typeof ApprovalsQuery>

/** `GET /internal/approvals` */
export const ApprovalsPage = closed({
  data: Type.Array(ApprovalItem),
  next: orNull(Type.String({ description: '`cursor` of the next page; null on the last one.' })),
})
export type ApprovalsPage = Type.Static<typeof ApprovalsPage>

/** `GET /internal/approvals/counts`: for each brand that has any, counted up to 1,000. */
export const ApprovalCounts = closed({
  waiting: Type.Integer({ description: 'Over all brands that the member sees.' }),
  urgent: Type.Integer({ description: 'Of those, with less than 24 hours left.' }),
  requested: Type.Integer(),
  data: Type.Array(
    closed({
      socialSetId: Type.String(),
      waiting: Type.Integer(),
      urgent: Type.Integer(),
      requested: Type.Integer(),
    }),
  ),
})
export type ApprovalCounts = Type.Static<typeof ApprovalCounts>

export const ChangesQuery = Type.Object({
  since: Type.Integer({ minimum: 1, description: 'A version of the post set that was seen.' }),
})
export type ChangesQuery = Type.Static<typeof ChangesQuery>

/**
 * `GET /internal/post-sets/{id}/changes`: the differences between a seen version and now; for posts, the names of
 * fields.
 */
export const ChangesSince = closed({
  since: Type.Integer(),
  version: Type.Integer(),
  changes: PostSetChanges,
  earlier: EarlierChanges,
})
export type ChangesSince = Type.Static<typeof ChangesSince>

/** `GET /internal/post-sets/{id}/changes/{postId}`: the same for one post, with full values. */
export const PostTextsSince = closed({
  since: Type.Integer(),
  fields: Type.Record(
    Type.String(),
    closed({
      from: Type.Unknown(),
      to: Type.Unknown(),
      fromKept: Type.Boolean({ description: 'False: what it was in that version is not kept, and `from` is null.' }),
    }),
  ),
})
export type PostTextsSince = Type.Static<typeof PostTextsSince>
