export { createAccount } from './accounts/create.ts'
export { type DemoCalendarDeps, makeDemoCalendar } from './accounts/demo-calendar.ts'
export { listAccountsForOperator } from './accounts/list.ts'
export { renameAccount } from './accounts/rename.ts'
export { DEMO, renewDemo } from './accounts/renew-demo.ts'
export { setPlan } from './accounts/set-plan.ts'
export { readUsage } from './accounts/usage.ts'
export { approvePostSet } from './approvals/approve.ts'
export { listChangesSince, readPostTextsSince } from './approvals/changes-since.ts'
export { reviewPostSet } from './approvals/decide.ts'
export { listApprovals, readApprovalCounts, readReview } from './approvals/inbox.ts'
export { requestChanges } from './approvals/request-changes.ts'
export { changeApprovalRule, readApprovalRule } from './approvals/rule.ts'
export { type Seen, seenOf } from './asked.ts'
export { findCards, readAuthors, readCalendar, readElsewhere } from './calendar/read.ts'
export { closeCalendarFeed, issueCalendarFeed, issueFeedAddress, readCalendarFeed } from './calendar-feeds/address.ts'
export { openFeed } from './calendar-feeds/open.ts'
export { type Caller, requireApiAccess, requireMember, requireRight } from './caller.ts'
export { type CommentGuest, readSharedComments, writeSharedComment } from './comments/by-guest.ts'
export { readThread } from './comments/thread.ts'
export { editComment, removeComment, resolveComment, writeComment } from './comments/write.ts'
export { type AddConnectionDeps, addConnection } from './connections/add.ts'
export { readConnectionCapabilities } from './connections/capabilities.ts'
export { chooseDefaults, type DefaultsDeps, readDefaults } from './connections/choose-defaults.ts'
export { closeConnection } from './connections/close.ts'
export { connectDemoAccounts, connectWithPassword } from './connections/connect-by-member.ts'
export { addSandboxConnection, type ConnectSandboxDeps, type WithSandbox } from './connections/connect-sandbox.ts'
export { type AuthorizationBox, createAuthorizationBox, createCredentialBox } from './connections/credentials.ts'
export {
  chooseConnectionDefaults,
  readConnectionChoices,
  readConnectionDefaults,
} from './connections/defaults-by-member.ts'
export { disconnect, readClosing } from './connections/disconnect.ts'
export {
  connectChosen,
  type FinishedAuthorization,
  finishAuthorization,
  isAuthorization,
  type ReturnedAuthorization,
  readChoices,
} from './connections/finish-authorization.ts'
export { listConnections } from './connections/list.ts'
export { readConnections, readConnectionsAttention } from './connections/overview.ts'
export { chooseOfSignIn, readSignIn, startRenewal, startSignIn } from './connections/sign-in-by-member.ts'
export { startAuthorization } from './connections/start-authorization.ts'
export {
  endDelivery,
  listDeliveriesForOperator,
  retryDelivery,
  showDelivery,
} from './deliveries/by-operator.ts'
export type { OperationDeps } from './deps.ts'
export { followEvents } from './events/list.ts'
export { createEventWaits } from './events/waits.ts'
export { createHashtagGroup, removeHashtagGroup, updateHashtagGroup } from './hashtag-groups/change.ts'
export { listHashtagGroups } from './hashtag-groups/list.ts'
export { readHeldStartDue, resumeHeldStart } from './held-start/by-operator.ts'
export { readDueWhileHeld, resumeStart } from './held-start/resume.ts'
export { holdByOperator, listHoldsForOperator, releaseByOperator } from './holds/by-operator.ts'
export { readHolds, readHoldWaiting } from './holds/list.ts'
export { placeHold } from './holds/place.ts'
export { releaseHold } from './holds/release.ts'
export { answerOnce, type KeyedRequest, type OnceAnswered, readIdempotencyKey } from './idempotency/answer-once.ts'
export {
  addImportedCalendar,
  fetchImportedCalendar,
  removeImportedCalendar,
  updateImportedCalendar,
} from './imported-calendars/change.ts'
export { receiveCalendar } from './imported-calendars/form.ts'
export { listImportedCalendars, previewRemoval } from './imported-calendars/list.ts'
export { believeClock } from './installation/believe-clock.ts'
export {
  checkSecretKey,
  inspectSecretKey,
  SECRET_KEY_FACT,
  type SecretKeyCheck,
} from './installation/check-secret-key.ts'
export { noteBackup } from './installation/note-backup.ts'
export { foreignWords, type Noticed, noticeCopy, unsweptWords, whyUnswept } from './installation/notice-copy.ts'
export { readSetupState, setUp } from './installation/set-up.ts'
export { acceptInvitation } from './invitations/accept.ts'
export { createInvitation } from './invitations/create.ts'
export { lookAtInvitation } from './invitations/look.ts'
export { resendInvitation } from './invitations/resend.ts'
export { revokeInvitation } from './invitations/revoke.ts'
export { keepDraft } from './kept-drafts/keep.ts'
export { forgetKeptDraft, listKeptDrafts, readKeptDraft } from './kept-drafts/read.ts'
export { createKeyCheck, type KeyCheck } from './keys/authenticate.ts'
export { noteToolCall, readKeyCalls } from './keys/calls.ts'
export { createKey } from './keys/create.ts'
export { createAgentKey } from './keys/create-for-agent.ts'
export { disableKey } from './keys/disable.ts'
export { enableKey } from './keys/enable.ts'
export { listKeysForMember } from './keys/list.ts'
export { revokeKey } from './keys/revoke.ts'
export {
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  revokeKeyByMember,
  rotateKeyByMember,
  updateKeyByMember,
} from './keys/with-password.ts'
export { createLabel, createLabelByMember } from './labels/create.ts'
export { listLabelPage, listLabels, listLabelUsage } from './labels/list.ts'
export { mergeLabel } from './labels/merge.ts'
export { removeLabel } from './labels/remove.ts'
export { updateLabel } from './labels/update.ts'
export { createLiveFeed, type LiveMessage } from './live/feed.ts'
export { readFollowed } from './live/follow.ts'
export { putPresence, readPresence } from './live/presence.ts'
export { openDocumentPages, readMediaPages } from './media/document-pages.ts'
export { browseMedia } from './media/library/browse.ts'
export { deleteMediaItem, restoreMediaItem } from './media/library/delete.ts'
export { getMediaItem } from './media/library/get.ts'
export { labelFiles, putMediaLabels, readMediaLabels } from './media/library/label.ts'
export { listMediaLibrary } from './media/library/list.ts'
export { readReplacements } from './media/library/replacements.ts'
export { updateMediaItem } from './media/library/update.ts'
export { readMediaUses } from './media/library/uses.ts'
export { openMedia, openPublicMedia } from './media/open-public.ts'
export type { PublicMedia } from './media/public-media.ts'
export { beginUpload, requireUploadPlace } from './media/uploads/begin.ts'
export {
  continueUpload,
  type ReceiveDeps,
  removeUpload,
  requireAlive,
  requireSeen,
  type TakenUpload,
  takeUpload,
  tooSlow,
  uploadNotFound,
} from './media/uploads/continue.ts'
export { createMediaUpload } from './media/uploads/create.ts'
export { ReceivedForm, receiveForm } from './media/uploads/form.ts'
export { getMediaUpload } from './media/uploads/get.ts'
export { addPoster } from './media/uploads/poster.ts'
export { endUpload, listUnfinished } from './media/uploads/unfinished.ts'
export { authenticateMember } from './members/authenticate.ts'
export type { ConfirmDeps } from './members/confirm-password.ts'
export { confirmMemberEmail, refuseMemberEmail } from './members/decide-email.ts'
export { readMemberLinks } from './members/links.ts'
export { describeRoles, listTeam } from './members/list.ts'
export { removeMember } from './members/remove.ts'
export { removeMembersSecondStep } from './members/remove-second-step.ts'
export { readSession } from './members/session.ts'
export { passSecondStep, signIn, signOut } from './members/sign-in.ts'
export { updateMember } from './members/update.ts'
export { removeNetworkApp, setNetworkApp } from './network-apps/change.ts'
export { checkNetworkApp } from './network-apps/check.ts'
export { readNetworkApp, readNetworkApps, requireApp } from './network-apps/read.ts'
export { readStoredApps, type StoredNetworkApp } from './network-apps/stored.ts'
export { checkNetwork } from './networks/check.ts'
export type { CheckDeps, CheckedStep, NetworkReport } from './networks/check-steps.ts'
export { describeNetworks, listNetworks } from './networks/list.ts'
export { listNewsChoices, putNewsChoices } from './news/choices.ts'
export { listNews, putAllNewsRead, putNewsRead, readUnreadNews } from './news/list.ts'
export { type FoundUnsubscribing, lookAtUnsubscribing, unsubscribe } from './news/unsubscribe.ts'
export { readNoteAgent } from './notes/agent.ts'
export { createNote } from './notes/create.ts'
export { removeNote } from './notes/delete.ts'
export { getNote } from './notes/get.ts'
export { listNotes } from './notes/list.ts'
export { restoreNote } from './notes/restore.ts'
export { updateNote } from './notes/update.ts'
export { makeResetLinkFor } from './password-resets/make.ts'
export { readResetLink, resetPassword } from './password-resets/redeem.ts'
export { readResetWays, requestPasswordReset } from './password-resets/request.ts'
export { changePostSets } from './post-sets/change-many.ts'
export { createPostSet } from './post-sets/create.ts'
export { createPostSets } from './post-sets/create-many.ts'
export { removePostSet } from './post-sets/delete.ts'
export { readDeliveries } from './post-sets/deliveries.ts'
export { listDrafts } from './post-sets/drafts.ts'
export { duplicatePostSet } from './post-sets/duplicate.ts'
export { getPostSet } from './post-sets/get.ts'
export { etagOf } from './post-sets/guards.ts'
export { listHistoryItems, readHistory, readHistoryTexts } from './post-sets/history.ts'
export { labelPostSet, putLabels } from './post-sets/label.ts'
export { listPostSets } from './post-sets/list.ts'
export { lockPostSet, putLock, unlockPostSet } from './post-sets/lock.ts'
export { movePostSet } from './post-sets/move.ts'
export { removeSeries } from './post-sets/remove-series.ts'
export { restorePostSet } from './post-sets/restore.ts'
export { readSeriesDates } from './post-sets/series-dates.ts'
export { updatePostSet } from './post-sets/update.ts'
export { validatePostSet } from './post-sets/validate.ts'
export { changeEmail, confirmEmail, withdrawEmail } from './profile/change-email.ts'
export { changePassword } from './profile/change-password.ts'
export { changePreferences } from './profile/change-preferences.ts'
export { readProfile, rename } from './profile/read.ts'
export { Refusal } from './refusal.ts'
export { putFailuresDone } from './results/done.ts'
export { listResults } from './results/list.ts'
export { lookAtPostSet } from './results/look.ts'
export { retryPostSet, retryPostSets } from './results/retry.ts'
export { putSeen, readUnseen } from './results/seen.ts'
export { chooseAccount } from './sessions/choose-account.ts'
export { endOtherSessions, endSession } from './sessions/end.ts'
export { listMemberSessions } from './sessions/list.ts'
export { readGuestCalendar } from './shared-calendars/calendar.ts'
export { addGuestComment, listGuestComments } from './shared-calendars/comments.ts'
export { approveAsGuest, decideAsGuest, undoAsGuest } from './shared-calendars/decide.ts'
export {
  type Begun,
  beginVisit,
  type Entered,
  enterSharedCalendar,
  visitOfHeaders,
} from './shared-calendars/enter.ts'
export { sharedFeedScope } from './shared-calendars/feed.ts'
export {
  closeSharedCalendarFeed,
  issueSharedCalendarFeed,
  readSharedCalendarFeed,
} from './shared-calendars/feed-address.ts'
export { authenticateGuest, type Guest } from './shared-calendars/guest.ts'
export {
  closeSharedCalendar,
  copySharedCalendar,
  createSharedCalendar,
  listSharedCalendars,
  listSharedCalendarVisitors,
  lookAtSharedCalendar,
  renewSharedCalendar,
  updateSharedCalendar,
} from './shared-calendars/links.ts'
export { openGuestMedia, openGuestPictures } from './shared-calendars/media.ts'
export { findGuestsToNotify } from './shared-calendars/news.ts'
export { addGuestNote } from './shared-calendars/notes.ts'
export { noteSeen, readGuestCaption, readGuestPost } from './shared-calendars/post.ts'
export { notSharedAnyMore } from './shared-calendars/serialize.ts'
export {
  changeGuestEmail,
  confirmGuestEmail,
  findGuestConfirmation,
  nameGuest,
  readGuestVisit,
} from './shared-calendars/visit.ts'
export { createSocialSet } from './social-sets/create.ts'
export { createSocialSetByMember } from './social-sets/create-by-member.ts'
export { listSocialSets } from './social-sets/list.ts'
export { changeSavedTimes, listAllFreeSlots, listFreeSlots, readSavedTimes } from './social-sets/saved-times.ts'
export { previewTimezoneChange, updateSocialSet } from './social-sets/update.ts'
export {
  confirmTwoFactor,
  readTwoFactor,
  removeTwoFactor,
  renewBackupCodes,
  startTwoFactor,
} from './two-factor/settings.ts'
export { listUsersForOperator, setOperator, takeSecondStepAway } from './users/administer.ts'
export { adoptWebhook } from './webhooks/adopt.ts'
export { changeWebhook, removeWebhook } from './webhooks/change.ts'
export { createWebhook } from './webhooks/create.ts'
export { getWebhook, listWebhooksOf } from './webhooks/list.ts'
export { rotateWebhookSecret } from './webhooks/rotate.ts'
export { listAttemptsOfWebhook, resendWebhookEvents, testWebhook } from './webhooks/send.ts'
