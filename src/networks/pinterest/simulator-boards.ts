import type { SimulatedAnswer } from '../kit/faults.ts'
import type { Call } from '../kit/simulator.ts'
import { SANDBOX_BOARD } from './manifest.ts'
import { type Grant, hasScope, type SimulatedAccount } from './simulator-accounts.ts'
import { invalid, ok } from './simulator-answers.ts'

/** Every pretend account has the same boards, each of its own. */
const BOARDS = [
  { id: SANDBOX_BOARD, name: 'Fresh bread', privacy: 'PUBLIC' },
  { id: '549755885175000002', name: 'Pastries', privacy: 'PUBLIC' },
  { id: '549755885175000003', name: 'Ideas for later', privacy: 'SECRET' },
] as const

type Board = (typeof BOARDS)[number]

/** The board of an account that the scope lets see. Null when there is none. */
export function boardFor(id: string, scope: string): Board | null {
  return visible(scope).find((board) => board.id === id) ?? null
}

const visible = (scope: string): Board[] =>
  BOARDS.filter(({ privacy }) => privacy === 'PUBLIC' || hasScope(scope, 'boards:read_secret'))

/** `GET /v5/boards` */
export function listBoards({ by: { account, scope }, query }: Call<Grant>): SimulatedAnswer {
  const privacy = query.get('privacy') ?? 'ALL'
  if (!['ALL', 'PUBLIC', 'PROTECTED', 'SECRET', 'PUBLIC_AND_SECRET'].includes(privacy)) invalid('privacy')
  const boards = visible(scope).filter((board) => privacy === 'ALL' || privacy.split('_AND_').includes(board.privacy))
  return ok(pageOf(boards, query, (board) => shown(board, account)))
}

function shown({ id, name, privacy }: Board, { username }: SimulatedAccount) {
  return {
    id,
    name,
    description: null,
    privacy,
    owner: { username },
    created_at: '2026-01-01T08:00:00-00:00',
    board_pins_modified_at: '2026-01-01T08:00:00-00:00',
    pin_count: 0,
    follower_count: 0,
    collaborator_count: 0,
    is_ads_only: false,
    media: { image_cover_url: null, pin_thumbnail_urls: [] },
  }
}

/** A page of a listing, from the bookmark on. */
export function pageOf<T extends { id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  show: (item: T) => unknown,
) {
  const size = query.get('page_size') ?? '25'
  if (!/^\d+$/.test(size)) invalid(`Parameter 'page_size' was not numeric (was ${size})`)
  if (Number(size) < 1 || Number(size) > 250) invalid('page_size must be from 1 to 250')
  const bookmark = query.get('bookmark')
  const start = bookmark === null ? 0 : all.findIndex((item) => bookmarkOf(item) === bookmark) + 1
  if (bookmark !== null && start === 0) invalid('bookmark')
  const items = all.slice(start, start + Number(size))
  const last = items.at(-1)
  const more = last && start + items.length < all.length
  return { items: items.map(show), bookmark: more ? bookmarkOf(last) : null }
}

const bookmarkOf = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')
