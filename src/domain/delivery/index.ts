export { type CallMark, endedCall, type KnownCall, openCall, sinceCall, sinceFence } from './calls.ts'
export type { Decision, Pause, RefusedStep, Step } from './decisions.ts'
export {
  BEFORE_FENCE,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryState,
  type EndedPart,
  FENCED,
  isBeforeFence,
  isBegun,
  isBehindPost,
  isFollowUp,
  isPost,
  LOOKED_UP,
  NEXT_BEHIND_POST,
  NOT_BEGUN,
  numberOf,
  STAGES,
  type Stage,
  stageOf,
  stateOf,
} from './delivery.ts'
export { correctedParts, isLeftUnsure, type KnownLate, knownLate } from './late-parts.ts'
export { type DeliveryEvent, next, taskOf } from './machine.ts'
export type {
  Accepted,
  FindOutcome,
  PartPrepareOutcome,
  PauseScope,
  PrepareOutcome,
  Published,
  PublishOutcome,
  Reconnect,
  Refused,
  Retry,
} from './outcomes.ts'
export {
  type DeliveryPolicy,
  type DeliverySettings,
  deliveryDefaults,
  deliveryPolicy,
  followUpRules,
  type PartRules,
} from './policy.ts'
export {
  connectAgainMessage,
  failed,
  followUpWarning,
  inboxWarning,
  type Live,
  lateMessage,
  mayBeLiveMessage,
  ownErrorMessage,
  posted,
  usedUpMessage,
  type Warning,
} from './results.ts'
export { type Choice, chooseEntry, type Twin } from './twins.ts'
