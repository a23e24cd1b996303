import { LIMITS, NEWS_DAYS } from '#contract'
import { DAY_MS, HOUR_MS } from '#contract/durations'
import {
  ANSWER_HOURS,
  COMPOSING,
  clearClosedSecrets,
  clearOldHandles,
  closeWebhooksOfEndedKeys,
  composeSearchTexts,
  cutImportQueries,
  type Database,
  emptyDeletedMedia,
  failExpiredUploads,
  finishRemovedLabels,
  forgetOldRenditions,
  forgetUnusedCovers,
  giveReminders,
  JOINING,
  joinHistory,
  KEPT,
  purgeNews,
  purgeRemoved,
  REMOVED_DAYS,
  removeExpiredAnswers,
  removeOldHistory,
  removeOldRows,
  removeOldVisits,
  SEND_DAYS,
  SHARED_KEPT,
  writeMediaSearchTexts,
} from '#persistence'
import {
  emptyTrash,
  type ListedFiles,
  maySweep,
  removeUnnamed,
  sweepArriving,
  sweepOrphans,
  TRASH_DAYS,
} from './sweep-orphans.ts'

/** What chores work with. */
export interface ChoreTools {
  db: Database
  files: ListedFiles
}

/** What one process at a time does again and again. */
export interface Duty {
  /** Of its row in the database: never changed. */
  name: string
  everyMs: number
  /** For the log, when something was done. Absent: it was removed. */
  done?: string
  /** Whether this process is one that can do it; absent: each can. Asked before it is taken, so that another one may take it. */
  may?(tools: ChoreTools): Promise<boolean>
  /** Works in bounded batches until nothing is left or the signal says so. Resolves with how much was done. */
  run(tools: ChoreTools, signal: AbortSignal): Promise<number>
}

