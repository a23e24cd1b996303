import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import { type Call, deletePost, visibly } from '../kit/simulator.ts'
import { isBoardId } from './fields.ts'
import { limits, SANDBOX_BOARD } from './manifest.ts'
import type { Grant } from './simulator-accounts.ts'
import { faultAnswers, invalid, ok, refuse, refuseOthers } from './simulator-answers.ts'
import { takeSource } from './simulator-source.ts'

const COLLECTION = 'pins'
/** Until a new pin stands on its board. */
const LISTING_DELAY_MS = 30_000
/** Five images of 20 MB in base64. */
const MAX_PIN_BYTES = 140_000_000

/** Every pretend account has the same boards, each of its own. */
const BOARDS = [
  { id: SANDBOX_BOARD, name: 'Fresh bread', privacy: 'PUBLIC', is_ads_only: false },
  { id: '549755885175000002', name: 'Pastries', privacy: 'PUBLIC', is_ads_only: false },
]

interface SimulatedPin {
  id: string
  accountId: string
  boardId: string
  title: string | null
  description: string | null
  link: string | null
  altText: string | null
  at: string
}
type Params = Readonly<Record<string, unknown>>

/** `POST /v5/pins`, the visible call: faults that the description asks for strike here. */
export async function answerPin(call: Call<Grant>): Promise<null> {
  const pin = record(await readJson(call.request, MAX_PIN_BYTES)) ?? invalid('the body is not a JSON object')
  const { title, description, board_id: board } = pin
  return visibly(call, {
    key: [call.by.account.id, board, title, description],
    text: description,
    answers: faultAnswers,
    accept: () => createPin(call, pin),
  })
}

/** Makes the pin. The same body once more makes another one. @throws SimulatedRefusal */
async function createPin({ deps, by: { account } }: Call<Grant>, params: Params): Promise<SimulatedAnswer> {
  refuseOthers(params, ['board_id', 'title', 'description', 'link', 'alt_text', 'media_source'], 'pin')
  const title = textOf(params, 'title', limits.titleLength.value)
  const description = textOf(params, 'description', limits.descriptionLength.value)
  const altText = textOf(params, 'alt_text', limits.altTextLength.value)
  const link = textOf(params, 'link', limits.linkLength.value)
  const boardId = params.board_id
  if (typeof boardId !== 'string' || !isBoardId(boardId)) invalid(`board_id '${boardId}' does not match '^\\d+$'`)
  if (!BOARDS.some((board) => board.id === boardId)) return refuse(404, 40, 'Board not found.')
  if (link !== null && (!/^https?:\/\//.test(link) || !URL.canParse(link))) {
    refuse(400, 1, 'Whoops! It looks like you entered an invalid URL. Try creating a Pin again with a valid URL.')
  }
  const { kind, files, items } = await takeSource(deps, account, params.media_source)
  const id = `81${String(randomInt(10 ** 14)).padStart(16, '0')}`
  const at = deps.now().toISOString()
  const pin: SimulatedPin = { id, accountId: account.id, boardId, title, description, link, altText, at }
  deps.store.put(COLLECTION, id, pin)
  deps.store.addPost({
    id,
    accountId: account.ledgerId,
    text: description ?? '',
    permalink: `${deps.url}/p/${id}`,
    createdAt: at,
    media: files.map((file) => ({ ...file, ...(altText === null ? {} : { alt: altText }) })),
    details: { board: boardId, title, link, media: kind, ...(items ? { items } : {}) },
  })
  return ok(described(pin), 201)
}

/** Texts are kept without the space around them. */
function textOf(params: Params, name: string, limit: number): string | null {
  const text = params[name] ?? null
  if (text === null) return null
  if (typeof text !== 'string') return invalid(`'${name}' is not a string`)
  if (text.length > limit) return invalid(`'${name}' is too long, constraint: maxLength=${limit}`)
  return text.trim()
}

const described = ({ id, at, title, description, link, altText, boardId }: SimulatedPin) => ({
  id,
  // Without milliseconds, and with an offset of its own kind.
  created_at: at.replace(/\.\d+Z$/, '-00:00'),
  title,
  description,
  link,
  alt_text: altText,
  board_id: boardId,
})

/** `DELETE /v5/pins/{pin_id}` */
export function removePin({ deps, by, at: { id = '' } }: Call<Grant>): SimulatedAnswer {
  const pin = deps.store.get<SimulatedPin>(COLLECTION, id)
  if (pin?.accountId !== by.account.id) return refuse(404, 50, 'Pin not found.')
  deletePost(deps, COLLECTION, id)
  return { status: 204, body: '' }
}

/** `GET /v5/boards` */
export const listBoards = ({ query }: Call<Grant>): SimulatedAnswer => ok(pageOf(BOARDS, query))

/** `GET /v5/boards/{board_id}/pins`: newest first, and the newest of all only after a while. */
export function listPins({ deps, by: { account }, at: { id }, query }: Call<Grant>): SimulatedAnswer {
  if (!BOARDS.some((board) => board.id === id)) return refuse(404, 404, 'Board not found.')
  const before = new Date(deps.now().getTime() - LISTING_DELAY_MS).toISOString()
  const pins = deps.store
    .list<SimulatedPin>(COLLECTION)
    .filter((pin) => pin.accountId === account.id && pin.boardId === id && pin.at <= before)
    .reverse()
  return ok(pageOf(pins.map(described), query))
}

/** A page of a listing, from the bookmark on. */
function pageOf<T extends { id: string }>(all: readonly T[], query: URLSearchParams) {
  const size = query.get('page_size') ?? '25'
  if (!/^\d+$/.test(size)) invalid(`Parameter 'page_size' was not numeric (was ${size})`)
  if (Number(size) < 1 || Number(size) > 250) invalid('page_size must be from 1 to 250')
  const bookmark = query.get('bookmark')
  const start = bookmark === null ? 0 : all.findIndex((item) => bookmarkOf(item) === bookmark) + 1
  if (bookmark !== null && start === 0) invalid('bookmark')
  const items = all.slice(start, start + Number(size))
  const last = items.at(-1)
  return { items, bookmark: last && last !== all.at(-1) ? bookmarkOf(last) : null }
}

const bookmarkOf = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')
