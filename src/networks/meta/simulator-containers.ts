import { DAY_MS } from '#contract/durations'
import type { SimulatedAnswer } from '../kit/faults.ts'
import type { LedgerPost, SimulatorDeps } from '../kit/simulation.ts'
import type { ContainerStatus } from './containers.ts'
import { chosen, newId, ok, type Params, pageOf, unknownObject, within } from './simulator.ts'

const CONTAINERS = 'containers'
const POSTS = 'posts'

export type StoredFile = NonNullable<LedgerPost['media']>[number]

/** A container as it is kept. */
export interface SimulatedContainer<Kind extends string = string, Failure = unknown> {
  id: string
  /** Whose it is, by the network's id. */
  owner: string
  kind: Kind
  params: Params
  files: readonly StoredFile[]
  createdAt: string
  /** Times that its status is asked for until the network has worked on it. */
  pollsLeft: number
  /** How the work on it ends; null when it ends well. */
  failure: Failure | null
  published: boolean
  /** Calls to publish it that found it unknown though it was finished. */
  missed: number
}

/** Makes a container: `POST` of whatever edge does. */
export function addContainer(
  deps: SimulatorDeps,
  prefix: string,
  container: Omit<SimulatedContainer, 'id' | 'createdAt' | 'published' | 'missed'>,
): SimulatedAnswer {
  const id = newId(prefix)
  keepContainer(deps, { ...container, id, createdAt: deps.now().toISOString(), published: false, missed: 0 })
  return ok({ id })
}

/** A container that the account may see. */
export function findContainer<C extends SimulatedContainer>(deps: SimulatorDeps, owner: string, id: string): C | null {
  const container = deps.store.get<C>(CONTAINERS, id)
  return container?.owner === owner ? container : null
}

export function keepContainer(deps: SimulatorDeps, container: SimulatedContainer): void {
  deps.store.put(CONTAINERS, container.id, container)
}

export function statusOf(deps: SimulatorDeps, container: SimulatedContainer): ContainerStatus {
  if (container.published) return 'PUBLISHED'
  if (deps.now().getTime() - new Date(container.createdAt).getTime() > DAY_MS) return 'EXPIRED'
  if (container.pollsLeft > 0) return 'IN_PROGRESS'
  return container.failure === null ? 'FINISHED' : 'ERROR'
}

/** `GET /{container}`. Every look is a step of the work on it. `show`: its fields; `known`: those that there are. */
export function readContainer<C extends SimulatedContainer>(
  deps: SimulatorDeps,
  container: C,
  query: URLSearchParams,
  known: readonly string[],
  show: (container: C, status: ContainerStatus) => Params,
): SimulatedAnswer {
  const status = statusOf(deps, container)
  const answer = ok(chosen({ id: container.id, ...show(container, status) }, query, known))
  if (status === 'IN_PROGRESS') keepContainer(deps, { ...container, pollsLeft: container.pollsLeft - 1 })
  return answer
}

/** A post as it is kept. */
export interface SimulatedPost {
  id: string
  owner: string
  text: string | null
  mediaType: string
  altText: string | null
  permalink: string
  at: string
  /** A post that was never read is unknown to the first read of it, as the network's own fresh ones sometimes are. */
  read: boolean
}

/**
 * Makes the post of a container. One that is published again makes another. `ledgerId`: under which posts of the account
 * stand in the ledger.
 */
export function addPost<P extends SimulatedPost>(
  deps: SimulatorDeps,
  ledgerId: string,
  container: SimulatedContainer,
  more: { text: unknown; altText: unknown; mediaType: string; type: string; details: Params; kept?: object },
): SimulatedAnswer {
  const id = newId('180')
  const text = typeof more.text === 'string' ? more.text : null
  const post = {
    id,
    owner: container.owner,
    text,
    mediaType: more.mediaType,
    altText: typeof more.altText === 'string' ? more.altText : null,
    permalink: `${deps.url}/p/${id}`,
    at: deps.now().toISOString(),
    read: false,
    ...more.kept,
  } as P
  deps.store.together(() => {
    keepPost(deps, post)
    deps.store.addPost({
      id,
      accountId: ledgerId,
      text: text ?? '',
      permalink: post.permalink,
      createdAt: post.at,
      media: container.files,
      details: { type: more.type, container: container.id, ...more.details },
    })
    keepContainer(deps, { ...container, published: true })
  })
  return ok({ id })
}

export function keepPost(deps: SimulatorDeps, post: SimulatedPost): void {
  deps.store.put(POSTS, post.id, post)
}

export function findPost<P extends SimulatedPost>(deps: SimulatorDeps, owner: string, id: string): P | null {
  const post = deps.store.get<P>(POSTS, id)
  return post?.owner === owner ? post : null
}

/** `GET /{post}` */
export function readPost<P extends SimulatedPost>(
  deps: SimulatorDeps,
  post: P,
  show: (post: P) => Params,
): SimulatedAnswer {
  if (post.read) return ok(show(post))
  keepPost(deps, { ...post, read: true })
  return unknownObject(post.id)
}

/** A listing of posts, newest first. `shows`: whether one stands in it now. */
export function listPosts<P extends SimulatedPost>(
  deps: SimulatorDeps,
  owner: string,
  query: URLSearchParams,
  listing: { shows(post: P, age: number): boolean; show(post: P): Params },
): SimulatedAnswer {
  const now = deps.now().getTime()
  const all = deps.store
    .list<P>(POSTS)
    .filter((post) => post.owner === owner && listing.shows(post, now - new Date(post.at).getTime()))
  return ok(pageOf(within(all, query).reverse(), query, listing.show))
}

/** Posts of the last 24 hours. */
export function quotaUsage(deps: SimulatorDeps, ledgerId: string): number {
  const since = new Date(deps.now().getTime() - DAY_MS).toISOString()
  return deps.store.posts().filter((post) => post.createdAt > since && post.accountId === ledgerId).length
}

/** Containers of the last 24 hours. */
export function containersMade(deps: SimulatorDeps, owner: string): number {
  const since = new Date(deps.now().getTime() - DAY_MS).toISOString()
  const made = deps.store.list<SimulatedContainer>(CONTAINERS)
  return made.filter((container) => container.createdAt > since && container.owner === owner).length
}

/** The quota of the last 24 hours. */
export const quotaOf = (deps: SimulatorDeps, ledgerId: string, total: number) => ({
  quota_usage: quotaUsage(deps, ledgerId),
  config: { quota_total: total, quota_duration: 86_400 },
})

export const QUOTA_REACHED = [
  9,
  2207042,
  'Application request limit reached',
  { user: 'You reached maximum number of posts that is allowed to be published by Content Publishing API.' },
] as const
