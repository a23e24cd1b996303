import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { chosen, type Params as Fields, ok, timestamp } from '../meta/simulator.ts'
import {
  addContainer,
  addPost,
  findContainer,
  keepContainer,
  listPosts,
  QUOTA_REACHED,
  quotaOf,
  quotaUsage,
  readContainer,
  type SimulatedContainer,
  type SimulatedPost,
  type StoredFile,
  statusOf,
} from '../meta/simulator-containers.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { mediaNotFound, refuse } from './simulator-answers.ts'
import { type TakenFile, takeImage, takeVideo } from './simulator-files.ts'
import { checkParams, childrenOf, type Kind, kindOf, type Params } from './simulator-params.ts'

/** The listing shows a post only after this time. The network names none. */
const LISTED_AFTER_MS = 10_000
/** Times that a status is asked for until the network has worked on a container. */
const POLLS: Record<Kind, number> = { TEXT: 1, IMAGE: 1, VIDEO: 2, CAROUSEL: 1, 'ITEM IMAGE': 1, 'ITEM VIDEO': 2 }

/** A container; `failure` is the word with which the work on it ends. */
export type Container = SimulatedContainer<Kind, string> & { params: Params }

/** What the world is like; tests make it worse. */
export interface World {
  /** Posts of 24 hours. */
  quotaTotal: number
  /** Calls to publish a finished container that find it unknown, as it happens on the network. */
  races: number
  /** The app is set to refuse calls without a proof of its secret. */
  requireProof: boolean
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
  if (fault === 'caption-too-long') refuse(100, null, 'Param text must be at most 500 characters long.')
  const { files, failure } = await takeFiles(deps, account, kind, params)
  return addContainer(deps, '178', {
    owner: account.id,
    kind,
    params,
    files,
    pollsLeft: POLLS[kind],
    failure: fault === 'media-rejected' ? 'FAILED_PROCESSING_VIDEO' : failure,
  })
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
    ? await takeVideo(deps, params.video_url)
    : await takeImage(deps, params.image_url)
  const alt = params.alt_text === undefined ? {} : { alt: params.alt_text }
  return { files: taken.file ? [{ ...taken.file, ...alt }] : [], failure: taken.failure }
}

/** An item that is finished; a carousel is refused as long as one is not. */
function childOf(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedContainer {
  const child = findContainer(deps, account.id, id)
  if (!child || statusOf(deps, child) !== 'FINISHED') return mediaNotFound(id)
  if (!child.kind.startsWith('ITEM')) refuse(100, null, `Invalid parameter: ${id} is no carousel item`)
  return child
}

/** `GET /{container}` */
export const showContainer = (deps: SimulatorDeps, container: Container, query: URLSearchParams): SimulatedAnswer =>
  readContainer(deps, container, query, ['id', 'status', 'error_message'], ({ failure }, status) => ({
    status,
    error_message: status === 'ERROR' ? failure : undefined,
  }))

/** The container of `threads_publish`, when it may be published. Nothing keeps one from being published twice. */
function publishable(deps: SimulatorDeps, account: SimulatedAccount, id: string, races: number): Container {
  const container = findContainer<Container>(deps, account.id, id) ?? mediaNotFound(id)
  if (container.kind.startsWith('ITEM')) {
    refuse(100, null, 'Invalid parameter: a carousel item cannot be published')
  }
  const status = statusOf(deps, container)
  if (status !== 'FINISHED' && status !== 'PUBLISHED') mediaNotFound(id)
  if (container.missed < races) {
    keepContainer(deps, { ...container, missed: container.missed + 1 })
    mediaNotFound(id)
  }
  return container
}

/** `POST /me/threads_publish` */
export function publishContainer(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  creationId: string,
  { quotaTotal, races }: World,
): SimulatedAnswer {
  const container = publishable(deps, account, creationId, races)
  if (quotaUsage(deps, account.ledgerId) >= quotaTotal) refuse(...QUOTA_REACHED)
  const { text, ...details } = container.params
  const mediaType = mediaTypeOf(container)
  return addPost(deps, account.ledgerId, container, {
    text,
    altText: details.alt_text,
    mediaType,
    type: mediaType,
    details,
  })
}

function mediaTypeOf({ kind }: Container): string {
  if (kind === 'TEXT') return 'TEXT_POST'
  if (kind === 'CAROUSEL') return 'CAROUSEL_ALBUM'
  return kind.endsWith('VIDEO') ? 'VIDEO' : 'IMAGE'
}

/** `GET /me/threads_publishing_limit` */
export function readQuota(
  deps: SimulatorDeps,
  account: SimulatedAccount,
  query: URLSearchParams,
  { quotaTotal }: World,
): SimulatedAnswer {
  const all = {
    ...quotaOf(deps, account.ledgerId, quotaTotal),
    reply_quota_usage: 0,
    reply_config: { quota_total: 1000, quota_duration: 86_400 },
  }
  return ok({ data: [chosen(all, query, Object.keys(all))] })
}

/** `GET /me/threads`. Newest first. */
export const listThreads = (deps: SimulatorDeps, account: SimulatedAccount, query: URLSearchParams): SimulatedAnswer =>
  listPosts(deps, account.id, query, {
    shows: (_, age) => age >= LISTED_AFTER_MS,
    show: (post) => shown(post, account, query),
  })

export function shown(post: SimulatedPost, account: SimulatedAccount, query: URLSearchParams): Fields {
  const all = {
    id: post.id,
    media_product_type: 'THREADS',
    media_type: post.mediaType,
    permalink: post.permalink,
    username: account.username,
    text: post.text ?? undefined,
    timestamp: timestamp(post.at),
    shortcode: post.id,
    is_quote_post: false,
    has_replies: false,
    alt_text: post.altText ?? undefined,
  }
  return chosen(all, query, Object.keys(all))
}
