// Carrying out a change: shown at once, sent with the version that it is of, taken back when the server refuses.
import { t } from '@lingui/core/macro'
import type { BulkAction, Calendar, CalendarCard } from '#contract'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { wordsOfWhy } from '../language/server-words.ts'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import { type PendingChange, showPending } from './pending.ts'
import { doInBulk, readPostSetsAgain, removeSeries, type Version } from './requests.ts'
import { stayedSentence } from './words.ts'

/** The newest version that an own change led to: what is read may be older for a moment. */
const reached = new Map<string, number>()
/** The last change of a set that is on its way; the next one waits for it. */
const queues = new Map<string, Promise<unknown>>()

/** The version that a change of a set has to be of. */
export function versionOf({ id, version }: Pick<PostSetSubject, 'id' | 'version'>): Version {
  return { id, version: Math.max(version, reached.get(id) ?? 0) }
}

interface ChangeOptions<Done> {
  subjects: readonly PostSetSubject[]
  /** What each is about to be. */
  shown: (subject: PostSetSubject) => PendingChange
  /** Sends it, with the versions to change. */
  send: (versions: Version[]) => Promise<Done>
  /** The versions that it led to. */
  versionsOf: (done: Done) => readonly Version[]
}

/**
 * Shows a change and sends it. Several changes of one set go one after the other. Throws what the server refuses with;
 * everything is then shown as the server has it.
 */
export async function change<Done>({ subjects, shown, send, versionsOf }: ChangeOptions<Done>): Promise<Done> {
  const changes = subjects.map((subject) => ({ subject, change: shown(subject) }))
  const hide = changes.map(({ subject, change }) => showPending(subject.id, change))
  try {
    const done = await sendInTurn({ sets: subjects, send: () => send(subjects.map(versionOf)), versionsOf })
    const ids = new Set(versionsOf(done).map(({ id }) => id))
    keep(changes.filter(({ subject }) => ids.has(subject.id)))
    return done
  } finally {
    for (const stop of hide) stop()
    void readPostSetsAgain()
  }
}

/** Sends something when what is on its way for the same sets is over, and remembers the versions that it led to. */
export async function sendInTurn<Done>({ sets, send, versionsOf }: SendOptions<Done>): Promise<Done> {
  const before = Promise.allSettled(sets.flatMap(({ id }) => queues.get(id) ?? []))
  const sending = before.then(send).then((done) => {
    for (const { id, version } of versionsOf(done)) reached.set(id, version)
    return done
  })
  for (const { id } of sets) queues.set(id, sending)
  try {
    return await sending
  } finally {
    for (const { id } of sets) if (queues.get(id) === sending) queues.delete(id)
  }
}

/**
 * Takes back what led to these versions, and reads everything again. What was made goes as own changes have left it since. Answers what the person should know of it, such as
 * that a set came back as a draft, or that some could not be taken back; undefined for nothing. Throws what the server
 * refuses with when it refuses all.
 */
export async function revert(versions: readonly Version[], action: BulkAction): Promise<string | undefined> {
  try {
    const { done, refused } = await sendInTurn({
      sets: versions,
      send: () => doInBulk('undo' in action ? versions : versions.map(versionOf), action),
      versionsOf: (answer) => answer.done,
    })
    const reported = [
      ...refused.map(({ message }) => message),
      ...done.flatMap(({ message }) => (message ? wordsOfWhy(message) : [])),
    ]
    const [first] = reported
    if (first === undefined || versions.length === 1) return first
    return t`${reported.length} of ${versions.length} posts could not be restored exactly. ${first}`
  } finally {
    void readPostSetsAgain()
  }
}

/** The same of a series that was just made, of which this is the first set. */
export async function revertSeries(first: Version): Promise<string | undefined> {
  try {
    const { left } = await sendInTurn({
      sets: [first],
      send: () => removeSeries(versionOf(first), 'all', false),
      versionsOf: ({ removed }) => removed,
    })
    return stayedSentence(left.length)
  } finally {
    void readPostSetsAgain()
  }
}

interface SendOptions<Done> {
  sets: readonly { id: string }[]
  send: () => Promise<Done>
  versionsOf: (done: Done) => readonly Version[]
}

/** Writes what is done into what was read, so that it stays until it is read again. */
function keep(changes: readonly { subject: PostSetSubject; change: PendingChange }[]): void {
  const byId = new Map(changes.map(({ subject, change }) => [subject.id, change]))
  queryClient.setQueriesData<Calendar>({ queryKey: queryKeys.calendar.all, predicate: isCalendar }, (calendar) => {
    if (!calendar?.cards.some(({ id }) => byId.has(id))) return calendar
    return { ...calendar, cards: calendar.cards.flatMap((card) => withChange(card, byId.get(card.id))) }
  })
}

function withChange(card: CalendarCard, change: PendingChange | undefined): CalendarCard[] {
  if (!change) return [card]
  const { deleted, ...rest } = change
  return deleted ? [] : [{ ...card, ...rest, version: versionOf(card).version }]
}

const isCalendar = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] === 'list'
