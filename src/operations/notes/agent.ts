import type { NoteAgent } from '#contract'
import { agentOfNote, type Database } from '#persistence'
import type { Caller } from '../caller.ts'
import { getNote } from './get.ts'

/**
 * By which key an agent made a note.
 *
 * @throws ProblemError `note:not_found`
 */
export async function readNoteAgent({ db }: { db: Database }, caller: Caller, id: string): Promise<NoteAgent> {
  const note = await getNote({ db }, caller, id)
  return { agent: await agentOfNote(db, caller, note.id) }
}
