import type { Defaults } from '../network.ts'

/** The fields of a PINTEREST post of the interface, trimmed. Empty texts are as good as none. */
export interface Fields {
  title: string
  /** Where the pin leads; empty for nowhere. */
  website: string
  /** The board that the post itself names. */
  boardId: string | null
}

/** Reads the fields of a post whose shape is checked. */
export function fieldsOf(fields: Readonly<Record<string, unknown>>): Fields {
  const board = fields.board as { id?: unknown } | null | undefined
  const boardId = text(board?.id)
  return { title: text(fields.title), website: text(fields.website), boardId: boardId === '' ? null : boardId }
}

/** The board of a post: its own, else that of the connection; null without one. */
export function boardOf(fields: Readonly<Record<string, unknown>>, defaults: Defaults): string | null {
  return fieldsOf(fields).boardId ?? (text(defaults.boardId) || null)
}

/** Boards are known by numbers too large for JSON's. */
export const isBoardId = (id: string): boolean => /^\d{1,40}$/.test(id)

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
