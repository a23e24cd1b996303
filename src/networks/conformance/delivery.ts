import { isDeepStrictEqual } from 'node:util'
import type { EndedPart } from '#domain'
import type { Http, HttpRequest, HttpResult } from '../kit/http.ts'
import { plainPost } from '../kit/plain-post.ts'
import { wordsOfDelivery } from '../kit/words.ts'
import type {
  Attempt,
  CoverOutcome,
  Credentials,
  FindOutcome,
  Handles,
  LinkPreview,
  Network,
  Part,
  PartPrepareOutcome,
  PublishOutcome,
  RefreshOutcome,
} from '../network.ts'
import { chosenFor } from '../options.ts'
import { runStep } from '../run-step.ts'
import type { Backend, Sample } from './harness.ts'
import type { SampleMediaSources } from './media.ts'

/** What deliveries of the suite share. */
export interface World {
  network: Network
  backend: Backend
  media: SampleMediaSources
  http: Http
  clock: Clock
  /** What pages say of themselves; absent: nothing. */
  preview?: (url: string) => Promise<LinkPreview | null>
}

/** Real time that can jump ahead over what a network asks to wait. */
export interface Clock {
  now(): Date
  jumpTo(time: Date): void
}

export function createClock(): Clock {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  return {
    now,
    jumpTo(time) {
      ahead += Math.max(0, time.getTime() - now().getTime())
    },
  }
}

/** The steps of a post, and those of a part behind it. */
export type Step = 'prepare' | 'publish' | 'confirm' | 'find' | 'preparePart' | 'send' | 'confirmPart' | 'findFollowUp'
type Outcome = PartPrepareOutcome | PublishOutcome | FindOutcome

/** What goes wrong around a delivery. */
export interface Trouble {
  /** The process dies when this request (counted from 1 over the whole delivery) has been answered. */
  dieAfterRequest?: number
  /** The process dies when handles were stored for this many times. */
  dieAfterStore?: number
  /** Stands between connector and network. */
  intercept?(exchange: Exchange): Promise<HttpResult>
  /** Milliseconds that the nth visible call may take. */
  callLimitMs?: (nth: number) => number
}

export interface Exchange {
  step: Step
  /** Counted from 1 within the call of the step. */
  nthInCall: number
  request: HttpRequest
  send(): Promise<HttpResult>
}

/** A process ended here: everything that it had in memory is lost, what it had stored is not. */
export class ProcessDied extends Error {
  override name = 'ProcessDied'
}

/** One post on its way, as rows would hold it: everything that is not here is forgotten between two calls. */
export interface Delivery {
  /** `before`: what came of the parts before; none: it is the post. */
  call(step: Step, before?: readonly EndedPart[], more?: Pick<Attempt, 'continues'>): Promise<Outcome>
  /** Asks for the address of a post, where the connector can. */
  permalink(providerId: string): Promise<string | null>
  /** Sets the cover of a post that is live, where it comes later. */
  cover(providerId: string): Promise<CoverOutcome | null>
  /** Takes over what a refresh of the credentials gave. */
  refresh(): Promise<RefreshOutcome>
  /** Adds what the engine itself keeps with the handles. */
  keep(handles: Handles): void
  /** Sets the fence, if it is not set. */
  fence(): void
  fencedAt(): Date
  /** Moves the fence, as the engine does when the clock was set back. */
  moveFence(byMs: number): void
  /** The same when no one knows by how much. */
  doubtFence(byMs: number): void
  /** A follow-up has a fence of its own. */
  clearFence(): void
  /** What is made behind the post. */
  parts(): readonly Part[]
  handles(): Handles
  /** Every outcome so far. */
  log: { step: Step; outcome: Outcome }[]
  died: boolean
}

