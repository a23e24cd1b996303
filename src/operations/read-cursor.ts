import type { QueryReader } from '#contract'
import { isId } from '#domain'

/** Where a page of a list ended that is in the order of a time and an id; null for the first page. */
export function readCursor(reader: QueryReader): { at: Date; id: string } | null {
  const cursor = reader.text('cursor')
  if (cursor === null) return null
  const [time = '', id = ''] = cursor.split('_')
  const at = new Date(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(time) ? time : Number.NaN)
  if (!Number.isNaN(at.getTime()) && isId(id)) return { at, id }
  reader.problem('cursor', 'must be the next of a page before')
  return null
}
