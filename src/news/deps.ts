import type { Mailer } from '#identity'
import type { MediaStore } from '#media'
import type { Networks } from '#networks'
import type { Database } from '#persistence'
import type { NewsGuests } from './guests.ts'
import type { Receiver } from './receiver.ts'
import type { NewsSettings } from './settings.ts'
import type { WatchDeps } from './watch.ts'

export interface NewsroomDeps {
  db: Database
  networks: Networks
  renewsItself: WatchDeps['renewsItself']
  /** Null: ALMANAC_ALERT_URL is not set. */
  receiver: Receiver | null
  /** Null: no mail is sent here. */
  mailer: Mailer | null
  /** Null: no guest gets mail. */
  guests: NewsGuests | null
  /** Where the small pictures of posts are; null: mails have none. */
  store: MediaStore | null
  publicUrl: string
  /** Sign the links that end mails; the first one signs new ones. */
  unsubscribeKeys: readonly [Buffer, ...Buffer[]]
  settings: NewsSettings
  /** Hears that something was sent and its outcome is stored next; a no-op outside tests. */
  signals?: (step: 'sent', newsId: string) => void | Promise<void>
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}