export async function openDelivery(world: World, sample: Sample, trouble: Trouble = {}): Promise<Delivery> {
  const { network, backend, clock } = world
  const media = await world.media.of(sample.media ?? [])
  const { accountType, caption, fields = {} } = sample
  const further = (sample.thread ?? []).map(async (part) => ({
    caption: part.caption,
    media: await world.media.of(part.media ?? []),
  }))
  const thread = await Promise.all(further)
  const written = { accountType, caption, fields, media, ...(thread.length === 0 ? {} : { thread }) }
  const post = plainPost(written)
  const { settings, endpoints } = network.manifest
  let credentials = backend.credentials
  /** As a database column holds them. */
  let stored = '{}'
  let requests = 0
  let stores = 0
  let visibleCalls = 0
  let fencedAt: Date | null = null
  let isFenceDoubted = false
  const delivery: Delivery = {
    log: [],
    died: false,
    handles: () => JSON.parse(stored),
    keep: merge,
    fence() {
      fencedAt ??= clock.now()
    },
    fencedAt: () => fencedAt ?? clock.now(),
    moveFence(byMs) {
      fencedAt = new Date(delivery.fencedAt().getTime() + byMs)
    },
    doubtFence(byMs) {
      delivery.moveFence(byMs)
      isFenceDoubted = true
    },
    clearFence() {
      fencedAt = null
    },
    parts: () => network.connector.parts?.(post) ?? [],
    call,
    permalink: async (providerId) =>
      (await network.connector.permalink?.(openAttempt('find').attempt, providerId)) ?? null,
    cover: async (providerId) =>
      (await network.connector.lateCover?.set(openAttempt('find').attempt, providerId)) ?? null,
    async refresh() {
      if (!network.connect.refresh) throw new Error('The network has no refresh.')
      const context = { endpoint, setting, http: world.http, signal: AbortSignal.timeout(20_000), now: clock.now }
      const outcome = await network.connect.refresh(context, { externalId: backend.account.externalId, credentials })
      if (outcome.kind === 'refreshed') credentials = outcome.credentials
      return outcome
    },
  }
  return delivery

  function endpoint(name: string): string {
    const address = backend.endpoints[name]
    if (!endpoints[name] || address === undefined) throw new Error(`There is no endpoint ${name}.`)
    return address
  }

  function setting(name: string): string {
    const known = settings[name]
    if (!known) throw new Error(`There is no setting ${name}.`)
    return backend.settings?.[name] ?? known.default ?? ''
  }

  function merge(handles: Handles): void {
    const written: Handles = JSON.parse(JSON.stringify(handles))
    if (!isDeepStrictEqual(written, handles)) throw new Error('A handle does not survive being written as JSON.')
    refuseSecrets('A handle', handles, credentials)
    stored = JSON.stringify({ ...JSON.parse(stored), ...written })
  }

  async function call(
    step: Step,
    before: readonly EndedPart[] = [],
    more: Pick<Attempt, 'continues'> = {},
  ): Promise<Outcome> {
    const { attempt, live } = openAttempt(step, before)
    Object.assign(attempt, more)
    const outcome = await callConnector(network, step, attempt, delivery.parts()[Math.max(before.length, 1) - 1])
    live()
    refuseSecrets(`The outcome of ${step}`, outcome, credentials)
    delivery.log.push({ step, outcome })
    return outcome
  }

  function openAttempt(step: Step, before: readonly EndedPart[] = []): { attempt: Attempt; live(): void } {
    let ended = false
    const live = () => {
      if (ended) throw new ProcessDied()
    }
    const end = () => {
      ended = delivery.died = true
    }
    let nthInCall = 0
    const http: Http = async (request) => {
      live()
      requests++
      const exchange = { step, nthInCall: ++nthInCall, request, send: () => world.http(request) }
      const dies = requests === trouble.dieAfterRequest
      const result = trouble.intercept ? await trouble.intercept(exchange) : await exchange.send()
      if (dies) end()
      live()
      return result
    }
    const visible = step === 'publish' || step === 'send'
    const limitMs = visible ? (trouble.callLimitMs?.(++visibleCalls) ?? 15_000) : 20_000
    const attempt: Attempt = {
      post,
      account: { ...backend.account, defaults: chosenFor(network.manifest, post, backend.account.defaults) },
      ...wordsOfDelivery(network.connector, written, JSON.parse(stored), setting),
      // The suite has one post on its way at a time.
      others: async () => ({ taken: new Set(), twins: [] }),
      claim: async () => true,
      before,
      credentials,
      endpoint,
      setting,
      get handles() {
        return JSON.parse(stored)
      },
      async store(handles) {
        live()
        merge(handles)
        if (++stores === trouble.dieAfterStore) end()
        live()
      },
      http,
      preview: async (url) => (await world.preview?.(url)) ?? null,
      signal: AbortSignal.timeout(limitMs),
      now: clock.now,
      pause: async (ms) => clock.jumpTo(new Date(clock.now().getTime() + ms)),
      fencedAt,
      isFenceDoubted,
    }
    return { attempt, live }
  }
}

function callConnector({ connector }: Network, step: Step, attempt: Attempt, part?: Part): Promise<Outcome> {
  const ofPart = { preparePart: part?.prepare, send: part?.send, confirmPart: part?.confirm, findFollowUp: part?.find }
  const call = { ...connector, ...ofPart }[step]
  if (!call) throw new Error(`The connector has no ${step}.`)
  const asks = !['prepare', 'publish', 'preparePart', 'send'].includes(step)
  return runStep<Outcome>(call, attempt, { asks })
}

/** Handles lie in the database in the clear and messages are shown to people: a token belongs in neither. */
function refuseSecrets(what: string, value: unknown, credentials: Credentials): void {
  const text = JSON.stringify(value)
  for (const [name, secret] of Object.entries(credentials)) {
    if (secret.length >= 16 && text.includes(secret)) throw new Error(`${what} holds the secret ${name}.`)
  }
}
