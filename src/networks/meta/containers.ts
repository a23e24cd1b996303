import Type from 'typebox'
import type { Called, Caller } from '../kit/api.ts'
import type { Classification } from '../kit/errors.ts'
import { flag, handlesOf, list, maybe, moment, text } from '../kit/handles.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { number, record } from '../kit/read-json.ts'
import type { Attempt, Connector, FindOutcome, Handles, PublishOutcome, Words } from '../network.ts'
import { call } from './graph.ts'

/** How the network names what has become of a container. */
export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

const STATUSES: readonly unknown[] = ['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED']

export const statusIn = (value: unknown) => (STATUSES.includes(value) ? (value as ContainerStatus) : undefined)

/** A container as the network shows it. `failure`: why the work on it failed, where it says. */
export interface Container<F> {
  status: ContainerStatus
  failure: F | null
}

/** A post as the network lists it. What it leaves out is null. */
export interface Listed {
  id: string
  text: string
  permalink: string | null
  at: Date | null
}

/** Entries of the listing that may be the post; why there are none to look at. */
export type Candidates<P> = { kind: 'listed'; posts: readonly P[] } | Exclude<FindOutcome, { kind: 'found' | 'absent' }>

/** Parameters of a call that makes a container. */
export type Params = Readonly<Record<string, unknown>>

/**
 * A network on which a post is made of containers: nobody sees them, the network works on each, and the call that
 * publishes the last one is the only visible one. `F`: how it says why a container failed; `P`: a post of its listing.
 */
export interface ContainerNetwork<F, P extends Listed> {
  title: string
  /** As `text`; empty when no text tells a post apart. */
  wordsOf: Connector['wordsOf']
  /** Whose containers and posts they are, in the path of a call. */
  owner(attempt: Attempt): string
  edges: { make: string; publish: string; quota: string }
  /** Where the parameters of these calls stand. */
  sends: 'form' | 'json'
  /** What is made first: the items of a carousel. */
  parts(post: Attempt['post']): (() => Promise<Params>)[]
  /** What is made with their ids, and published in the end. */
  whole(post: Attempt['post'], parts: readonly string[], words: Words): Promise<Params>
  container: {
    fields: string
    parse(body: unknown): Container<F> | undefined
    /** What a failure leads to; null for one that the network does not explain, and for a container that hangs. */
    failed(failure: F | null, now: Date): Classification
    /** A container that is worked on for longer is made again. */
    stuckMs: number
  }
  post: {
    fields: string
    parse(body: unknown): P | undefined
    /** Where a post of this kind is listed, and whether that can begin at a moment. */
    listing(post: Attempt['post']): { edge: string; since: boolean }
    /** Whether an entry may be a post of this kind. What the network leaves out speaks for neither side. */
    isOf(entry: P, post: Attempt['post']): boolean
    /** What the network may change in a text. */
    normalized(text: string): string
  }
  /** Where posts may be answered: how the parts of threads are sent and found. */
  replies?: {
    /** What makes the post of a container an answer. */
    params(parent: string): Params
    edge: string
    fields: string
    /** What an entry answers; null: a post that stands by itself. Absent: it was not said. */
    answers(entry: P): string | null | undefined
    /** For people: the account may publish and not answer. */
    notAllowed: string
    /** A video that is published sooner after it is finished may become a post that stands by itself. */
    videoPauseMs: number
  }
  /** When the quota of 24 hours is asked for: before every visible call, or for its figures when one was refused for it. */
  quotaIsAsked: 'before' | 'after'
  /** For people, where the network limits the containers of 24 hours too: what it means that it makes no more of them. */
  containersUsedUp?: string
  classify(answer: HttpAnswer, now: Date): Classification
  /** What a refusal leads to beside what the table says of it. */
  refused?: {
    preparing(attempt: Attempt, classified: Classification): Promise<void>
    publishing(attempt: Attempt, classified: Classification): Promise<PublishOutcome | null>
  }
  /** The lookup of a container that the network does not show. Without it the refusal speaks. */
  withoutStatus?(attempt: Attempt, refusal: FindOutcome, find: () => Promise<FindOutcome>): Promise<FindOutcome>
}

export const readState = handlesOf({
  /** Containers of the items of a carousel, in order. */
  children: list(Type.String()),
  /** The container that is published in the end. */
  container: text,
  /** When the newest container was made. */
  since: moment,
  /** Entries that the listing had before the visible call, of posts that no text tells apart. */
  known: maybe(Type.Array(Type.String())),
  /** The container is published, by a call whose answer was lost: it is looked up and never published again. */
  published: flag,
  /** The post's id, once the visible call has answered. */
  mediaId: text,
  /** Of a part of a thread: when its container was found finished first. */
  finished: moment,
  /** When the quota of the day was found used up first. */
  quotaSince: moment,
})

/** Forgets what was prepared: containers are made again. Nothing but proof that none was published allows it. */
export const dropped = { children: [], container: null, since: null, finished: null } satisfies Handles

/** Asks how far the network is with a container. */
export function containerStatus<F, P extends Listed>(
  { container: { fields, parse } }: ContainerNetwork<F, P>,
  attempt: Attempt,
  container: string,
): Promise<Called<Container<F>>> {
  return call(attempt, { method: 'GET', path: container, query: { fields }, timeoutMs: 10_000, parse })
}

/** Posts of the last 24 hours and how many there may be. */
export interface Quota {
  used: number
  total: number
}

/** `{"data":[{"quota_usage":4,"config":{"quota_total":250,"quota_duration":86400}}]}` */
export function parseQuota(body: unknown): Quota | undefined {
  const { data } = record(body) ?? {}
  const quota = Array.isArray(data) ? record(data[0]) : undefined
  const used = number(quota?.quota_usage)
  const total = number(record(quota?.config)?.quota_total)
  return used === undefined || total === undefined ? undefined : { used, total }
}

/** It wants the same permissions as publishing. */
export function readQuota(caller: Caller, path: string): Promise<Called<Quota>> {
  const query = { fields: 'quota_usage,config' }
  return call(caller, { method: 'GET', path, query, timeoutMs: 10_000, parse: parseQuota })
}
