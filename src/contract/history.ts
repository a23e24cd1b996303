import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { validatorOf } from './check-shape.ts'
import { PostResult } from './post-sets.ts'
import { REPEAT_INTERVALS } from './repeat.ts'
import { closed, Instant, orNull } from './schema.ts'
import { ACTOR_TYPES, APPROVALS, POST_SET_STATUSES } from './states.ts'

const object = Type.Object
const optional = Type.Optional
const change = <T extends Type.TSchema>(schema: T) => object({ from: schema, to: schema })

const Status = Type.Enum([...POST_SET_STATUSES])
const ApprovalName = Type.Enum([...APPROVALS])
const AccountTypeName = Type.Enum([...accountTypes])
/** Of a hold that was released. */
const HoldNamed = object({ since: Type.String(), by: Type.String(), reason: Type.String() })
const Repeat = object({ interval: Type.Enum([...REPEAT_INTERVALS]), occurrences: Type.Integer() })
const FileNamed = object({ id: Type.String(), name: Type.String() })
const LabelNamed = object({ id: Type.String(), name: Type.String() })
const PostNamed = object({ id: Type.String(), accountType: AccountTypeName })
/** Stored with the id alone, and shown with its name as it is now. */
const BrandNamed = object(
  { id: optional(Type.String()), name: optional(Type.String()) },
  { description: 'A social set. Empty for callers who do not see it.' },
)

/** What changed in the posts of a set. */
export const PostChanges = object({
  added: optional(Type.Array(PostNamed)),
  removed: optional(Type.Array(PostNamed)),
  changed: optional(
    Type.Array(
      object({
        ...PostNamed.properties,
        /** Of posts that stayed, by name. */
        fields: Type.Record(Type.String(), change(Type.Unknown())),
        /** Which fields they were. In lists `fields` is empty: texts are read when they are asked for. */
        names: optional(Type.Array(Type.String())),
        /** Those whose texts are not kept by themselves: opened, they say what this change and its neighbors came to. */
        joined: optional(Type.Array(Type.String())),
      }),
    ),
  ),
  order: optional(
    Type.Array(Type.String(), { description: 'Ids in their new order, when posts that stayed changed places.' }),
  ),
})
export type PostChanges = Type.Static<typeof PostChanges>

const contentChanges = {
  scheduledAt: optional(change(Instant)),
  status: optional(change(Status)),
  approval: optional(change(ApprovalName)),
  /** The name that a program gives to it. */
  externalId: optional(change(orNull(Type.String()))),
  posts: optional(PostChanges),
}

/** What is different between two states of a post set. */
export const PostSetChanges = object(contentChanges)
export type PostSetChanges = Type.Static<typeof PostSetChanges>

const Updated = object({
  ...contentChanges,
  /** The set began a series. */
  seriesId: optional(orNull(Type.String())),
  repeat: optional(object({ from: Type.Null(), to: Repeat })),
  /** The social set got another timezone, and the set kept its clock time. */
  timezone: optional(change(Type.String())),
  /** The account that was disconnected, and so the set became a draft. */
  disconnected: optional(AccountTypeName),
  /** The hold over which the set became late; its release made a draft of it. */
  held: optional(HoldNamed),
  /** A file of the library took the place of another one, which is all that changed in its posts. */
  replaced: optional(change(FileNamed)),
})
const LabelChange = object({ label: LabelNamed })
const Review = object({
  approval: optional(change(ApprovalName)),
  status: optional(change(Status)),
  message: optional(Type.String({ description: 'What the reviewer says.' })),
  /** An admin has approved it for the whole team, because no other reviewer was left. */
  reason: optional(Type.String()),
  /** Of a brand whose rule binds: which approval of how many it was. */
  given: optional(object({ count: Type.Integer(), needed: Type.Integer() })),
  /** A member has decided for the client. */
  forClient: optional(Type.Boolean()),
  /** The shared calendar through which a guest has decided. */
  link: optional(object({ id: Type.String(), name: Type.String() })),
})
const PublishingStep = object({ status: change(Status) })

/**
 * Every action on a post set, and what its row of history stores with it: the one list of actions. Rows are stored
 * under these names, so a name that was once used stays.
 */
