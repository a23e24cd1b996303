import { record } from '../kit/read-json.ts'
import type { Defaults } from '../network.ts'

/** The fields of a PINTEREST post whose shape is checked, trimmed. Empty texts are as good as none. */
export const fieldsOf = (fields: Readonly<Record<string, unknown>>) => ({
  title: text(fields.title),
  /** Where the pin leads; empty for nowhere. */
  website: text(fields.website),
})

/** The board of a post: its own, else that of the connection; null without one. */
export const boardOf = (fields: Readonly<Record<string, unknown>>, defaults: Defaults): string | null =>
  text(record(fields.board)?.id) || text(defaults.boardId) || null

/** Boards are known by numbers too large for JSON's. */
export const isBoardId = (id: string): boolean => /^\d{1,40}$/.test(id)

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
