import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, deletePost } from '../kit/simulator.ts'
import { isBoardId } from './fields.ts'
import { limits } from './manifest.ts'
import type { Grant } from './simulator-accounts.ts'
import { invalid, ok, refuse } from './simulator-answers.ts'
import { boardFor, pageOf } from './simulator-boards.ts'
import { type Params, refuseOthers, type Shown, type StoredFile, takeSource } from './simulator-source.ts'

const COLLECTION = 'pins'
/** Until a new pin stands on its board. */
const LISTING_DELAY_MS = 30_000

interface SimulatedPin {
  id: string
  accountId: string
  username: string
  boardId: string
  title: string | null
  description: string | null
  link: string | null
  altText: string | null
  shown: Shown
  at: string
}

/** How the simulator differs from the usual, for tests. */
export interface Behaviour {
  /** Descriptions are taken whole, and kept with so many characters at most. */
  keepsOfDescription?: number
}

/** Texts of a pin by their longest length. */
const TEXTS: Readonly<Record<string, number>> = {
  title: limits.titleLength.value,
  description: limits.descriptionLength.value,
  alt_text: limits.altTextLength.value,
  link: limits.linkLength.value,
  dominant_color: 7,
}

/** `POST /v5/pins`: makes the pin. The same body once more makes another one. @throws SimulatedRefusal */
export async function createPin(
  { deps, by: { account, scope } }: Call<Grant>,
  params: Params,
  { keepsOfDescription }: Behaviour = {},
): Promise<SimulatedAnswer> {
  refuseOthers(params, [...Object.keys(TEXTS), 'board_id', 'board_section_id', 'media_source'], 'pin')
  const texts = Object.fromEntries(Object.keys(TEXTS).map((name) => [name, textOf(params, name)]))
  const boardId = params.board_id
  if (typeof boardId !== 'string' || !isBoardId(boardId)) invalid(`board_id '${boardId}' does not match '^\\d+$'`)
  if (!boardFor(boardId, scope)) return refuse(404, 40, 'Board not found.')
  const { title = null, link = null, alt_text: altText = null } = texts
  const description = texts.description?.slice(0, keepsOfDescription) ?? null
  if (link !== null && (!/^https?:\/\//.test(link) || !URL.canParse(link))) {
    refuse(400, 1, 'Whoops! It looks like you entered an invalid URL. Try creating a Pin again with a valid URL.')
  }
  const shown = await takeSource(deps, account, params.media_source)
  const id = `81${String(randomInt(10 ** 14)).padStart(16, '0')}`
  const at = deps.now().toISOString()
  const { username } = account
  const pin: SimulatedPin = {
    id,
    accountId: account.id,
    username,
    boardId,
    title,
    description,
    link,
    altText,
    shown,
    at,
  }
  deps.store.put(COLLECTION, id, pin)
  deps.store.addPost({
    id,
    accountId: account.ledgerId,
    text: description ?? '',
    permalink: `${deps.url}/p/${id}`,
    createdAt: at,
    media: shown.files.map((file) => ({ ...file, ...(altText === null ? {} : { alt: altText }) })),
    details: {
      board: boardId,
      title,
      link,
      media: shown.kind,
      ...(shown.items.length > 0 ? { items: shown.items } : {}),
    },
  })
  return ok(described(deps, pin), 201)
}

/** `GET /v5/pins/{pin_id}` */
export function readPin({ deps, by, at }: Call<Grant>): SimulatedAnswer {
  const pin = deps.store.get<SimulatedPin>(COLLECTION, at.id ?? '')
  return pin?.accountId === by.account.id ? ok(described(deps, pin)) : refuse(404, 50, 'Pin not found.')
}

/** `DELETE /v5/pins/{pin_id}` */
export function removePin({ deps, by, at }: Call<Grant>): SimulatedAnswer {
  const pin = deps.store.get<SimulatedPin>(COLLECTION, at.id ?? '')
  if (pin?.accountId !== by.account.id) return refuse(404, 50, 'Pin not found.')
  deletePost(deps, COLLECTION, pin.id)
  return { status: 204, body: '' }
}

/** `GET /v5/boards/{board_id}/pins`: newest first, and the newest of all only after a while. */
export function listPins({ deps, by: { account, scope }, at, query }: Call<Grant>): SimulatedAnswer {
  if (!boardFor(at.id ?? '', scope)) return refuse(404, 404, 'Board not found.')
  const before = new Date(deps.now().getTime() - LISTING_DELAY_MS).toISOString()
  const pins = deps.store
    .list<SimulatedPin>(COLLECTION)
    .filter((pin) => pin.accountId === account.id && pin.boardId === at.id && pin.at <= before)
    .reverse()
  return ok(pageOf(pins, query, (pin) => described(deps, pin)))
}

function textOf(params: Params, name: string): string | null {
  const text = params[name] ?? null
  if (text === null) return null
  if (typeof text !== 'string') return invalid(`'${name}' is not a string`)
  const limit = TEXTS[name] ?? 0
  if (text.length > limit) return invalid(`'${name}' is too long, constraint: maxLength=${limit}`)
  // Texts are kept without the space around them.
  return text.trim()
}

const CREATIVE_TYPES = { image: 'REGULAR', video: 'VIDEO', multiple_images: 'CAROUSEL' } as const

function described(deps: SimulatorDeps, pin: SimulatedPin) {
  return {
    id: pin.id,
    // Without milliseconds, and with an offset of its own kind.
    created_at: pin.at.replace(/\.\d+Z$/, '-00:00'),
    title: pin.title,
    description: pin.description,
    link: pin.link,
    alt_text: pin.altText,
    dominant_color: '#6E7874',
    board_id: pin.boardId,
    board_section_id: null,
    board_owner: { username: pin.username },
    is_owner: true,
    is_standard: true,
    has_been_promoted: false,
    parent_pin_id: null,
    creative_type: CREATIVE_TYPES[pin.shown.kind],
    pin_metrics: null,
    media: mediaOf(deps, pin.shown),
  }
}

function mediaOf(deps: SimulatorDeps, { kind, files, items }: Shown) {
  const [first, cover] = files
  switch (kind) {
    case 'image':
      return { media_type: kind, images: sizes(deps, first) }
    case 'video':
      // A while after it was made these are still not known.
      return {
        media_type: kind,
        cover_image_url: urlOf(deps, cover ?? first),
        video_url: null,
        duration: null,
        width: null,
        height: null,
        images: sizes(deps, cover ?? first),
      }
    case 'multiple_images':
      return {
        media_type: kind,
        items: files.map((file, index) => ({ item_type: 'image', ...items[index], images: sizes(deps, file) })),
      }
  }
}

const urlOf = (deps: SimulatorDeps, file: StoredFile | undefined) => `${deps.url}/blobs/${file?.blobId ?? ''}`

function sizes(deps: SimulatorDeps, file: StoredFile | undefined) {
  const url = urlOf(deps, file)
  return {
    '150x150': { width: 150, height: 150, url },
    '400x300': { width: 400, height: 300, url },
    '600x': { width: 600, height: null, url },
    '1200x': { width: 1200, height: null, url },
  }
}
