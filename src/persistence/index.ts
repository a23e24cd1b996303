export {
  type AccountRow,
  findAccount,
  holdFirstAccount,
  insertAccount,
  insertSocialSet,
  type ListedAccount,
  listAccounts,
  oldestAccount,
  ownsSocialSet,
  renameAccount,
  updatePlan,
} from './accounts.ts'
export {
  type ApiKeyRow,
  type AuthenticatedKey,
  countActiveKeys,
  countKeyUse,
  countPieceOfKey,
  findActiveKey,
  findApiKey,
  findKeyView,
  insertApiKey,
  type ListedApiKey,
  listApiKeys,
  noteKeyUse,
  setKeyDisabled,
  setKeyRevoked,
  updateApiKey,
} from './api-keys.ts'
export {
  type ApprovalRow,
  approvalCountsQuery,
  approvalsPageQuery,
  countApprovals,
  type DecisionRow,
  pageOfApprovals,
  readApprovals,
} from './approvals-inbox.ts'
export { countAttempt, forgetAttempts, takeBackAttempt } from './attempts.ts'
export {
  type Authorization,
  claimAuthorization,
  endAuthorization,
  findAuthorization,
  findAuthorizationByState,
  insertAuthorization,
  keepChoices,
  lastAuthorizationFailed,
  type SealedSecret,
} from './authorizations.ts'
export { type BellRow, countUnread, listBell, markAllNewsRead, markNewsRead } from './bell.ts'
export { type CardRow, cardsQuery, listAuthors, listCards } from './calendar.ts'
export {
  type CalendarFeedRow,
  deleteCalendarFeed,
  type FeedContent,
  type FeedNoteRow,
  type FeedOf,
  type FeedPostSetRow,
  findCalendarFeed,
  openCalendarFeed,
  putCalendarFeed,
  readFeedRows,
  readFeedVersion,
} from './calendar-feeds.ts'
export { type CallOf, type FenceMark, markCalls, storeCallMarks } from './call-marks.ts'
export {
  type Change,
  type ChangeHandlers,
  listenForChanges,
  sessionStillSees,
  untilReported,
  watchSocialSets,
} from './changes.ts'
export { addChores, giveChoreBack, renewChore, takeChore } from './chores.ts'
export { claimLooks } from './claim-looks.ts'
export { DELIVERY_PLACES } from './columns.ts'
export {
  type CommentLimit,
  type CommentRow,
  deleteComment,
  findComment,
  insertComment,
  listComments,
  listWriters,
  markResolved,
  updateComment,
} from './comments.ts'
export { COMPOSING, composeSearchTexts } from './composed-letters.ts'
export { type DatabaseAddress, directAddress } from './connection.ts'
export {
  type ConnectionFace,
  closeConnection,
  connectedNetworks,
  countSandboxConnections,
  findOpenConnection,
  insertConnection,
  isConnectedUnseen,
  keepOpen,
  type ListedConnection,
  listConnections,
  listNetworkConnections,
  type NetworkConnection,
  openConnections,
  reviveConnections,
  storeFacts,
  writeDefaults,
} from './connections.ts'
export {
  type ConnectionRow,
  countScheduledSets,
  findConnectionRow,
  lastPublishedTimes,
  listConnectionRows,
  listWorryingConnections,
  lockScheduledSets,
  parkPostSets,
} from './connections-overview.ts'
export {
  closeUnusedMedia,
  copyMediaItems,
  findPostSetCopy,
  findSameMedia,
  insertPostSetCopy,
} from './copied-media.ts'
export {
  cutPool,
  type Database,
  type DatabaseTransaction,
  databaseNow,
  inTransaction,
  openDatabase,
  poolCounts,
} from './database.ts'
export {
  believeDatabaseClock,
  type DatabaseClockRow,
  endClockMail,
  moveTimesAhead,
  readClockAhead,
  readDatabaseClock,
  returnClockMail,
  storeSeenClock,
  takeClockMail,
} from './database-clock.ts'
export { databaseFault, surfaceFaults } from './database-faults.ts'
export {
  changeDelivery,
  type DeliveryRow,
  type FenceOf,
  fence,
  fenceTogether,
  type HeldDelivery,
  MOST_TOGETHER,
  renewLease,
  storeHandles,
} from './deliveries.ts'
export { type ContentOf, type DeliveryContent, type DeliveryMedia, readDeliveryContents } from './delivery-content.ts'
export { type DeliveryEnd, type Finished, finishDeliveries } from './delivery-ends.ts'
export {
  endedParts,
  liveParts,
  partsToStore,
  type StoredPart,
  titleOfPart,
} from './delivery-parts.ts'
export { isBeforeFence, isBegun } from './delivery-states.ts'
export {
  completeDirectUpload,
  countOpenOrReceiving,
  endedDirectUploads,
  failDirectUpload,
  failExpiredUploads,
  insertDirectUpload,
  keepPoster,
  listUnfinishedUploads,
  posterOf,
  recordReceived,
  removeDirectUpload,
  takeDirectUpload,
} from './direct-uploads.ts'
export { countDrafts, draftsQuery, listDraftRows } from './drafts.ts'
export {
  claimDuePostSets,
  type DueSets,
  findDuePostSets,
  markPublished,
  nextDue,
  wasCrowded,
} from './due-post-sets.ts'
export {
  accountsDecidedByOthers,
  decideEmailChange,
  deleteEmailChange,
  type EmailChange,
  findEmailChange,
  isInvited,
  putEmailChange,
} from './email-changes.ts'
export { describeEmbeddedDatabase, openEmbeddedDatabase, removeEmbeddedDatabase } from './embedded/index.ts'
export { type OsLock, tryLock, waitForLock } from './embedded/os-lock.ts'
export { type EventPage, listEvents, listenForEvents, readEventPositions } from './events.ts'
export { areFailuresDone, noteCopyOfFailures, setFailuresDone } from './failures-done.ts'
export { isFenceDoubted } from './fence-read.ts'
export { type Figures, type Oldest, readFigures, readOldest } from './figures.ts'
export { type Happened, type HappenedData, type NewEvent, readHappened, storeEvents } from './happened.ts'
export {
  deleteHashtagGroup,
  findHashtagGroup,
  type HashtagGroupRow,
  insertHashtagGroup,
  listHashtagGroups,
  updateHashtagGroup,
} from './hashtag-groups.ts'
export { beatHeart, openHeartbeat, openPatientHeartbeat } from './heartbeat.ts'
export {
  endHeldStart,
  type HeldStart,
  heldStartShown,
  holdStart,
  lockHeldStart,
  readHeldStart,
  readStartState,
  returnHeldStartMail,
  takeHeldStartMail,
  wasHeldWithin,
} from './held-start.ts'
export { accountsOf, type DueWhileHeld, describeDue, dropDueSends, labelNamed, putLabel } from './held-start-release.ts'
export {
  type Actor,
  addHistory,
  addHistoryToEach,
  countHistory,
  findOwnChange,
  findSince,
  type HistoryEntry,
  type HistoryRow,
  listHistory,
  listHistoryPage,
  type Since,
  wasReviewed,
} from './history.ts'
export { type ChangedPost, findChangesSince, type MergedChanges } from './history-since.ts'
export { findFieldsBefore, findHistoryTexts, listTextsSince } from './history-texts.ts'
export {
  countWithNetworks,
  endHold,
  findHold,
  findHoldOf,
  findHoldOn,
  findHoldTarget,
  type HoldRow,
  type HoldsOfSet,
  type HoldTarget,
  holdShown,
  insertHold,
  listHolds,
  listOpenHolds,
  lockFences,
  lockHold,
  moveHold,
  readHoldsOfSet,
  readHoldsOfSets,
} from './holds.ts'
export {
  countLateSets,
  endDeliveries,
  listWaitingSets,
  lockFollowUps,
  lockWaitingSets,
  readWaitingSets,
  requestAgain,
  unclaimPostSets,
  type WaitingSet,
  wakeDeliveries,
} from './holds-release.ts'
export {
  ANSWER_HOURS,
  findStoredAnswer,
  removeExpiredAnswers,
  type StoredAnswer,
  storeAnswer,
  tryLockIdempotencyKey,
} from './idempotency-keys.ts'
export {
  claimRenewals,
  planRenewals,
  type RefreshLease,
  readSealedIdentity,
  releaseRefreshLease,
  requireReconnect,
  type SealedIdentity,
  storeRefreshedSecret,
  takeRefreshLease,
} from './identity-secrets.ts'
export {
  type CalendarLease,
  type CalendarOrigin,
  countImportedCalendars,
  type DueCalendar,
  endCalendarRead,
  type FailingCalendar,
  failCalendarRead,
  fetchSoon,
  findImportedCalendar,
  giveCalendarBack,
  type HeldCalendar,
  type ImportedCalendarRow,
  insertImportedCalendar,
  listImportedCalendars,
  lockImportedCalendar,
  readCalendarFile,
  readCalendarsAgain,
  takeDueCalendar,
  updateImportedCalendar,
} from './imported-calendars.ts'
export {
  countNotesOfRemoval,
  deleteImportedCalendar,
  forgetDeletedNotes,
  type KnownNote,
  lockCalendarsToWrite,
  type NoteChanges,
  type OtherNote,
  readKnownNotes,
  readOtherNotes,
  recolorImportedNotes,
  writeNoteChanges,
} from './imported-notes.ts'
export {
  addFact,
  lockInstallation,
  readFact,
  readServerFacts,
  readSessionFacts,
  replaceFact,
  type ServerFacts,
} from './installation.ts'
export {
  beginIdentity,
  forgetFolders,
  hasConnections,
  hasFolders,
  noteFolder,
  noteIdentity,
  openIdentityWatch,
  raiseCounter,
  readFolder,
  readIdentity,
  readSystemIdentifier,
  type WitnessPlace,
} from './installation-identity.ts'
export { JOINING, joinHistory } from './joined-history.ts'
export { findKeptFeed, keepFeed, keepFeedAsItIs, lockKeptFeed, readKeptFeed } from './kept-calendar-feeds.ts'
export {
  endEditDraft,
  endSavedDraft,
  findKeptDraft,
  forgetKeptDraft,
  isIdTaken,
  type KeptDraftOwner,
  type KeptDraftSave,
  keepDraft,
  listKeptDrafts,
} from './kept-drafts.ts'
export { budgetOfKey, type KeyBudget, spendOfKey } from './key-budgets.ts'
export { listKeyCalls, noteKeyCall } from './key-calls.ts'
export {
  countLabels,
  type DatedLabel,
  findLabel,
  holdLabels,
  insertLabel,
  isOnUnseenPostSet,
  type LabelRow,
  listLabelRows,
  listLabels,
  listLabelUsage,
  updateLabel,
} from './labels.ts'
export { type LaneRoom, raiseTurns, takeDeliveries, takeHeadsOut, takeQuery, wakeSleepers } from './lanes.ts'
export { type CoverEnd, endCovers } from './late-covers.ts'
export { endInbox } from './late-inboxes.ts'
export { endPartLooks, type PartLookEnd } from './late-parts.ts'
export { claimPermalinkLooks, type FoundPermalink, storePermalinks } from './late-permalinks.ts'
export type { Listener } from './listener.ts'
export {
  agentOfMedia,
  countSetsToComeWith,
  estimateMediaItems,
  findMediaFiles,
  findMediaItem,
  insertMediaItem,
  listMediaItems,
  listStoredFiles,
  type MediaFile,
  type MediaItemRow,
  unnamedFiles,
} from './media-items.ts'
export { listMediaLabels, setLabelOfFiles, setMediaLabels } from './media-labels.ts'
export {
  closeMediaItem,
  countBlockingUses,
  countMedia,
  describeMediaItem,
  emptyDeletedMedia,
  listMediaUses,
  listReplaceable,
  lockMediaItem,
  lockMediaItems,
  type MediaFilters,
  type MediaLibraryRow,
  mediaPageQuery,
  pageOfMedia,
  reopenMediaItem,
  reopenMediaOf,
  writeMediaSearchTexts,
} from './media-library.ts'
export {
  findRendition,
  findRenditionFile,
  insertRendition,
  type MediaRendition,
  replaceRendition,
} from './media-renditions.ts'
export {
  countOpenUploads,
  failImport,
  failUsedUpImports,
  findMediaUpload,
  finishImport,
  hasOpenImports,
  type ImportLease,
  importWaits,
  insertMediaUpload,
  type MediaUploadRow,
  releaseImport,
  renewImport,
  takeNextImport,
} from './media-uploads.ts'
export { listMemberLinks, type MemberLinkRow } from './member-links.ts'
export {
  addSocialSetToMembership,
  chooseSessionAccount,
  deleteMembership,
  findInvitationByToken,
  findUserByEmail,
  type InvitationRow,
  insertInvitation,
  listMembers,
  listOpenInvitations,
  type MemberRow,
  markInvitation,
  renewInvitation,
  updateMembership,
} from './members.ts'
export { findPreferences, insertMembership, listMemberships, type MembershipRow } from './memberships.ts'
export { type MigrateOptions, migrate, newerDataWords } from './migrate.ts'
export { newestUnknownMigration, readKnown, readMigrationState } from './migration-state.ts'
export { moveUp } from './moving-up.ts'
export {
  deleteNetworkApp,
  listenForNetworkApps,
  listNetworkApps,
  listOperatorNames,
  listOperators,
  markOperator,
  type NetworkAppRow,
  replaceNetworkApp,
} from './network-apps.ts'
export { insertIdentity, lockIdentity, replaceIdentity } from './network-identities.ts'
export { type HandedOver, insertDeliveries, type NewDelivery } from './new-deliveries.ts'
export {
  addDeliveryNews,
  addInboxNews,
  addNews,
  addPlanNews,
  forgetNewsWords,
  type News,
  purgeNews,
  SEND_DAYS,
} from './news.ts'
export {
  type FreshNews,
  hasFreshNews,
  insertSends,
  markAddressed,
  type NewBellItem,
  type NewSend,
  type NewsChosen,
  type NewsMember,
  putBellItems,
  readAuthors,
  readNewsMembers,
  takeFreshNews,
} from './news-audience.ts'
export {
  findNamesOfSet,
  listSocialSetNames,
  readGuestStops,
  readNewsChoices,
  stopGuestMails,
  stopMails,
  writeNewsChoices,
} from './news-choices.ts'
export { findEndingConnections, findEndingKeys, findUnapprovedSets } from './news-looks.ts'
export type { NewsRow } from './news-rows.ts'
export {
  dropSends,
  giveUpLateSends,
  giveUpSends,
  hasDueMail,
  markSent,
  type NewsFaults,
  type NewsReader,
  postponeSends,
  readNewsFaults,
  type TakenMail,
  type TakenSend,
  takeMail,
  takeReceiverSends,
} from './news-sends.ts'
export {
  agentOfNote,
  deleteNote,
  findNote,
  insertNotes,
  listNoteRows,
  listNotesOfAll,
  lockNote,
  type NoteRow,
  updateNoteRow,
} from './notes.ts'
export {
  clearClosedSecrets,
  clearOldHandles,
  cutImportQueries,
  forgetOldRenditions,
  KEPT,
  removeOldHistory,
  removeOldRows,
} from './old-rows.ts'
export { type OpenFence, type OpenLease, readOpenLeases } from './open-leases.ts'
export {
  findDelivery,
  findDeliveryOfPost,
  type ListedDelivery,
  type LockedDelivery,
  listOpenDeliveries,
  lockDelivery,
  type ShownDelivery,
  wakeDelivery,
} from './operator-deliveries.ts'
export { insertPastResults } from './past-results.ts'
export { pause } from './pauses.ts'
export {
  type ConnectionLimits,
  metricLimits,
  POOLED_ROLE_SETTINGS,
  type PoolCounts,
  publishingLimits,
  requestLimits,
  workLimits,
} from './pool.ts'
export { findPostPictures } from './post-pictures.ts'
export { listPostDeliveries, type PostDeliveryRow } from './post-set-deliveries.ts'
export {
  labelsOfPostSet,
  lockMarkedPostSet,
  type MarkedPostSet,
  markLabels,
  markLocked,
  markReviewed,
} from './post-set-marks.ts'
export {
  deletePostSet,
  findByExternalIds,
  findPostSet,
  listSeries,
  lockPostSetRow,
  type PostSetMediaRow,
  type PostSetPostRow,
  type PostSetRow,
  updatePostSetRow,
} from './post-sets.ts'
export { createPostSetRow, isTakenExternalId } from './post-sets-create.ts'
export { type ConnectionState, connectionStates, findMediaFacts } from './post-sets-facts.ts'
export {
  countPostSets,
  firstPageOfPostSets,
  listPostSetRows,
  type PostSetFilters,
  type PostSetSort,
  pageOfPostSets,
} from './post-sets-list.ts'
export { deletePosts, writePosts } from './posts.ts'
export {
  beginPresence,
  endPresence,
  isOnCalendar,
  listPresent,
  renewPresence,
  sayPresence,
} from './presences.ts'
export { raiseVersions } from './raise-versions.ts'
export { countInRateWindow, type RateLength, readRateWindow, removeOldRateWindows } from './rate-windows.ts'
export { releaseDelivery, releaseUnproven, releaseUnsent } from './release-delivery.ts'
export {
  isMovedAway,
  isRemovedPostSet,
  lockRemovedNote,
  lockRemovedPostSet,
  parkRestored,
  placeOfRemoved,
  purgeRemoved,
  REMOVED_DAYS,
  type RemovedPostSet,
  removeNoteRow,
  removePostSetRow,
  restoreNoteRow,
  restorePostSetRow,
} from './removed.ts'
export { finishRemovedLabels, markLabelRemoved } from './removed-labels.ts'
export { renewFence } from './renew-fence.ts'
export { afterRestore, closeReopened, LAST_BACKUP, type Reopened, readReopened } from './restored.ts'
export {
  countResults,
  pageOfResults,
  type ResultFilters,
  type ResultPlace,
  type ResultPostRow,
  type ResultRow,
  readResults,
  resultPageQuery,
} from './results.ts'
export { countUnseenFailures, markSeen, readSeen } from './results-seen.ts'
export { growThread, insertContinuations, insertRetries, lockSetOf, shareConnections } from './retries.ts'
export { addReviewNews, forgetCommentWords } from './review-news.ts'
export { type DueReminder, giveReminders, takeDueReminders } from './review-reminders.ts'
export {
  addDecision,
  countReviewersLeft,
  findBrandRule,
  isApprovedWithReason,
  listMembersOfSet,
  type PersonRow,
  readRound,
  removeDecision,
  writeBrandRule,
} from './reviews.ts'
export {
  findSavedTimes,
  freeOf,
  freeOfAll,
  listSavedTimes,
  type SavedTimesRow,
  writeSavedTimes,
} from './saved-times.ts'
export {
  countSealedOtherwise,
  type KeyName,
  lockSealedOtherwise,
  lockSecondStepsSealedOtherwise,
  SEALED_COLUMNS,
  type SealedBatch,
  type SealedColumns,
  storeResealed,
  storeResealedSecondStep,
} from './sealed-rows.ts'
export { copyPostSet, holdSeries, insertSeries } from './series.ts'
export { deleteFirstSteps, deleteSession, deleteSessions, listSessions, touchSession } from './sessions.ts'
export {
  closeSharedCalendar,
  copySharedToken,
  countOpenSharedCalendars,
  endVisits,
  findOpenSharedCalendar,
  findSharedCalendar,
  holdOpenSharedCalendar,
  insertSharedCalendar,
  type KeptToken,
  listSharedCalendars,
  lockSharedCalendar,
  type OpenSharedCalendar,
  renewSharedCalendar,
  type SharedCalendarFields,
  type SharedCalendarRow,
  updateSharedCalendar,
} from './shared-calendars.ts'
export {
  confirmGuestEmail,
  dropEntry,
  dropVisit,
  findConfirmation,
  findEmailToConfirm,
  findGuestReading,
  findGuestsWithNews,
  findVisits,
  findWayIn,
  guestsWhoSee,
  holdEntry,
  insertConfirmation,
  insertEntry,
  insertGuest,
  insertVisit,
  insertWayIn,
  listVisitors,
  noteLook,
  prolongVisit,
  removeOldVisits,
  renameGuest,
  SHARED_KEPT,
  setGuestLocale,
  stopGuestNews,
  type VisitRow,
} from './shared-guests.ts'
export {
  countSharedWaiting,
  findSharedFacts,
  findSharedMedia,
  insertSharedNote,
  listSharedAccounts,
  listSharedCards,
  listSharedNotes,
  nearestShared,
  removeSharedDecision,
  type SharedCardRow,
  type SharedFacts,
  type SharedMedia,
  type SharedNoteRow,
  writeSeen,
  writeSharedDecision,
} from './shared-posts.ts'
export type { SmallPicture } from './small-pictures.ts'
export {
  countSocialSets,
  findPlaceForPosts,
  findSocialSet,
  listSocialSetRows,
  type PlaceForPosts,
  type SocialSetPlace,
  type SocialSetRow,
  socialSetNames,
  socialSetPlaces,
  socialSetsOf,
  socialSetsSeen,
} from './social-sets.ts'
export { fillTables, openSnapshot, readEmptiness, type Snapshot } from './table-copies.ts'
export {
  findTimezone,
  holdTimezone,
  holdTimezoneOf,
  listMovableNotes,
  listMovablePostSets,
  lockRemovedTimes,
  lockSocialSet,
  moveNotes,
  movePostSets,
  moveRemoved,
  updateSocialSet,
} from './timezone-change.ts'
export { claimProviderId, isTaken, readOthers } from './twins.ts'
export { LeaseLostError, underLease } from './under-lease.ts'
export {
  holdingsOf,
  lockUsage,
  postSetsOfMonth,
  type Reserved,
  raisePostSets,
  raiseUploadBytes,
  type UploadVerdict,
  type Usage,
  uploadRoom,
  usageOf,
} from './usage.ts'
export { claimUserLink, deleteUserLinks, findPendingEmail, findUserLink, insertUserLink } from './user-links.ts'
export {
  deleteSecondStep,
  findMemberPasswordHash,
  findUser,
  insertUser,
  listOwners,
  listUsers,
  lockUser,
  type UserRow,
  updatePasswordHash,
  updatePreferences,
  updateUserEmail,
  updateUserName,
} from './users.ts'
export {
  beginCover,
  type DueCover,
  endCover,
  findCover,
  forgetUnusedCovers,
  returnCover,
} from './video-covers.ts'
export { beginFrame, type DueFrame, endFrame, returnFrame } from './video-frames.ts'
export type { Visible } from './visible.ts'
export { listenForWakes } from './wakes.ts'
export { readWebhookFaults, type WebhookFaults } from './webhook-faults.ts'
export {
  insertTestSend,
  listWebhookAttempts,
  queueAgain,
  type WebhookAttemptRow,
} from './webhook-log.ts'
export { changesByKeys, endLoops, LOOP, noteLoops } from './webhook-loops.ts'
export { closeWebhooks, queueSince } from './webhook-queue.ts'
export {
  type AfterFailure,
  claimLanes,
  type DueSend,
  endFailed,
  endSent,
  type FailingLimits,
  giveLaneBack,
  type LaneHead,
  leaveOutUnseen,
  readHeads,
  readNextLane,
  type WebhookAttempt,
} from './webhook-sends.ts'
export {
  adoptWebhook,
  closeWebhooksOfEndedKeys,
  closeWebhooksOfKey,
  countOpenWebhooks,
  deleteWebhook,
  findClosedWebhook,
  findWebhook,
  handOverWebhooks,
  insertWebhook,
  listWebhooks,
  missingKeys,
  replaceWebhookSecret,
  updateWebhook,
  type WebhookFields,
  type WebhookRow,
  type WebhookViewer,
} from './webhooks.ts'
export { readWholeLook, type WholeLook } from './whole-look.ts'
