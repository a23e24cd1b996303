import type { DeliveryPolicy } from './policy.ts'
import type { Live, Warning } from './results.ts'

export const STAGES = ['PREPARING', 'READY', 'SENDING', 'CONFIRMING', 'LOOKING_UP', 'REPEATING'] as const
/**
 * How far a part is. `REPEATING`: a look has allowed the same call again, which leaves in the same turn or not at all. No database
 * knows of it: until the fence the part is `LOOKING_UP` there, so that all others take it for what it is, perhaps live.
 */
export type Stage = (typeof STAGES)[number]

/** What came of a part that has ended: `unsure` when it may be there. */
export interface EndedPart extends Live {
  outcome: 'live' | 'absent' | 'unsure'
  endedAt: Date
  /** It is one of the further parts of the post. */
  ofThread?: true
  /** It is one of the further stories of the post. */
  ofStories?: true
  /** Of the post: its further parts, where its own call made all of them. */
  thread?: readonly Live[]
  /** Of the post: it waits in the account's inbox, under this id. */
  inbox?: string
}

/** A delivery that is open, as the machine sees it: at the part behind those that have ended. */
export interface Delivery {
  stage: Stage
  /** What came of the parts before the present one, the post first. None: the present one is the post. */
  ended: readonly EndedPart[]
  attempts: number
  /** Looks at the present part that the network answered. */
  lookups: number
  /** Looks in a row that brought no answer. */
  missedLooks: number
  /** Nothing is done before this time. */
  nextAt: Date
  givesUpAt: Date
  /** When a person has asked for the parts behind those that were live. Absent: it began with the post. */
  continuedAt?: Date
  /** First and last fence of the present part. */
  firstFencedAt: Date | null
  fencedAt: Date | null
  unknownSince: Date | null
  message: string | null
  warnings: readonly Warning[]
  /** False until a network has answered a step of it. */
  touched: boolean
  /** The longest wait that the network asked for, with what goes to the same identity or by the same app; also one that is over. */
  pause: { until: Date; message: string } | null
  /** `closed`: taken away by a person, while its credentials are still there. `gone`: nothing can be asked any more. */
  connection: 'open' | 'closed' | 'gone'
}

/** Number of the present part: 0 is the post. */
export const numberOf = ({ ended }: Pick<Delivery, 'ended'>): number => ended.length

export const isPost = ({ ended }: Pick<Delivery, 'ended'>): boolean => ended.length === 0

/**
 * Names in the database. The one part behind a post that stops nothing is a `FOLLOW_UP`, as versions before 0063 know it, which end the
 * delivery with it; all that they do not know is a `PART`, which none of them begins or ends.
 */
export const DELIVERY_STATES = [
  'PREPARING',
  'READY',
  'SENDING',
  'CONFIRMING',
  'LOOKING_UP',
  'FOLLOW_UP',
  'FOLLOW_UP_SENDING',
  'FOLLOW_UP_LOOKING_UP',
  'PART_PREPARING',
  'PART_READY',
  'PART_SENDING',
  'PART_CONFIRMING',
  'PART_LOOKING_UP',
  'DONE',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

type OpenState = Exclude<DeliveryState, 'DONE'>

type Kind = 'post' | 'follow-up' | 'part'

const PLACES: Readonly<Record<OpenState, { stage: Stage; kind: Kind }>> = {
  PREPARING: { stage: 'PREPARING', kind: 'post' },
  READY: { stage: 'READY', kind: 'post' },
  SENDING: { stage: 'SENDING', kind: 'post' },
  CONFIRMING: { stage: 'CONFIRMING', kind: 'post' },
  LOOKING_UP: { stage: 'LOOKING_UP', kind: 'post' },
  FOLLOW_UP: { stage: 'READY', kind: 'follow-up' },
  FOLLOW_UP_SENDING: { stage: 'SENDING', kind: 'follow-up' },
  FOLLOW_UP_LOOKING_UP: { stage: 'LOOKING_UP', kind: 'follow-up' },
  PART_PREPARING: { stage: 'PREPARING', kind: 'part' },
  PART_READY: { stage: 'READY', kind: 'part' },
  PART_SENDING: { stage: 'SENDING', kind: 'part' },
  PART_CONFIRMING: { stage: 'CONFIRMING', kind: 'part' },
  PART_LOOKING_UP: { stage: 'LOOKING_UP', kind: 'part' },
}

/** The stage of a state. Null for `DONE`. */
export const stageOf = (state: DeliveryState): Stage | null => (state === 'DONE' ? null : PLACES[state].stage)

/** Whether a state is of a part behind the post, which is live then. */
export const isBehindPost = (state: DeliveryState): boolean => state !== 'DONE' && PLACES[state].kind !== 'post'

/** Whether a state is one of those that versions before 0063 have for what follows a post. */
export const isFollowUp = (state: DeliveryState): boolean => state !== 'DONE' && PLACES[state].kind === 'follow-up'

/**
 * The state of a stage of the present part.
 *
 * @throws Error for a stage that the part does not have
 */
export function stateOf({ stage, ended }: Pick<Delivery, 'stage' | 'ended'>, { parts }: DeliveryPolicy): OpenState {
  const stored = stage === 'REPEATING' ? 'LOOKING_UP' : stage
  const part = parts[ended.length]
  const isSecondOfTwo = ended.length === 1 && parts.length === 2
  const isFollowUp = isSecondOfTwo && part && !part.stopsRest && !part.prepares && !part.confirms
  const kind = ended.length === 0 ? 'post' : isFollowUp ? 'follow-up' : 'part'
  const state = DELIVERY_STATES.find((each): each is OpenState => {
    return each !== 'DONE' && PLACES[each].stage === stored && PLACES[each].kind === kind
  })
  if (!state) throw new Error(`Part ${ended.length} of a delivery cannot be ${stage}.`)
  return state
}

const places = (matches: (place: { stage: Stage; kind: Kind }) => boolean): readonly DeliveryState[] =>
  DELIVERY_STATES.filter((state) => state !== 'DONE' && matches(PLACES[state]))

const isBeforeFenceStage = (stage: Stage) => stage === 'PREPARING' || stage === 'READY'

/** No network has seen anything of the post yet. */
export const NOT_BEGUN = places(({ stage, kind }) => kind === 'post' && isBeforeFenceStage(stage))

export const isBegun = (state: DeliveryState) => !NOT_BEGUN.includes(state)

/** A visible call may be under way: what came of it is not stored. */
export const FENCED = places(({ stage }) => stage === 'SENDING')

/** May be live. A call that leaves from here repeats one. */
export const LOOKED_UP = places(({ stage }) => stage === 'LOOKING_UP')

/** The next thing that happens to these is a fence, or leads to one: they wait while they are held. */
export const BEFORE_FENCE = places(({ stage }) => isBeforeFenceStage(stage))

/** Of those the ones that are behind a post that is live. */
export const NEXT_BEHIND_POST = BEFORE_FENCE.filter(isBehindPost)

export const isBeforeFence = (state: DeliveryState) => BEFORE_FENCE.includes(state)
