import { type Draft, isBlank } from '../draft-shape.ts'

/** What the server has of a text, as it was read. */
export interface Row {
  draft: Draft
  /** Of the post that it was written over; null of a new one. */
  version: number | null
  sequence: number
}

/** What this browser has of a text. */
export interface Copy {
  id: string
  draft: Draft
  version: number | null
  sequence: number
  seen: number
  /** What was sent and may have arrived. */
  own: readonly number[]
  /** The server has it. */
  isStored: boolean
}

/** A text that another page, or this browser before, has written: it waits to be chosen. */
interface Offer {
  draft: Draft
  /** Of the row that it is in; null of a copy in this browser. */
  sequence: number | null
}

/** A text that is being written. README.md has its states. */
export interface Keeping {
  id: string
  /** Null: a new post. */
  postSetId: string | null
  version: number | null
  initial: Draft
  draft: Draft
  phase: 'open' | 'asked' | 'discarded' | 'saved' | 'over'
  offer: Offer | null
  /** The row has to be read: what another page wrote is not known yet. */
  reads: boolean
  /** Of what is on the screen: grows with each change. */
  sequence: number
  /** The newest of the row that this page has seen; 0 of none. */
  seen: number
  /** Of what the server has of this page; null of nothing. */
  stored: number | null
  /** Of what is on its way to the server. */
  sending: number | null
  own: readonly number[]
  /** There is a row, as far as is known. */
  hasRow: boolean
  /** What was discarded before is known: the person goes on all the same, or there was no row to begin with. */
  insists: boolean
  /**
   * Why it is in this browser alone: the server is to be asked `again`, is being asked again (`trying`), or takes no such text
   * (`never`).
   */
  trouble: 'none' | 'again' | 'trying' | 'never'
  /** This browser keeps copies: the last one was written. */
  copied: boolean
  /** When the server stored it last. ISO 8601. */
  storedAt: string | null
  /** It has come back: the person did not write it in this composer. */
  restored: boolean
  /** How it was to be saved last. */
  ending: string | null
}

/** What the server said to a text that was sent. */
export interface Stored {
  stored: boolean
  sequence: number
  updatedAt: string
  ended: 'discarded' | 'saved' | null
}

/** What was found where the row is looked for. */
export type Found = Row | 'discarded' | 'saved'

/** `stamp`: of this moment, unlike that of any other page. */
export type KeepingEvent =
  | { type: 'typed' | 'brought back'; draft: Draft; stamp: number }
  | { type: 'copied'; works: boolean }
  | { type: 'sent'; sequence: number }
  | { type: 'stored'; answer: Stored }
  | { type: 'removed' }
  | { type: 'changed elsewhere' }
  | { type: 'failed'; again: boolean }
  | { type: 'reachable' }
  | { type: 'read'; found: Found }
  | { type: 'took other'; stamp: number }
  | { type: 'kept this'; stamp: number }
  | { type: 'went on'; id: string; stamp: number }
  | { type: 'discarded'; stamp: number }
  | { type: 'saving'; ending: string; stamp: number }
  | { type: 'was saved' }
  | { type: 'saved' }

/** Sent texts that are remembered: more are never on their way. */
const MAX_OWN = 8

const same = (one: Draft, other: Draft) => JSON.stringify(one) === JSON.stringify(other)

/** Neither words nor files: accounts that are ticked and a time alone are no text of anybody. */
const saysNothing = ({ caption, media, posts }: Draft) =>
  [{ caption, media }, ...posts, ...posts.flatMap(({ thread }) => thread)].every(isBlank)

/** Something is written that is not in the post. */
export const isChanged = ({ draft, initial, version }: Keeping) =>
  !same(draft, initial) && !(version === null && saysNothing(draft) && saysNothing(initial))

/** The server has what is on the screen. */
const isClean = (now: Keeping) => !isChanged(now) || now.stored === now.sequence

interface Beginning {
  id: string
  postSetId: string | null
  version: number | null
  initial: Draft
  copy: Copy | null
  /** Null: there is none. `saved`: it has become the post set of that id. */
  row: Row | null | 'saved' | 'unreachable'
  /** For a new post whose id may be that of one that was saved or discarded. */
  newId: string
}

