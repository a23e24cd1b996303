import type { Note } from '#contract'
import { isId } from '#domain'
import { type Database, findNote } from '#persistence'
import type { Caller } from '../caller.ts'
import { noteAnswer, noteNotFound } from './serialize.ts'

/** @throws ProblemError `note:not_found` */
export async function getNote({ db }: { db: Database }, caller: Caller, id: string): Promise<Note> {
  const row = isId(id) ? await findNote(db, caller, id) : null
  if (!row) throw noteNotFound()
  return noteAnswer(row)
}
