import { newId } from '#domain'
import type { KnownNote, NoteChanges, OtherNote } from '#persistence'
import { noteContent } from './note-content.ts'
import type { WantedNote } from './read-notes.ts'

interface NotesPlan {
  changes: NoteChanges
  /** Wanted notes for which there is no room. */
  leftOut: number
}

/**
 * Compares what a calendar has with what is known of it: a note keeps its id, follows its event's time, and its title as long as
 * no one has changed it; one that was deleted does not come back; what vanished from the calendar goes; what has left the
 * window stays. Of all imported notes of a social set those of the nearest days have room.
 *
 * @param today the days of the window begin at `from`; all as ISO 8601
 * @param others notes of the other calendars in the window
 */
export function planNotes({
  known,
  wanted,
  others,
  most,
  from,
  today,
}: {
  known: readonly KnownNote[]
  wanted: readonly WantedNote[]
  others: readonly OtherNote[]
  most: number
  from: string
  today: string
}): NotesPlan {
  const byKey = new Map(known.map((note) => [note.key, note]))
  const shown = wanted.filter(({ key }) => byKey.get(key)?.content !== null)
  const { kept, evicted } = nearestOf(shown, others, { most, today })
  const added: NoteChanges['added'][number][] = []
  const changed: NoteChanges['changed'][number][] = []
  for (const { key, day, at: time, title } of kept) {
    const note = byKey.get(key)
    const content = noteContent(title)
    const at = new Date(time)
    if (!note) {
      added.push({ key, noteId: newId(), day, at, content })
      continue
    }
    const another = note.content === note.importedContent && content !== note.importedContent ? content : null
    if (another !== null || day !== note.day || time !== note.scheduledAt?.getTime()) {
      changed.push({ key, noteId: note.noteId, day, at, content: another })
    }
  }
  // Of one that was deleted it is known where it would be: as long as its event is in the window, it is not forgotten.
  for (const { key, day, at } of wanted) {
    const note = byKey.get(key)
    if (note?.content === null && note.day !== day) {
      changed.push({ key, noteId: note.noteId, day, at: new Date(at), content: null })
    }
  }
  const stays = new Set(kept.map(({ key }) => key))
  const removed = known.filter((note) => note.content !== null && !stays.has(note.key) && note.day >= from)
  return {
    changes: { added, changed, removed: removed.map(({ noteId }) => noteId), evicted },
    leftOut: shown.length - kept.length,
  }
}

/** Those that have room beside the notes of other calendars, and those of other calendars that have none any more. */
function nearestOf(
  shown: readonly WantedNote[],
  others: readonly OtherNote[],
  { most, today }: { most: number; today: string },
): { kept: readonly WantedNote[]; evicted: OtherNote[] } {
  if (shown.length + others.length <= most) return { kept: shown, evicted: [] }
  const todayAt = Date.parse(today)
  const distance = ({ day }: { day: string }) => Math.abs(Date.parse(day) - todayAt)
  // Of one day the notes that are there come before new ones: two calendars do not take turns.
  const all = [
    ...others.map((other) => ({ other, wanted: null, far: distance(other) })),
    ...shown.map((note) => ({ other: null, wanted: note, far: distance(note) })),
  ].sort((a, b) => a.far - b.far)
  return {
    kept: all.slice(0, most).flatMap(({ wanted }) => wanted ?? []),
    evicted: all.slice(most).flatMap(({ other }) => other ?? []),
  }
}