/** What a composer begins with. */
export function opened({ copy, row, newId, ...subject }: Beginning): Keeping {
  const blank: Keeping = {
    ...subject,
    draft: subject.initial,
    phase: 'open',
    offer: null,
    reads: false,
    sequence: 0,
    seen: 0,
    stored: null,
    sending: null,
    own: [],
    hasRow: false,
    insists: false,
    trouble: 'none',
    copied: true,
    storedAt: null,
    restored: false,
    ending: null,
  }
  if (row === 'unreachable') return copy ? fromCopy(blank, copy, copy.seen) : blank
  if (row === 'saved') {
    // It may have more than what was saved, or the answer to that was lost.
    if (!copy || copy.isStored) return { ...blank, id: newId, insists: true }
    return { ...fromCopy(blank, copy, copy.seen), phase: 'saved', offer: null, hasRow: false }
  }
  const unsent = copy && !copy.isStored && copy.sequence !== row?.sequence ? copy : null
  if (row) {
    const found = { ...blank, hasRow: true }
    const isNewer = unsent !== null && follows(unsent, row)
    if (row.version !== subject.version) {
      return asked(found, { draft: isNewer ? unsent.draft : row.draft, sequence: row.sequence })
    }
    if (isNewer) return fromCopy(found, unsent, row.sequence)
    const taken = fromRow(found, row)
    return unsent && !same(unsent.draft, row.draft) ? asked(taken, { draft: unsent.draft, sequence: null }) : taken
  }
  // Nothing is left of it. What this browser alone has goes on as the text that it is: another window may have it open.
  const isNew = subject.postSetId === null && unsent === null
  const known = { ...blank, insists: true, ...(isNew ? { id: newId } : {}) }
  return unsent ? fromCopy(known, unsent, 0) : known
}

const follows = (copy: Copy, row: Row) => copy.seen === row.sequence || copy.own.includes(row.sequence)
const asked = (now: Keeping, offer: Offer): Keeping => ({ ...now, phase: 'asked', offer, reads: false })

function fromCopy(blank: Keeping, copy: Copy, seen: number): Keeping {
  const { draft, version, sequence, own, isStored } = copy
  if (version !== blank.version) return asked({ ...blank, seen }, { draft, sequence: null })
  const stored = isStored ? sequence : null
  return { ...blank, draft, sequence, own, seen, stored, hasRow: blank.hasRow || seen > 0, restored: true }
}

function fromRow(now: Keeping, { draft, sequence }: Pick<Row, 'draft' | 'sequence'>): Keeping {
  const at = { sequence, seen: sequence, stored: sequence }
  return { ...now, ...at, draft, phase: 'open', offer: null, reads: false, hasRow: true, restored: true }
}

/** What an event makes of a text. */
export function keep(now: Keeping, event: KeepingEvent): Keeping {
  if (now.phase === 'over') return now
  switch (event.type) {
    case 'brought back':
      return { ...keep(now, { ...event, type: 'typed' }), restored: true }
    case 'typed':
      if (same(now.draft, event.draft)) return now
      return { ...next(now, event.stamp), draft: event.draft, trouble: now.trouble === 'never' ? 'none' : now.trouble }
    case 'copied':
      return now.copied === event.works ? now : { ...now, copied: event.works }
    case 'sent':
      return { ...now, sending: event.sequence, own: [...now.own, event.sequence].slice(-MAX_OWN) }
    case 'stored':
      return answered({ ...now, sending: null, trouble: 'none' }, event.answer)
    case 'removed':
      return { ...now, sending: null, hasRow: false, stored: null, storedAt: null, trouble: 'none' }
    case 'changed elsewhere':
      return { ...now, sending: null, phase: 'asked', offer: null, reads: true, hasRow: true }
    case 'failed':
      return { ...now, sending: null, trouble: event.again ? 'again' : 'never' }
    case 'reachable':
      return now.trouble === 'again' ? { ...now, trouble: 'trying' } : now
    case 'read':
      return found(now, event.found)
    case 'took other': {
      const { offer } = now
      if (!offer) return now
      // Stored once more: it may have been written over another version of the post.
      if (offer.sequence !== null) {
        return next({ ...fromRow(now, { draft: offer.draft, sequence: offer.sequence }), stored: null }, event.stamp)
      }
      return { ...next(now, event.stamp), draft: offer.draft, phase: 'open', offer: null, restored: true }
    }
    case 'kept this':
      if (now.phase === 'discarded') return { ...next(now, event.stamp), phase: 'open', stored: null, insists: true }
      return {
        ...next({ ...now, seen: now.offer?.sequence ?? now.seen }, event.stamp),
        phase: 'open',
        offer: null,
        reads: false,
      }
    case 'went on':
      return {
        ...next({ ...now, seen: 0 }, event.stamp),
        ...{
          id: event.id,
          phase: 'open',
          offer: null,
          reads: false,
          stored: null,
          own: [],
          hasRow: false,
          ending: null,
        },
      }
    case 'discarded':
      return {
        ...next(now, event.stamp),
        draft: now.initial,
        phase: 'open',
        offer: null,
        reads: false,
        restored: false,
      }
    case 'saving': {
      const other = now.ending !== null && now.ending !== event.ending
      return { ...(other ? next(now, event.stamp) : now), ending: event.ending }
    }
    case 'was saved':
      return { ...now, sending: null, phase: 'saved', offer: null, reads: false }
    case 'saved':
      return { ...now, phase: 'over', offer: null, reads: false }
  }
}

