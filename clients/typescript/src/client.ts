import { AlmanacError } from './errors.ts'
import { type ImportOptions, importMedia, type MediaSource, type ReadyUpload } from './import-media.ts'
import { type Fetch, Transport } from './request.ts'
import { Events, Labels, Media, MediaUploads, Networks, Notes, PostSets, SocialSets, Webhooks } from './resources.ts'

export interface AlmanacOptions {
  /** Address of the service: `https://almanac.example.com`. */
  url: string
  /** An API key: `alm_…`. */
  key: string
  /** Sends the requests; what the platform has where nothing is given. */
  fetch?: Fetch | undefined
  /** Milliseconds that each attempt of a request may take: 60,000 where nothing is given. */
  timeout?: number | undefined
  /** How often a request is tried again: 2 where nothing is given. */
  maxRetries?: number | undefined
  /** In a browser everyone who sees the page can read the key. True: that is meant so. */
  allowInBrowser?: boolean | undefined
}

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 2

/** A client of one service with one key. */
export class Almanac {
  readonly postSets: PostSets
  readonly notes: Notes
  readonly socialSets: SocialSets
  readonly labels: Labels
  readonly networks: Networks
  readonly media: Media
  readonly mediaUploads: MediaUploads
  readonly events: Events
  readonly webhooks: Webhooks
  readonly #transport: Transport

  /** @throws AlmanacError when address or key cannot be right, and in a browser that is not allowed */
  constructor(options: AlmanacOptions) {
    if (isBrowser() && !options.allowInBrowser) {
      throw new AlmanacError(
        'In a browser the API key can be read by everyone who sees the page. Ask the service from a server of yours, or set allowInBrowser.',
      )
    }
    const { key, fetch, timeout = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options
    if (!/^[\x21-\x7e]+$/.test(key ?? '')) throw new AlmanacError('An API key is needed: alm_…')
    this.#transport = new Transport({
      url: addressOf(options.url),
      key,
      fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
      timeout,
      maxRetries,
    })
    this.postSets = new PostSets(this.#transport)
    this.notes = new Notes(this.#transport)
    this.socialSets = new SocialSets(this.#transport)
    this.labels = new Labels(this.#transport)
    this.networks = new Networks(this.#transport)
    this.media = new Media(this.#transport)
    this.mediaUploads = new MediaUploads(this.#transport)
    this.events = new Events(this.#transport)
    this.webhooks = new Webhooks(this.#transport)
  }

  /**
   * Brings a file into the media library of a social set and waits until its upload is `READY`. Use `mediaLibraryId` of what it answers
   * in posts.
   *
   * @param source a public address, which the service fetches; or bytes, which are sent
   * @throws MediaUploadError when the file cannot be taken
   */
  importMedia(source: MediaSource, options: ImportOptions): Promise<ReadyUpload> {
    return importMedia(this.#transport, source, options)
  }
}

/** Without a slash at the end. */
function addressOf(url: string): string {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw new AlmanacError('The address of the service is needed: https://almanac.example.com')
  }
  if (!/^https?:$/.test(parsed.protocol)) throw new AlmanacError('The address of the service begins with https://.')
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
}

/** A page, or a worker of one. Servers that run JavaScript have neither. */
function isBrowser(): boolean {
  const { document, importScripts, navigator } = globalThis as { document?: unknown; importScripts?: unknown } & {
    navigator?: { userAgent?: string }
  }
  const isWorker = typeof importScripts === 'function' && /Mozilla\//.test(navigator?.userAgent ?? '')
  return typeof document === 'object' || isWorker
}
