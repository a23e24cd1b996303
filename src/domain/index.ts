export { type AddressBound, addressBounds, type ClientNetwork, countedAddress, networksOf } from './address-bounds.ts'
export {
  afterApproval,
  afterEdit,
  approvalBar,
  type BrandRule,
  changesContent,
  isBinding,
  NO_RULE,
  needsReason,
  refusalBar,
  stepOf,
} from './approvals.ts'
export { cardStateOf, outcomeOf } from './card-state.ts'
export { agrees, type ClockRules, clockRules, compareClock, jumpedMessage, jumpSpan } from './clock-step.ts'
export { type CopySign, signsOfCopy } from './copies.ts'
export { cropPixels, croppedFacts, fittedFacts, tagsOn } from './crops.ts'
export {
  type Accepted,
  BEFORE_FENCE,
  type CallMark,
  type Choice,
  chooseEntry,
  connectAgainMessage,
  correctedParts,
  DELIVERY_STATES,
  type Decision,
  type Delivery,
  type DeliveryEvent,
  type DeliveryPolicy,
  type DeliverySettings,
  type DeliveryState,
  deliveryDefaults,
  deliveryPolicy,
  type EndedPart,
  endedCall,
  FENCED,
  type FindOutcome,
  failed,
  followUpRules,
  followUpWarning,
  inboxWarning,
  isBeforeFence,
  isBegun,
  isBehindPost,
  isFollowUp,
  isLeftUnsure,
  isPost,
  type KnownCall,
  type KnownLate,
  knownLate,
  type Live,
  LOOKED_UP,
  lateMessage,
  mayBeLiveMessage,
  NEXT_BEHIND_POST,
  NOT_BEGUN,
  next,
  numberOf,
  openCall,
  ownErrorMessage,
  type PartPrepareOutcome,
  type PartRules,
  type Pause,
  type PauseScope,
  type PrepareOutcome,
  type Published,
  type PublishOutcome,
  posted,
  type Reconnect,
  type Refused,
  type RefusedStep,
  type Retry,
  STAGES,
  type Stage,
  type Step,
  sinceCall,
  sinceFence,
  stageOf,
  stateOf,
  type Twin,
  taskOf,
  usedUpMessage,
} from './delivery/index.ts'
export { deviceWords } from './device-words.ts'
export { excerptOf } from './excerpt.ts'
export { guestChanges } from './guest-changes.ts'
export {
  HELD_START_BY,
  HELD_START_REASONS,
  type HeldStartWhy,
  heldStartWords,
  MAY_HAVE_GONE_OUT,
} from './held-start.ts'
export { diffPostSet, type PostSetContent } from './history-diff.ts'
export { isId, newId } from './ids.ts'
export { hashKey, looksLikeKey, newKeySecret } from './key-secrets.ts'
export { hashLinkToken, isSetupCode, newLinkToken, setupCodeOf } from './link-tokens.ts'
export { daysOn, type Moved, movedBy, sameClockIn, type WallChange, wallChangeOf } from './moves.ts'
export { nextHour } from './next-hour.ts'
export { passwordProblem } from './password-rules.ts'
export { pauseAfter } from './pauses.ts'
export { reachedPercent } from './plan-crossing.ts'
export { allMedia, type MediaContent, type PartContent, type PostContent, planPosts } from './plan-posts.ts'
export { type PlannedPost, type PlannedWrite, planProblems } from './plan-rules.ts'
export { slotsBetween } from './saved-times.ts'
export { mediaSearchText, searchable, searchTextOf } from './search-text.ts'
export { CannotOpenError, createSecretBox, type SecretBox } from './secret-box.ts'
export { occurrencesOf, plannedOccurrences } from './series.ts'
export { shownAddress } from './shown-address.ts'
export { shownEvent } from './shown-event.ts'
export { daysAfter, parseTime, wallTimeOf } from './times.ts'
export { planTimezoneChange, type TimezonePlan } from './timezone-change.ts'
export { readUnsubscribeToken, type Unsubscribing, unsubscribeToken } from './unsubscribe-links.ts'
export { newWebhookSecret, placeOfWebhook } from './webhook-secrets.ts'
