import { TimeoutError } from './errors.ts'
import { type Followed, followEvents } from './events.ts'
import { listPages, type Pages } from './pages.ts'
import type { Call, RequestOptions, Transport } from './request.ts'
import type {
  AlmanacEvent,
  EventPage,
  EventQuery,
  FreeSlots,
  FreeSlotsQuery,
  Label,
  MediaLibraryItem,
  MediaListQuery,
  MediaUpload,
  MediaUploadCreate,
  NetworkDescription,
  Note,
  NoteCreate,
  NoteListQuery,
  NoteUpdate,
  PageQuery,
  PostSet,
  PostSetCreate,
  PostSetListQuery,
  PostSetsCreate,
  PostSetsCreated,
  PostSetUpdate,
  PostSetValidation,
  PostsOfSet,
  RetriedPostSet,
  SocialSet,
  Webhook,
  WebhookAttempt,
  WebhookAttemptQuery,
  WebhookCreate,
  WebhookList,
  WebhookQueued,
  WebhookResend,
  WebhookTested,
  WebhookUpdate,
  WebhookWithSecret,
} from './types.ts'
import { waitUntilPublished } from './wait.ts'
import { type UnwrapOptions, unwrapWebhook, type WebhookHeaders } from './webhook-signature.ts'

/** A change that is refused with 412 if the post set has another version by now. */
export interface ChangeOptions extends RequestOptions {
  /** The version that was read. */
  version?: number | undefined
}

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`
const ifMatch = ({ version }: ChangeOptions) => (version === undefined ? undefined : { 'if-match': `"${version}"` })

const POST_SETS = '/v1/post-sets'

export class PostSets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: PostSetListQuery, options?: RequestOptions): Pages<PostSet> {
    return listPages(this.#transport, POST_SETS, query, options)
  }

  get(id: string, options?: RequestOptions): Call<PostSet> {
    return this.#transport.send({ method: 'GET', path: at(POST_SETS, id) }, options)
  }

  create(body: PostSetCreate, options?: RequestOptions): Call<PostSet> {
    return this.#transport.send({ method: 'POST', path: POST_SETS, body }, options)
  }

  /** Creates up to 100 sets in one request: all or none, or with `mode: 'EACH'` every one that can be, with an entry for each. */
  createMany(body: PostSetsCreate, options?: RequestOptions): Call<PostSetsCreated> {
    return this.#transport.send({ method: 'POST', path: `${POST_SETS}/bulk`, body }, options)
  }

  /** What would be refused in a new set, and why. Writes nothing. */
  validate(body: PostSetCreate, options?: RequestOptions): Call<PostSetValidation> {
    return this.#transport.send({ method: 'POST', path: `${POST_SETS}/validate`, body }, options)
  }

  update(id: string, body: PostSetUpdate, options: ChangeOptions = {}): Call<PostSet> {
    return this.#transport.send({ method: 'PATCH', path: at(POST_SETS, id), body, headers: ifMatch(options) }, options)
  }

  /**
   * Asks people to approve a draft and schedule it: its approval becomes `PENDING`, and its reviewers are notified. Needs only
   * `post-sets:write`, and a plan with approvals.
   *
   * @param ask the requested time; by default that of the draft
   */
  askToSchedule(id: string, ask: { scheduledAt?: string } = {}, options: ChangeOptions = {}): Call<PostSet> {
    return this.update(id, { ...ask, approval: 'PENDING' }, options)
  }

  delete(id: string, options: ChangeOptions = {}): Call<void> {
    return this.#transport.send({ method: 'DELETE', path: at(POST_SETS, id), headers: ifMatch(options) }, options)
  }

  /** Sends the failed posts of a published set again. Posts that are or may be live are not sent. */
  retry(id: string, body: PostsOfSet = {}, options?: RequestOptions): Call<RetriedPostSet> {
    return this.#transport.send({ method: 'POST', path: `${at(POST_SETS, id)}/retry`, body }, options)
  }

  /**
   * Reads the set until it is `PUBLISHED`: each post has its `result` then, which may be `FAILED`.
   *
   * @param options `timeout`: milliseconds in total; without one it waits as long as it takes. `onChange` is called with each
   *   version of the set that is seen
   * @throws AlmanacError if it is a draft, which is never published; TimeoutError
   */
  waitUntilPublished(id: string, options: WaitOptions = {}): Promise<PostSet> {
    const { timeout, onChange, signal } = options
    const late = () => new TimeoutError(`The post set was not published within ${timeout} ms.`)
    const read = (ending: AbortSignal) => this.get(id, { signal: ending })
    return waitUntilPublished(read, { timeout, onChange, signal, late })
  }
}

export interface WaitOptions {
  signal?: AbortSignal | undefined
  timeout?: number | undefined
  onChange?: ((postSet: PostSet) => void) | undefined
}

const NOTES = '/v1/notes'

export class Notes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All notes of at most 366 days, earliest first. */
  list(query: NoteListQuery, options?: RequestOptions): Call<Note[]> {
    return this.#transport.send({ method: 'GET', path: NOTES, query }, options)
  }

  get(id: string, options?: RequestOptions): Call<Note> {
    return this.#transport.send({ method: 'GET', path: at(NOTES, id) }, options)
  }

  create(body: NoteCreate, options?: RequestOptions): Call<Note> {
    return this.#transport.send({ method: 'POST', path: NOTES, body }, options)
  }

  update(id: string, body: NoteUpdate, options?: RequestOptions): Call<Note> {
    return this.#transport.send({ method: 'PATCH', path: at(NOTES, id), body }, options)
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#transport.send({ method: 'DELETE', path: at(NOTES, id) }, options)
  }
}

export class SocialSets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: PageQuery, options?: RequestOptions): Pages<SocialSet> {
    return listPages(this.#transport, '/v1/social-sets', query, options)
  }

  /** The next saved times of the social set that have no post set yet. */
  freeSlots(id: string, query: FreeSlotsQuery = {}, options?: RequestOptions): Call<FreeSlots> {
    return this.#transport.send({ method: 'GET', path: `${at('/v1/social-sets', id)}/free-slots`, query }, options)
  }
}

export class Labels {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: PageQuery, options?: RequestOptions): Pages<Label> {
    return listPages(this.#transport, '/v1/labels', query, options)
  }
}

export class Networks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** What each account type accepts. */
  list(query?: PageQuery, options?: RequestOptions): Pages<NetworkDescription> {
    return listPages(this.#transport, '/v1/networks', query, options)
  }
}

export class Media {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: MediaListQuery, options?: RequestOptions): Pages<MediaLibraryItem> {
    return listPages(this.#transport, '/v1/media-library', query, options)
  }

  get(id: string, options?: RequestOptions): Call<MediaLibraryItem> {
    return this.#transport.send({ method: 'GET', path: at('/v1/media-library', id) }, options)
  }
}

/** Imports step by step; `almanac.importMedia` does all of it. */
export class MediaUploads {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Begins an import from a public address. */
  create(body: MediaUploadCreate, options?: RequestOptions): Call<MediaUpload> {
    return this.#transport.send({ method: 'POST', path: '/v1/media-upload', body }, options)
  }

  get(id: string, options?: RequestOptions): Call<MediaUpload> {
    return this.#transport.send({ method: 'GET', path: at('/v1/media-upload', id) }, options)
  }
}

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Events after a position. Without `after` there are none, only `nextAfter`: the current position. */
  list(query: EventQuery = {}, options?: RequestOptions): Call<EventPage> {
    return this.#transport.send({ method: 'GET', path: '/v1/events', query }, options)
  }

  /**
   * Events as they happen, without an end: `for await (const event of almanac.events.follow(after))`. Store `event.position` and begin
   * with it the next time. Once it has begun, it resumes by itself after the service was away.
   *
   * @param after the position after which it begins; undefined: from now on
   * @throws GoneError `event:position_gone` from the iteration, and the reason of `signal`, once it aborts
   */
  follow(after?: number, followed: Followed = {}): AsyncGenerator<AlmanacEvent, void, undefined> {
    return followEvents((query, signal) => this.list(query, { signal }), after, followed)
  }
}

const WEBHOOKS = '/v1/webhooks'

export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options?: RequestOptions): Call<WebhookList> {
    return this.#transport.send({ method: 'GET', path: WEBHOOKS }, options)
  }

  get(id: string, options?: RequestOptions): Call<Webhook> {
    return this.#transport.send({ method: 'GET', path: at(WEBHOOKS, id) }, options)
  }

  /** Its `secret` is returned only here. */
  create(body: WebhookCreate, options?: RequestOptions): Call<WebhookWithSecret> {
    return this.#transport.send({ method: 'POST', path: WEBHOOKS, body }, options)
  }

  update(id: string, body: WebhookUpdate, options?: RequestOptions): Call<Webhook> {
    return this.#transport.send({ method: 'PATCH', path: at(WEBHOOKS, id), body }, options)
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#transport.send({ method: 'DELETE', path: at(WEBHOOKS, id) }, options)
  }

  /** For 24 hours the previous secret also signs. */
  rotateSecret(id: string, options?: RequestOptions): Call<WebhookWithSecret> {
    return this.#transport.send({ method: 'POST', path: `${at(WEBHOOKS, id)}/rotate-secret` }, options)
  }

  test(id: string, options?: RequestOptions): Call<WebhookTested> {
    return this.#transport.send({ method: 'POST', path: `${at(WEBHOOKS, id)}/test` }, options)
  }

  /** The requests that were sent to it, newest first. */
  attempts(id: string, query?: WebhookAttemptQuery, options?: RequestOptions): Pages<WebhookAttempt> {
    return listPages(this.#transport, `${at(WEBHOOKS, id)}/attempts`, query, options)
  }

  resend(id: string, body: WebhookResend, options?: RequestOptions): Call<WebhookQueued> {
    return this.#transport.send({ method: 'POST', path: `${at(WEBHOOKS, id)}/resend`, body }, options)
  }

  adopt(id: string, options?: RequestOptions): Call<Webhook> {
    return this.#transport.send({ method: 'POST', path: `${at(WEBHOOKS, id)}/adopt` }, options)
  }

  /** The event of a request to your address. The same as `unwrapWebhook`, which needs no client. */
  unwrap(
    rawBody: string,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    options?: UnwrapOptions,
  ): Promise<AlmanacEvent> {
    return unwrapWebhook(rawBody, headers, secret, options)
  }
}
