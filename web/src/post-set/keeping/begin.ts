import type { PostSet, SocialSet } from '#contract'
import type { Draft } from '../draft-shape.ts'
import { type Owner, readCopies } from './copies.ts'
import { type Keeping, opened, type Row } from './keeping.ts'

interface Subject {
  id: string
  socialSet: SocialSet
  before: PostSet | null
  initial: Draft
  row: Row | null | 'saved' | 'unreachable'
  /** It began in this page. */
  isBegun: boolean
}

/** What a composer begins with: what the server and this browser have of its text, or nothing. */
export function begin(owner: Owner, { id, before, initial, row, isBegun }: Subject): Keeping {
  const copy = readCopies(owner).find((each) => each.id === id) ?? null
  const isNew = before === null
  // A new post is not put back to a time that has passed: it would go out at once.
  const inTime = <T extends { draft: Draft }>(kept: T): T =>
    isNew && Date.parse(kept.draft.at) < Date.now() ? { ...kept, draft: { ...kept.draft, at: initial.at } } : kept
  return opened({
    id,
    postSetId: before?.id ?? null,
    version: before?.version ?? null,
    initial,
    copy: copy && inTime(copy),
    row: row !== null && typeof row !== 'string' ? inTime(row) : row,
    newId: isBegun ? id : crypto.randomUUID(),
  })
}
