import type { UrlSigner } from '#media'
import type { Networks } from '#networks'
import type { Database } from '#persistence'

/** What the operations on post sets work with. */
export interface PostSetDeps {
  db: Database
  /** Whose rules scheduled posts must keep. */
  networks: Networks
  /** Signs the addresses of media in answers. */
  urls: Pick<UrlSigner, 'sign'>
}
