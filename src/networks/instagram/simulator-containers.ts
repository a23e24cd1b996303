import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import { faultIn } from '../toolkit/faults.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { ok, refuse } from './simulator-answers.ts'
import { type StoredFile, takeImage, takeVideo } from './simulator-files.ts'
import { checkParams, type Kind, kindOf, type Params } from './simulator-params.ts'

const COLLECTION = 'containers'
const LIFE_MS = 24 * 3_600_000
/** Times that a status is asked for until the network has worked on a container. */
const POLLS: Record<Kind, number> = { IMAGE: 1, REELS: 2, STORIES: 1, CAROUSEL: 1, 'ITEM IMAGE': 1, 'ITEM VIDEO': 2 }

/** A container as it is kept. */
export interface SimulatedContainer {
  id: string
  igId: string
  kind: Kind
  params: Params
  files: StoredFile[]
  createdAt: string
  pollsLeft: number
  /** Subcode of the error that the work on it ends with. */
  failure: number | null
  published: boolean
}

/** Any parameter of a user's media edge makes one: `POST /{ig-user}/media`. */
export async function createContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  params: Params,
): Promise<SimulatedAnswer> {
  const kind = kindOf(params)
  checkParams(kind, params)
  const caption = typeof params.caption === 'string' ? params.caption : ''
  const fault = faultIn(caption)
  if (fault === 'caption-too-long' || caption.length > 2200) {
    refuse(36004, 2207010, {
      message: 'The caption was too long.',
      user: 'The caption must have up to 2200 characters.',
    })
  }
  const { files, failure } = await takeFiles(deps, account, kind, params)
  const container: SimulatedContainer = {
    id: `179${randomInt(10 ** 13)
      .toString()
      .padStart(14, '0')}`,
    igId: account.igId,
    kind,
    params,
    files,
    createdAt: deps.now().toISOString(),
    pollsLeft: POLLS[kind],
    failure: fault === 'media-rejected' ? 2207026 : failure,
    published: false,
  }
  deps.store.put(COLLECTION, container.id, container)
  return ok({ id: container.id })
}

async function takeFiles(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  kind: Kind,
  params: Params,
): Promise<{ files: StoredFile[]; failure: number | null }> {
  const alt = typeof params.alt_text === 'string' ? { alt: params.alt_text } : {}
  if (kind === 'CAROUSEL') {
    const items = (params.children as string[]).map((id) => childOf(deps, account, id))
    return { files: items.flatMap((item) => item.files), failure: null }
  }
  if (params.video_url === undefined) {
    const image = await takeImage(deps, params.image_url, { feed: kind !== 'STORIES' })
    return { files: [{ ...image, ...alt }], failure: null }
  }
  const taken = await takeVideo(deps, params.video_url, kind === 'ITEM VIDEO' ? 'VIDEO' : (kind as 'REELS' | 'STORIES'))
  const offset = Number(params.thumb_offset ?? 0)
  if (taken.failure === null && offset >= taken.seconds * 1000) {
    refuse(1, 2207057, {
      message: 'Invalid thumbnail offset.',
      user: `Thumbnail offset must be greater than or equal to 0 and less than video duration, i.e. ${taken.seconds}`,
    })
  }
  return { files: taken.files, failure: taken.failure }
}

function childOf(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedContainer {
  const child = findContainer(deps, account, id)
  if (!child?.kind.startsWith('ITEM')) {
    refuse(100, null, {
      message: `Invalid parameter: children holds ${id}, which is no carousel item of this account.`,
    })
  }
  if (statusOf(deps, child) !== 'FINISHED') {
    refuse(9007, 2207027, { message: 'Media ID is not available.', user: 'The media is not ready, please wait.' })
  }
  return child
}

/** A container that the account may see. */
export function findContainer(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedContainer | null {
  const container = deps.store.get<SimulatedContainer>(COLLECTION, id)
  return container?.igId === account.igId ? container : null
}

type Status = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

export function statusOf(deps: SimulatorDeps, container: SimulatedContainer): Status {
  if (container.published) return 'PUBLISHED'
  if (deps.now().getTime() - new Date(container.createdAt).getTime() > LIFE_MS) return 'EXPIRED'
  if (container.pollsLeft > 0) return 'IN_PROGRESS'
  return container.failure === null ? 'FINISHED' : 'ERROR'
}

const STATUS_TEXTS: Record<Status, string> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  ERROR: 'Error: Media upload has failed with error code ',
  EXPIRED: 'Expired: Media was not published within 24 hours.',
  PUBLISHED: 'Published: Media has been published.',
}
/** Fields of a container; the published contracts do not hold them. */
export const CONTAINER_FIELDS: readonly string[] = ['id', 'status', 'status_code', 'copyright_check_status']

/** `GET /{ig-container}`. Every look is a step of the work on it. */
export function readContainer(deps: SimulatorDeps, container: SimulatedContainer, fields: string[]): SimulatedAnswer {
  const unknown = fields.find((field) => !CONTAINER_FIELDS.includes(field))
  if (unknown !== undefined) refuse(100, null, { message: `Tried accessing nonexisting field (${unknown})` })
  const status = statusOf(deps, container)
  if (status === 'IN_PROGRESS') keepContainer(deps, { ...container, pollsLeft: container.pollsLeft - 1 })
  const all: Record<string, unknown> = {
    status_code: status,
    status: STATUS_TEXTS[status] + (status === 'ERROR' ? container.failure : ''),
    copyright_check_status: { status: 'completed', matches_found: false },
  }
  return ok({ ...Object.fromEntries(fields.map((field) => [field, all[field]])), id: container.id })
}

export function keepContainer(deps: SimulatorDeps, container: SimulatedContainer): void {
  deps.store.put(COLLECTION, container.id, container)
}

/** The container of `media_publish`, when it may be published. Nothing keeps one from being published twice. */
export function publishable(deps: SimulatorDeps, account: SimulatedAccount, id: unknown): SimulatedContainer {
  const container = findContainer(deps, account, String(id))
  if (!container) {
    refuse(24, 2207006, { message: 'The requested resource does not exist.', user: 'The media could not be found.' })
  }
  if (container.kind.startsWith('ITEM')) refuse(100, null, { message: 'A carousel item cannot be published.' })
  const status = statusOf(deps, container)
  if (status === 'IN_PROGRESS' || status === 'ERROR') {
    refuse(9007, 2207027, { message: 'Media ID is not available.', user: 'The media is not ready, please wait.' })
  }
  if (status === 'EXPIRED') {
    refuse(24, 2207008, { message: 'The media builder was not found.', user: 'The media builder has expired.' })
  }
  return container
}
