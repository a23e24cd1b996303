// Carrying out a change: shown at once, sent with the version that it is of, taken back when the server refuses.
import type { Calendar, CalendarCard } from '#contract'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { type PendingChange, showPending } from './pending.ts'
import type { Version } from './requests.ts'
import type { PostSetSubject } from './subject.ts'

/** The newest version that an own change led to: what is read may be older for a moment. */
const reached = new Map<string, number>()
/** The last change of a set that is on its way; the next one waits for it. */
const queues = new Map<string, Promise<unknown>>()

/** The version that a change of a set has to be of. */
export function versionOf({ id, version }: Pick<PostSetSubject, 'id' | 'version'>): Version {
  return { id, version: Math.max(version, reached.get(id) ?? 0) }
}

export interface ChangeOptions<Done> {
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
  const before = Promise.allSettled(subjects.flatMap(({ id }) => queues.get(id) ?? []))
  const sending = before.then(() => send(subjects.map(versionOf)))
  for (const { id } of subjects) queues.set(id, sending)
  try {
    const done = await sending
    const versions = new Map(versionsOf(done).map(({ id, version }) => [id, version]))
    for (const [id, version] of versions) reached.set(id, version)
    keep(changes.filter(({ subject }) => versions.has(subject.id)))
    return done
  } finally {
    for (const { id } of subjects) if (queues.get(id) === sending) queues.delete(id)
    for (const stop of hide) stop()
    refresh(subjects)
  }
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

/** Reads again what shows the sets. */
export function refresh(subjects: readonly Pick<PostSetSubject, 'id'>[]): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.calendar.all })
  for (const { id } of subjects) void queryClient.invalidateQueries({ queryKey: queryKeys.postSets.one(id) })
}
