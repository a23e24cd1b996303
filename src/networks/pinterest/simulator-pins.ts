import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost, visibly } from '../kit/simulator.ts'
import { isBoardId } from './fields.ts'
import { limits, SANDBOX_BOARD } from './manifest.ts'
import type { Grant, SimulatedAccount } from './simulator-accounts.ts'
import { faultAnswers, invalid, ok, refuse, refuseOthers } from './simulator-answers.ts'
import { usableVideo } from './simulator-media.ts'

const COLLECTION = 'pins'
/** Until a new pin is on its board. */
const LISTING_DELAY_MS = 30_000
/** Five images of 20 MB in base64. */
const MAX_PIN_BYTES = 140_000_000

/** Every demo account has the same boards, each of its own. */
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
  deps.store.together(() => {
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
  if (!(Number(size) >= 1 && Number(size) <= 250)) invalid('page_size must be from 1 to 250')
  const bookmark = query.get('bookmark')
  const start = bookmark === null ? 0 : all.findIndex((item) => bookmarkOf(item) === bookmark) + 1
  if (bookmark !== null && start === 0) invalid('bookmark')
  const items = all.slice(start, start + Number(size))
  const last = items.at(-1)
  return { items, bookmark: last && last !== all.at(-1) ? bookmarkOf(last) : null }
}

const bookmarkOf = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')

interface StoredFile {
  blobId: string
  mimeType: string
}

/** What a pin shows. */
interface Shown {
  kind: 'image' | 'video' | 'multiple_images'
  files: StoredFile[]
  /** Of a carousel, the words of each item. */
  items?: Params[]
}

const IMAGE = ['content_type', 'data']
const ITEM_WORDS = ['title', 'description', 'link']
const TOO_LARGE = 'The image is too large.'

/** Parameters by kind of source. Others of the contract are refused here: the connector has no use for them. */
const SOURCES = new Map([
  ['image_url', ['url']],
  ['image_base64', IMAGE],
  ['multiple_image_base64', ['items', 'index']],
  ['video_id', ['media_id', 'cover_image_content_type', 'cover_image_data', 'cover_image_key_frame_time']],
])

/** Takes in the `media_source` of a pin; addresses are fetched for real. @throws SimulatedRefusal */
async function takeSource(deps: SimulatorDeps, account: SimulatedAccount, given: unknown): Promise<Shown> {
  const { source_type: type, ...source } = record(given) ?? invalid('media_source is required')
  refuseOthers(source, SOURCES.get(String(type)) ?? invalid('media_source.source_type'), 'media_source')
  if (type === 'multiple_image_base64') return takeCarousel(deps, source)
  if (type === 'video_id') return takeVideo(deps, account, source)
  const taken = type === 'image_url' ? takeImage(deps, await fetched(deps, source.url)) : takeData(deps, source)
  return { kind: 'image', files: [(await taken).file] }
}

async function takeVideo(deps: SimulatorDeps, account: SimulatedAccount, source: Params): Promise<Shown> {
  if (!/^\d+$/.test(String(source.media_id))) invalid("'media_id' must match the pattern: ^\\d+$")
  const video = usableVideo(deps, account, String(source.media_id))
  const { cover_image_content_type: content_type, cover_image_data: data, cover_image_key_frame_time: second } = source
  if (second === undefined) {
    if (!content_type || !data) invalid('one of cover_image_url or cover_image_content_type is required')
    return { kind: 'video', files: [video, (await takeData(deps, { content_type, data })).file] }
  }
  if (!Number.isInteger(second) || Number(second) < 0) invalid('cover_image_key_frame_time')
  return { kind: 'video', files: [video] }
}

async function takeCarousel(deps: SimulatorDeps, { items, index = 0 }: Params): Promise<Shown> {
  if (!Array.isArray(items) || items.length < 2) invalid('media_source.items, constraint: minItems=2')
  if (items.length > limits.carouselMax.value) invalid('media_source.items, constraint: maxItems=5')
  if (!Number.isInteger(index)) invalid('media_source.index')
  const files: StoredFile[] = []
  const sizes = new Set<string>()
  const given = items.map((item) => record(item) ?? invalid('media_source.items'))
  for (const item of given) {
    refuseOthers(item, [...IMAGE, ...ITEM_WORDS], 'media_source.items')
    const { file, size } = await takeData(deps, item)
    sizes.add(size)
    files.push(file)
  }
  if (sizes.size > 1) invalid('the images of a carousel must have the same dimensions')
  const words = given.map((item) => Object.fromEntries(ITEM_WORDS.map((name) => [name, item[name] ?? null])))
  return { kind: 'multiple_images', files, items: words }
}

/** An image in base64. */
function takeData(deps: SimulatorDeps, { content_type: type, data }: Params) {
  if (type !== 'image/jpeg' && type !== 'image/png') invalid('content_type must be image/jpeg or image/png')
  if (typeof data !== 'string' || !/^[a-zA-Z0-9+/=]+$/.test(data)) invalid("'data' must match ^[a-zA-Z0-9+/=]+$")
  return takeImage(deps, Buffer.from(data, 'base64'), type)
}

/** `size`: upright, `600x900`. */
async function takeImage(deps: SimulatorDeps, bytes: Buffer, type?: unknown) {
  if (bytes.length > limits.imageBytes.value) return refuse(400, 1, TOO_LARGE)
  const measured = await measureImage(bytes)
  if (!measured) return refuse(400, 1, 'The image could not be processed.')
  const mimeType = `image/${measured.format}`
  if (type !== undefined && mimeType !== type) return refuse(400, 1, 'The image is of another type.')
  return { file: { blobId: await deps.store.putBlob(bytes), mimeType }, size: `${measured.width}x${measured.height}` }
}

async function fetched(deps: SimulatorDeps, url: unknown): Promise<Buffer> {
  const usable = typeof url === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(url)
  const file = usable ? await deps.fetchFile(url, { maxBytes: limits.imageBytes.value }) : null
  if (file === 'too large') return refuse(400, 1, TOO_LARGE)
  const bytes = file && (await deps.store.getBlob(file.blobId))
  return bytes || refuse(400, 1, 'Unable to reach the URL. Please check the URL is correct and try again.')
}