/** Something that is removed once it is old. `what` and `kept` are a row of the table in docs/operating.md. */
export interface Chore extends Duty {
  what: string
  kept: string
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** Copies are made again when they are wanted; what a stop leaves of a batch the sweep of files finds. */
async function removeOldRenditions({ db, files }: ChoreTools, signal: AbortSignal): Promise<number> {
  let removed = 0
  for (let keys = await forgetOldRenditions(db); keys.length > 0; keys = await forgetOldRenditions(db)) {
    await removeUnnamed({ db, files }, keys)
    removed += keys.length
    if (signal.aborted) break
  }
  return removed
}

/** As those: a cover that is chosen again is drawn again. */
async function removeUnusedCovers({ db, files }: ChoreTools, signal: AbortSignal): Promise<number> {
  let removed = 0
  while (!signal.aborted) {
    const forgotten = await forgetUnusedCovers(db)
    await removeUnnamed({ db, files }, forgotten.keys)
    removed += forgotten.covers
    if (forgotten.covers === 0) break
  }
  return removed
}

/** Fenced as the sweep is: the rows of a database that may be an older state do not say what may go. */
async function emptyOldMedia({ db, files }: ChoreTools, signal: AbortSignal): Promise<number> {
  let emptied = 0
  while (!signal.aborted && (await maySweep({ db, files }))) {
    const { items, keys } = await emptyDeletedMedia(db)
    if (items === 0) break
    // What a stop leaves of a batch the sweep of files finds.
    await removeUnnamed({ db, files }, keys)
    emptied += items
  }
  return emptied
}

async function removeOrphans({ db, files }: ChoreTools, signal: AbortSignal): Promise<number> {
  if (!(await maySweep({ db, files }))) return 0
  return (await sweepOrphans({ db, files }, { signal })) + (await emptyTrash({ files }, { signal }))
}

export const CHORES: readonly Chore[] = [
  {
    name: 'removed',
    what: 'Posts and notes deleted in the dashboard',
    kept: `${days(REMOVED_DAYS)}; until then they can be restored`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => purgeRemoved(db, { signal }),
  },
  {
    name: 'deleted-media',
    what: 'Files of the media library deleted in the dashboard',
    kept: `${days(REMOVED_DAYS)}; until then they can be restored. Files that a post uses stay`,
    everyMs: DAY_MS,
    may: maySweep,
    run: emptyOldMedia,
  },
  {
    name: 'kept-drafts',
    what: 'Text that a member typed and did not save',
    kept: `${days(KEPT.keptDraftDays)} after it was last changed or opened, at most as long as the member, the social set and the post set`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'kept_drafts', { signal }),
  },
  {
    name: 'kept-calendar-feeds',
    what: 'Cached calendars of calendar addresses; they are written again on request',
    kept: `${days(KEPT.keptFeedDays)} after they were last requested, at most as long as the address`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'kept_calendar_feeds', { signal }),
  },
  {
    name: 'history',
    what: 'History of a post set',
    kept: `as long as the post set, and ${days(KEPT.historyDays)} more; [long texts](#texts-in-the-history) may be joined`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldHistory(db, { signal }),
  },
  {
    name: 'labels',
    what: 'Deleted labels that are still on post sets because the deletion was interrupted',
    kept: 'until the next day',
    everyMs: DAY_MS,
    run: ({ db }, signal) => finishRemovedLabels(db, null, { signal }),
  },
  {
    name: 'handles',
    what: 'Ids and addresses that a network gave while a post was being sent',
    kept: 'until the post is done',
    everyMs: DAY_MS,
    run: ({ db }, signal) => clearOldHandles(db, { signal }),
  },
  {
    name: 'call-marks',
    what: 'The end times of calls to networks whose outcome was not known at once',
    kept: 'until the post is done, and up to an hour more',
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'call_marks', { signal }),
  },
  {
    name: 'uploads',
    what: 'Finished imports, with the addresses they came from; the file itself stays in the library',
    kept: `${days(KEPT.uploadDays)} after the end`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'media_uploads', { signal }),
  },
  {
    name: 'import-queries',
    what: 'Query and fragment of the addresses that files were imported from',
    kept: 'until the import ends',
    everyMs: DAY_MS,
    run: ({ db }, signal) => cutImportQueries(db, { signal }),
  },
  {
    name: 'renditions',
    what: 'Copies of files for networks; they are created again when needed',
    kept: `${days(KEPT.renditionDays)}, and ${days(KEPT.fetchDays)} after the last post with them`,
    everyMs: DAY_MS,
    run: removeOldRenditions,
  },
  {
    name: 'covers',
    what: 'Video frames that posts use as their covers',
    kept: 'as long as a post uses it, and an hour more',
    everyMs: HOUR_MS,
    run: removeUnusedCovers,
  },
  {
    name: 'orphaned-files',
    what: 'Files that belong to nothing, such as those of an import that was killed',
    kept: `1 day, and ${days(TRASH_DAYS)} more in \`media/trash\``,
    everyMs: DAY_MS,
    may: maySweep,
    run: removeOrphans,
  },
  {
    name: 'expired-uploads',
    what: 'Uploads that receive no more bytes',
    kept: `${LIMITS.uploadHours} hours after the last byte`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => failExpiredUploads(db, { signal }),
  },
  {
    name: 'data-folders',
    what: 'Records of data folders that no process uses any more, to detect copies of them',
    kept: `${days(KEPT.folderDays)} after they were last seen, longer if Almanac was stopped for much of that time`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'data_folders', { signal }),
  },
  {
    name: 'arriving-files',
    what: 'The bytes of uploads that have ended',
    kept: '1 hour',
    everyMs: HOUR_MS,
    may: maySweep,
    run: ({ db, files }, signal) => sweepArriving({ db, files }, { signal }),
  },
  {
    name: 'closed-secrets',
    what: 'Tokens of network accounts that are no longer connected anywhere',
    kept: `${days(KEPT.secretDays)} after the last connection was closed`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => clearClosedSecrets(db, { signal }),
  },
  {
    name: 'authorizations',
    what: 'Sign-ins that were begun on the pages of networks',
    kept: `${days(KEPT.authorizationDays)} after they expired`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'authorizations', { signal }),
  },
  {
    name: 'sessions',
    what: 'Sessions of people, and sign-ins that wait for a two-factor code',
    kept: 'until they end',
    everyMs: HOUR_MS,
    run: async ({ db }, signal) =>
      (await removeOldRows(db, 'sessions', { signal })) + (await removeOldRows(db, 'verifications', { signal })),
  },
  {
    name: 'user-links',
    what: 'Links to reset passwords and to confirm email addresses',
    kept: 'until they end',
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'user_links', { signal }),
  },
  {
    name: 'email-changes',
    what: 'New email addresses that wait for an owner to confirm them',
    kept: days(LIMITS.emailChangeDays),
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'email_changes', { signal }),
  },
  {
    name: 'invitations',
    what: 'Invitations that were accepted or revoked, or have expired',
    kept: `${days(KEPT.invitationDays)} after that`,
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'invitations', { signal }),
  },
  {
    name: 'shared-calendars',
    what: 'Visits of guests; guests who never looked; closed shared calendars, with who looked. What guests wrote stays',
    kept: `${days(LIMITS.guestVisits.visitDays)} after the last visit; ${days(SHARED_KEPT.silentGuestDays)}; ${days(SHARED_KEPT.closedCalendarDays)} after that`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldVisits(db, { signal }),
  },
  {
    name: 'attempts',
    what: 'Counts of wrong passwords and codes',
    kept: days(KEPT.attemptDays),
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'attempts', { signal }),
  },
  {
    name: 'answers',
    what: 'Answers to requests with an `Idempotency-Key`',
    kept: `${ANSWER_HOURS} hours`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeExpiredAnswers(db, { signal }),
  },
  {
    name: 'alerts',
    what: 'Notifications of the bell, and alerts',
    kept: `${days(NEWS_DAYS)}; the outcome of sending them ${days(SEND_DAYS)}`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => purgeNews(db, { signal }),
  },
  {
    name: 'events',
    what: 'Events, for programs that follow them',
    kept: days(LIMITS.events.keptDays),
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'events', { signal }),
  },
  {
    name: 'webhook-sends',
    what: 'Deliveries to webhooks, each attempt with the beginning of its answer, and what waits to be sent',
    kept: days(LIMITS.events.keptDays),
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'webhook_sends', { signal }),
  },
  {
    name: 'webhooks',
    what: 'Closed webhooks, with what was kept for them',
    kept: `${days(LIMITS.webhooks.keptDays)} after they were closed`,
    everyMs: HOUR_MS,
    run: ({ db }, signal) => removeOldRows(db, 'webhooks', { signal }),
  },
  {
    name: 'watched',
    what: 'The social sets that open dashboard windows follow',
    kept: '1 day after the window was closed',
    everyMs: DAY_MS,
    run: ({ db }, signal) => removeOldRows(db, 'watched_social_sets', { signal }),
  },
]

/** What is done in time, beside what is removed. */
export const DUTIES: readonly Duty[] = [
  {
    name: 'review-reminders',
    everyMs: 30_000,
    done: 'Reminders of reviews were given',
    run: ({ db }, signal) => giveReminders(db, { signal }),
  },
  {
    name: 'webhooks-of-ended-keys',
    everyMs: 60_000,
    done: 'Webhooks of keys that have ended were closed',
    run: ({ db }, signal) => closeWebhooksOfEndedKeys(db, { signal }),
  },
  {
    name: JOINING,
    everyMs: 300_000,
    done: 'Texts of history were joined',
    run: ({ db }, signal) => joinHistory(db, { signal }),
  },
  {
    name: COMPOSING,
    everyMs: DAY_MS,
    done: 'Search texts were composed',
    run: ({ db }, signal) => composeSearchTexts(db, { signal }),
  },
  {
    name: 'media-search-texts',
    everyMs: DAY_MS,
    done: 'Search texts of files were written',
    run: ({ db }, signal) => writeMediaSearchTexts(db, { signal }),
  },
]
