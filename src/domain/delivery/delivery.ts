import type { Live, Warning } from './results.ts'

export const STAGES = ['PREPARING', 'READY', 'SENDING', 'CONFIRMING', 'LOOKING_UP', 'REPEATING'] as const
/**
 * How far a part is. `REPEATING`: a look has allowed the same call again, which leaves in the same turn or not at all. No database
 * knows of it: until the fence the part is `LOOKING_UP` there, so that all others take it for what it is, perhaps live.
 */
export type Stage = (typeof STAGES)[number]

/** A delivery that is open, as the machine sees it. */
export interface Delivery {
  stage: Stage
  /** 0 is the post; what follows it (a first comment) comes when that is live. */
  part: number
  attempts: number
  /** Looks at the present part that the network answered. */
  lookups: number
  /** Looks in a row that brought no answer. */
  missedLooks: number
  /** Nothing is done before this time. */
  nextAt: Date
  givesUpAt: Date
  /** First and last fence of the present part. */
  firstFencedAt: Date | null
  fencedAt: Date | null
  unknownSince: Date | null
  message: string | null
  warnings: readonly Warning[]
  /** The post, from part 1 on. */
  live: Live | null
  /** False until a network has answered a step of it. */
  touched: boolean
  /** The longest wait that the network asked for, with what goes to the same identity or by the same app; also one that is over. */
  pause: { until: Date; message: string } | null
  /** `closed`: taken away by a person, while its credentials are still there. `gone`: nothing can be asked any more. */
  connection: 'open' | 'closed' | 'gone'
}

/** Names in the database. What is no post is a follow-up there, whichever part it is. */
export const DELIVERY_STATES = [
  'PREPARING',
  'READY',
  'SENDING',
  'CONFIRMING',
  'LOOKING_UP',
  'FOLLOW_UP',
  'FOLLOW_UP_SENDING',
  'FOLLOW_UP_LOOKING_UP',
  'DONE',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

type OpenState = Exclude<DeliveryState, 'DONE'>

const PLACES: Readonly<Record<OpenState, { stage: Stage; part: number }>> = {
  PREPARING: { stage: 'PREPARING', part: 0 },
  READY: { stage: 'READY', part: 0 },
  SENDING: { stage: 'SENDING', part: 0 },
  CONFIRMING: { stage: 'CONFIRMING', part: 0 },
  LOOKING_UP: { stage: 'LOOKING_UP', part: 0 },
  FOLLOW_UP: { stage: 'READY', part: 1 },
  FOLLOW_UP_SENDING: { stage: 'SENDING', part: 1 },
  FOLLOW_UP_LOOKING_UP: { stage: 'LOOKING_UP', part: 1 },
}

/** Stage and part of a state. Null for `DONE`. */
export function placeOf(state: DeliveryState): { stage: Stage; part: number } | null {
  return state === 'DONE' ? null : PLACES[state]
}

/**
 * The state of a stage and part.
 *
 * @throws Error for a stage that the part does not have
 */
export function stateOf({ stage, part }: Pick<Delivery, 'stage' | 'part'>): OpenState {
  const stored = stage === 'REPEATING' ? 'LOOKING_UP' : stage
  const state = DELIVERY_STATES.find((each) => {
    const place = placeOf(each)
    return place?.stage === stored && place.part === part
  })
  if (!state || state === 'DONE') throw new Error(`Part ${part} of a delivery cannot be ${stage}.`)
  return state
}

const places = (matches: (place: { stage: Stage; part: number }) => boolean): readonly DeliveryState[] =>
  DELIVERY_STATES.filter((state) => {
    const place = placeOf(state)
    return place !== null && matches(place)
  })

const isBeforeFenceStage = (stage: Stage) => stage === 'PREPARING' || stage === 'READY'

/** No network has seen anything of the post yet. */
export const NOT_BEGUN = places(({ stage, part }) => part === 0 && isBeforeFenceStage(stage))

export const isBegun = (state: DeliveryState) => !NOT_BEGUN.includes(state)

/** A visible call may be under way: what came of it is not stored. */
export const FENCED = places(({ stage }) => stage === 'SENDING')

/** May be live. A call that leaves from here repeats one. */
export const LOOKED_UP = places(({ stage }) => stage === 'LOOKING_UP')

/** The next thing that happens to these is a fence, or leads to one: they wait while they are held. */
export const BEFORE_FENCE = places(({ stage }) => isBeforeFenceStage(stage))

export const isBeforeFence = (state: DeliveryState) => BEFORE_FENCE.includes(state)