const next = (now: Keeping, stamp: number): Keeping => ({
  ...now,
  sequence: Math.max(stamp, now.seen + 1, now.sequence + 1),
})

function answered(now: Keeping, { stored, sequence, updatedAt, ended }: Stored): Keeping {
  if (stored) {
    const at = { seen: sequence, stored: sequence, storedAt: updatedAt }
    return { ...now, ...at, hasRow: true, insists: false, own: [] }
  }
  if (ended === 'discarded' && now.insists) return { ...now, seen: sequence, insists: false }
  if (ended) return { ...now, phase: ended, offer: null, reads: false, hasRow: false, seen: sequence }
  if (now.own.includes(sequence)) return { ...now, seen: sequence }
  return { ...now, phase: 'asked', offer: null, reads: true, hasRow: true }
}

function found(now: Keeping, what: Found): Keeping {
  if (what === 'saved' || what === 'discarded') {
    // Nothing was there before, or it is known.
    if (!now.hasRow || now.phase === 'saved' || now.phase === 'discarded') return { ...now, reads: false }
    return { ...now, phase: what, offer: null, reads: false, hasRow: false }
  }
  if (now.phase === 'asked') {
    // A copy that waits to be chosen is asked about first.
    if (now.offer?.sequence === null) return now
    return asked(now, { draft: what.draft, sequence: what.sequence })
  }
  if (now.phase !== 'open' || now.sending !== null) return now
  if (what.sequence === now.seen || now.own.includes(what.sequence))
    return { ...now, seen: what.sequence, hasRow: true }
  if (what.version !== now.version || !isClean(now)) {
    return asked({ ...now, hasRow: true }, { draft: what.draft, sequence: what.sequence })
  }
  return fromRow(now, what)
}

/** What the server is to be asked for now; null of nothing. */
export function wants(now: Keeping): 'store' | 'remove' | 'read' | null {
  if (now.sending !== null || now.trouble === 'again') return null
  if (now.reads) return 'read'
  if (now.phase !== 'open') return null
  if (isChanged(now)) return now.stored === now.sequence || now.trouble === 'never' ? null : 'store'
  return now.hasRow && now.trouble !== 'never' ? 'remove' : null
}

/** What other windows have done may be read: there is a row, and nothing is on its way to it. */
export const mayLook = ({ phase, hasRow, sending }: Keeping) => hasRow && phase !== 'over' && sending === null

/** Closing would lose it: neither this browser nor the server keeps it. */
export const isUnkept = (now: Keeping) => !now.copied && !isClean(now)

/** What this browser is to have of it; null of nothing. */
export function copyOf(now: Keeping): Copy | null {
  if (now.phase === 'over' || !isChanged(now)) return null
  const { id, draft, version, sequence, seen, own, stored } = now
  return { id, draft, version, sequence, seen, own, isStored: stored === sequence }
}