export const HISTORY = {
  created: object({
    status: Status,
    scheduledAt: Instant,
    approval: optional(ApprovalName),
    accountTypes: optional(Type.Array(AccountTypeName)),
    seriesId: optional(orNull(Type.String())),
    repeat: optional(Repeat),
    externalId: optional(Type.String()),
    copyOf: optional(
      Type.String({ description: 'The set that it was duplicated from, or copied or moved from another social set.' }),
    ),
    /** The social set that it was moved from. */
    movedFrom: optional(BrandNamed),
  }),
  updated: Updated,
  scheduled: Updated,
  'moved to drafts': Updated,
  locked: object({ reason: optional(Type.String()) }),
  unlocked: object({
    lock: optional(object({ by: Type.String(), at: Instant }, { description: 'The lock that was taken away.' })),
  }),
  'label added': LabelChange,
  'label removed': LabelChange,
  'labels changed': object({ added: Type.Array(LabelNamed), removed: Type.Array(LabelNamed) }),
  approved: Review,
  'changes requested': Review,
  'review taken back': Review,
  deleted: object({
    status: Status,
    scheduledAt: Instant,
    socialSetId: optional(Type.String({ description: 'Of a set that was deleted for good: nothing else says it.' })),
    /** The social set that it was moved to, as another set; with it went its place in the count of its month. */
    movedTo: optional(BrandNamed),
  }),
  restored: object({ status: Type.Union([Status, change(Status)]), scheduledAt: Instant }),
  publishing: PublishingStep,
  'post published': object({ postId: Type.String(), accountType: AccountTypeName, result: PostResult }),
  /** It is in the inbox of its account, where its creator finishes it. */
  'post delivered': object({ postId: Type.String(), accountType: AccountTypeName, result: PostResult }),
  /** Its creator has not finished it there. */
  'post not finished': object({ postId: Type.String(), accountType: AccountTypeName, result: PostResult }),
  /** Without a post: it was too late to begin. */
  'post failed': object({ postId: optional(Type.String()), accountType: AccountTypeName, result: PostResult }),
  published: PublishingStep,
  /** Posts that had failed are sent again. */
  retried: object({ accountTypes: Type.Array(AccountTypeName) }),
  /** Threads that had ended early go on. */
  'thread continued': object({ accountTypes: Type.Array(AccountTypeName) }),
  /** Keys change it in turn with webhooks about it: until then its changes are not sent, but for the last one. */
  'webhooks slowed': object({ until: Instant }),
  /** What failed there needs no one any more, as a member says. */
  'failure done': object({ accountTypes: Type.Array(AccountTypeName) }),
  /** It does again. */
  'failure reopened': object({ accountTypes: Type.Array(AccountTypeName) }),
  /** It had waited, and goes out now. */
  released: object({ held: HoldNamed }),
} as const

export type HistoryAction = keyof typeof HISTORY
export type HistoryChanges = { [A in HistoryAction]: Type.Static<(typeof HISTORY)[A]> }

/** An action with its changes, as it is stored. */
export type HistoryEvent = { [A in HistoryAction]: { action: A; changes: HistoryChanges[A] } }[HistoryAction]

const Other = object({ name: Type.String({ description: 'The action as it is stored.' }) })

/** An action as it is read: `other` is one that this version does not know, or whose changes it cannot read. */
export type HistoryRead = HistoryEvent | { action: 'other'; changes: Type.Static<typeof Other> }

/** Parses a row of history. */
export function readHistoryEvent(action: string, changes: unknown): HistoryRead {
  const schema = Object.hasOwn(HISTORY, action) ? HISTORY[action as HistoryAction] : null
  if (schema && validatorOf(schema).Check(changes)) return { action, changes } as HistoryEvent
  return { action: 'other', changes: { name: action } }
}

/** Who did something. */
export const ActorShown = closed({ type: Type.Enum([...ACTOR_TYPES]), name: Type.String() })
export type ActorShown = Type.Static<typeof ActorShown>

/** The same of what happened: an agent, by the key that is named. */
const ActorOfHistory = closed({ ...ActorShown.properties, agent: optional(Type.Literal(true)) })

const itemOf = (action: string, changes: Type.TSchema) =>
  closed({ id: Type.String(), at: Type.String(), actor: ActorOfHistory, action: Type.Literal(action), changes })

/** What happened to a post set: `GET /internal/post-sets/{id}/history`, newest first. */
export const HistoryItem = Type.Union([
  ...Object.entries(HISTORY).map(([action, changes]) => itemOf(action, changes)),
  itemOf('other', Other),
]) as Type.TSchema as Type.TUnsafe<HistoryItem>
export type HistoryItem = HistoryRead & { id: string; at: string; actor: Type.Static<typeof ActorOfHistory> }

/** What a field of a post was and became. */
const Texts = closed({
  from: Type.Unknown(),
  to: Type.Unknown(),
  together: Type.Integer({ description: 'Changes whose difference it is: 1, or all that were joined.' }),
})

/** `GET /internal/post-sets/{id}/history/{entryId}`: what an entry of history changed in posts, in full. */
export const HistoryTexts = closed({
  id: Type.String({ description: 'Of the entry.' }),
  posts: Type.Array(closed({ ...PostNamed.properties, fields: Type.Record(Type.String(), Texts) })),
})
export type HistoryTexts = Type.Static<typeof HistoryTexts>

/** Sent with the changes since a version: only the newest 10,000 are compared. */
export const EarlierChanges = Type.Integer({
  description: 'Changes before those, of which nothing is said. 10,001: there are more.',
})
