import { randomInt } from 'node:crypto'
import { faultIn, type SimulatedAnswer } from '../toolkit/faults.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { mediaNotFound, ok, refuse, SimulatedRefusal } from './simulator-answers.ts'
import { type StoredFile, type TakenFile, takeImage, takeVideo } from './simulator-files.ts'
import { checkParams, childrenOf, type Kind, kindOf, type Params } from './simulator-params.ts'

const COLLECTION = 'containers'
const LIFE_MS = 24 * 3_600_000
/** Times that a status is asked for until the network has worked on a container. */
const POLLS: Record<Kind, number> = { TEXT: 1, IMAGE: 1, VIDEO: 2, CAROUSEL: 1, 'ITEM IMAGE': 1, 'ITEM VIDEO': 2 }

/** A container as it is kept. */
export interface SimulatedContainer {
  id: string
  threadsId: string
  kind: Kind
  params: Params
  files: readonly StoredFile[]
  createdAt: string
  pollsLeft: number
  /** Word with which the work on it ends; null when it will end well. */
  failure: string | null
  published: boolean
  /** Calls to publish it that found it unknown though it was finished. */
  missed: number
}

/** `POST /me/threads` */
export async function createContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  params: Params,
): Promise<SimulatedAnswer> {
  const kind = kindOf(params)
  checkParams(kind, params)
  const fault = faultIn(params.text ?? '')
  if (fault === 'caption-too-long') refuse(100, 'Param text must be at most 500 characters long.')
  const { files, failure } = await takeFiles(deps, account, kind, params)
  const container: SimulatedContainer = {
    id: `178${randomInt(10 ** 13)
      .toString()
      .padStart(14, '0')}`,
    threadsId: account.threadsId,
    kind,
    params,
    files,
    createdAt: deps.now().toISOString(),
    pollsLeft: POLLS[kind],
    failure: fault === 'media-rejected' ? 'FAILED_PROCESSING_VIDEO' : failure,
    published: false,
    missed: 0,
  }
  deps.store.put(COLLECTION, container.id, container)
  return ok({ id: container.id })
}

async function takeFiles(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  kind: Kind,
  params: Params,
): Promise<{ files: readonly StoredFile[]; failure: string | null }> {
  if (kind === 'TEXT') return { files: [], failure: null }
  if (kind === 'CAROUSEL') {
    return { files: childrenOf(params).flatMap((id) => childOf(deps, account, id).files), failure: null }
  }
  const taken: TakenFile = kind.endsWith('VIDEO')
    ? await takeVideo(deps, params.video_url ?? '')
    : await takeImage(deps, params.image_url ?? '')
  const alt = params.alt_text === undefined ? {} : { alt: params.alt_text }
  return { files: taken.file ? [{ ...taken.file, ...alt }] : [], failure: taken.failure }
}

/** An item that is finished; a carousel is refused as long as one is not. */
function childOf(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedContainer {
  const child = findContainer(deps, account, id)
  if (!child || statusOf(deps, child) !== 'FINISHED') throw new SimulatedRefusal(mediaNotFound(id))
  if (!child.kind.startsWith('ITEM')) refuse(100, `Invalid parameter: ${id} is no carousel item`)
  return child
}

/** A container that the account may see. */
export function findContainer(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedContainer | null {
  const container = deps.store.get<SimulatedContainer>(COLLECTION, id)
  return container?.threadsId === account.threadsId ? container : null
}

export function keepContainer(deps: SimulatorDeps, container: SimulatedContainer): void {
  deps.store.put(COLLECTION, container.id, container)
}

type Status = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

function statusOf(deps: SimulatorDeps, container: SimulatedContainer): Status {
  if (container.published) return 'PUBLISHED'
  if (deps.now().getTime() - new Date(container.createdAt).getTime() > LIFE_MS) return 'EXPIRED'
  if (container.pollsLeft > 0) return 'IN_PROGRESS'
  return container.failure === null ? 'FINISHED' : 'ERROR'
}

const FIELDS: readonly string[] = ['id', 'status', 'error_message']

/** `GET /{container}`. Every look is a step of the work on it. */
export function readContainer(deps: SimulatorDeps, container: SimulatedContainer, fields: string[]): SimulatedAnswer {
  const unknown = fields.find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) refuse(100, `Tried accessing nonexisting field (${unknown})`)
  const status = statusOf(deps, container)
  if (status === 'IN_PROGRESS') keepContainer(deps, { ...container, pollsLeft: container.pollsLeft - 1 })
  return ok({
    ...(fields.includes('status') ? { status } : {}),
    ...(status === 'ERROR' && fields.includes('error_message') ? { error_message: container.failure } : {}),
    id: container.id,
  })
}

/**
 * The container of `threads_publish`, when it may be published. Nothing keeps one from being published twice. `races`:
 * so many calls find even a finished one unknown, as it happens on the network.
 */
export function publishable(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  id: string,
  races: number,
): SimulatedContainer {
  const container = findContainer(deps, account, id)
  if (!container) throw new SimulatedRefusal(mediaNotFound(id))
  if (container.kind.startsWith('ITEM')) refuse(100, 'Invalid parameter: a carousel item cannot be published')
  const status = statusOf(deps, container)
  if (status !== 'FINISHED' && status !== 'PUBLISHED') throw new SimulatedRefusal(mediaNotFound(id))
  if (container.missed < races) {
    keepContainer(deps, { ...container, missed: container.missed + 1 })
    throw new SimulatedRefusal(mediaNotFound(id))
  }
  return container
}
