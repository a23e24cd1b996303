import type { PlanCatalog } from '#contract'
import type { SecretBox } from '#domain'
import type { FeedWriter } from '#icalendar'
import type { Identity, Mailer } from '#identity'
import type { MediaStore, UrlSigner } from '#media'
import type { ConnectContext, Network, Networks } from '#networks'
import type { Database } from '#persistence'
import type { TokenDeps } from '#publishing'
import type { WithSandbox } from './connections/connect-sandbox.ts'
import type { AuthorizationBox } from './connections/credentials.ts'
import type { EventWaits } from './events/waits.ts'
import type { LiveFeed } from './live/feed.ts'
import type { sharedFeedScope } from './shared-calendars/feed.ts'
import type { SharedThread } from './shared-calendars/shared-thread.ts'

/** What operations work with, put together in one place. Each takes of it what it needs. */
export interface OperationDeps extends Pick<TokenDeps, 'httpFor' | 'credentials' | 'endpoint' | 'setting'> {
  db: Database
  /** Whose rules scheduled posts must keep. */
  networks: Networks
  plans: PlanCatalog
  /** Address of this installation, without a slash at the end. */
  publicUrl: string
  now(): Date
  /** Hears of what goes wrong after the answer was given, among others. */
  log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>
  identity: Identity
  /** Null: no mail can be sent here. */
  mailer: Mailer | null
  /** Seals secrets for their rows. */
  box: SecretBox
  store: MediaStore
  /** Signs the addresses of media in answers. */
  urls: UrlSigner
  /** What a network's sign-in may use; a server that the operator named may be private. */
  connectContext(network: Network, place: { service: string | null; sandbox: boolean }): ConnectContext
  authorizations: AuthorizationBox
  /** Null where the sandbox is off. */
  withSandbox: WithSandbox | null
  /** What the environment sets of a network's settings. */
  environmentOf(network: string): Readonly<Record<string, string>>
  /** What this process knows of the operator's apps is read again; the others hear of it. */
  refreshApps(): Promise<void>
  live: LiveFeed
  eventWaits: EventWaits
  sharedFeedScope: typeof sharedFeedScope
  feedWriter: FeedWriter
  /** The comments of post sets that guests see; null: there are none. */
  thread: SharedThread | null
  /** `host` or `host:port`: those that webhooks may have although they are private, and by http. */
  trustedWebhookHosts: readonly string[]
  /** Of which one has signed a link that ends mails. */
  unsubscribeKeys: readonly Buffer[]
  /** Printed at the start while there is no account; of several secret keys each has one. Only the operator knows them. */
  setupCodes: readonly string[]
  /** Called when the first account is there. */
  afterSetUp?(): Promise<void>
}

export type PostSetDeps = Pick<OperationDeps, 'db' | 'networks' | 'urls'>
