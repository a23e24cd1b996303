import { isId } from '#domain'
import { closeConnection as close, type Database } from '#persistence'
import { Refusal } from '../refusal.ts'

/**
 * Closes a connection. It is kept, because results and history name it; scheduled posts of its account type stay and
 * fail their check until another account is connected.
 *
 * @throws Refusal
 */
export async function closeConnection(deps: { db: Database }, id: string): Promise<void> {
  if (isId(id) && (await close(deps.db, id))) return
  throw new Refusal(`There is no open connection ${id}.`)
}
