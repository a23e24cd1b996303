import type { NoteAgent } from '#contract'
import { agentOfNote, type Database } from '#persistence'
import type { Caller } from '../caller.ts'
import { getNote } from './get.ts'

/**
 * The key with which an agent created a note.
 *
 * @throws ProblemError `note:not_found`
 */
export async function readNoteAgent({ db }: { db: Database }, caller: Caller, id: string): Promise<NoteAgent> {
  const note = await getNote({ db }, caller, id)
  return { agent: await agentOfNote(db, caller, note.id) }
}
