import type { CalendarCard, CardState, Session } from '#contract'
import * as LIMITS from '#contract/limits'
import { has } from '../design/searched.ts'
import { CARD_STATES, networksOf } from '../planning/posts/card-words.ts'
import { awaitsReview } from '../planning/posts/subject.ts'
import type { CalendarPlace } from './calendar-place.ts'

/** What the calendar is narrowed to. Empty lists narrow nothing; a card matches when it has one of each list. */
export interface CalendarFilters {
  /** Account types. */
  networks: string[]
  states: CardState[]
  /** Only what waits for the person who looks. */
  needsMe: boolean
  labelIds: string[]
  /** Ids of `GET /calendar/authors`. */
  authorIds: string[]
  text: string
}

/** What a part of the screen that filters gets. */
export interface FilterProps {
  socialSet: CalendarPlace
  filters: CalendarFilters
  onChange: (filters: CalendarFilters) => void
}

export const NO_FILTERS: CalendarFilters = {
  networks: [],
  states: [],
  needsMe: false,
  labelIds: [],
  authorIds: [],
  text: '',
}

/** The part of an address that says what is filtered. */
export interface FilterSearch {
  net?: string
  status?: string
  label?: string
  author?: string
  q?: string
}

const NEEDS_ME = 'needs-me'
const MAX_TEXT = 200

/** Reads an address; what no filter knows is dropped. */
export function readFilters({ net, status, label, author, q }: FilterSearch): CalendarFilters {
  const states = listOf(status)
  return {
    networks: listOf(net),
    states: CARD_STATES.filter((state) => states.includes(state)),
    needsMe: states.includes(NEEDS_ME),
    labelIds: listOf(label),
    authorIds: listOf(author),
    text: (q ?? '').trim().slice(0, MAX_TEXT),
  }
}

/** The opposite; undefined takes a parameter out of the address. */
export function writeFilters(filters: CalendarFilters): { [name in keyof FilterSearch]-?: string | undefined } {
  return {
    net: textOf(filters.networks),
    status: textOf([...filters.states, ...(filters.needsMe ? [NEEDS_ME] : [])]),
    label: textOf(filters.labelIds),
    author: textOf(filters.authorIds),
    q: filters.text.trim() || undefined,
  }
}

/** How many things are filtered by: the number on the button. */
export function countFilters({ networks, states, needsMe, labelIds, authorIds, text }: CalendarFilters): number {
  return networks.length + states.length + labelIds.length + authorIds.length + (needsMe ? 1 : 0) + (text ? 1 : 0)
}

function listOf(text: string | undefined): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== ''))].slice(0, 50)
}

function textOf(list: readonly string[]): string | undefined {
  return list.length === 0 ? undefined : list.join(',')
}

/** What the server filters by: who made a set is in no card, and a card has only the beginning of the text. */
export function serverFilters({ authorIds, text }: CalendarFilters): { authorIds: string[]; search: string | null } {
  return { authorIds, search: [...text].length >= LIMITS.searchCodePoints ? text : null }
}

/** Whether a card passes what the server did not filter by. */
export function matches(card: CalendarCard, filters: CalendarFilters, viewer: Pick<Session, 'rights'>): boolean {
  const { networks, labelIds, text } = filters
  if (networks.length > 0 && !networksOf(card).some((network) => networks.includes(network))) return false
  if (labelIds.length > 0 && !labelIds.some((id) => card.labelsId.includes(id))) return false
  if (!isIn(card, filters, viewer)) return false
  if (text !== '' && [...text].length < LIMITS.searchCodePoints) return has(card.excerpt, text)
  return true
}

/** What a card says about how far its post is, and of cards that are counted by it. */
type Progress = Pick<CalendarCard, 'state' | 'status' | 'approval' | 'mine'>

/** Whether a post is as far as the filters ask for. */
export function isIn(
  card: Progress,
  { states, needsMe }: Pick<CalendarFilters, 'states' | 'needsMe'>,
  viewer: Pick<Session, 'rights'>,
): boolean {
  return (states.length === 0 || states.includes(card.state)) && (!needsMe || waitsFor(card, viewer))
}

/** What a member has to do something about: reviewers approve, authors change what they are asked to and what failed. */
function waitsFor(card: Progress, { rights }: Pick<Session, 'rights'>): boolean {
  if (awaitsReview(card) && rights.includes('post-sets:review')) return true
  return (
    card.mine && (card.state === 'changes-requested' || card.state === 'failed' || card.state === 'partly-published')
  )
}
