import type { GuestComment, Plan } from '#contract'
import type { Actor, Database, PostSetRow } from '#persistence'

/** A guest as the thread of comments knows one. */
export interface ThreadGuest {
  accountId: string
  socialSetIds: readonly string[]
  plan: Plan
  actor: Actor
  link: { id: string; name: string }
  /** Whether the link shows the post set: that was found out before. */
  shows(set: PostSetRow): boolean
}

/** The comments that the team and guests share: the only way to them from here, and none to others. */
export interface SharedThread {
  read(db: Database, guest: ThreadGuest, postSetId: string): Promise<GuestComment[]>
  /** In the caller's transaction, with news of it. */
  write(db: Database, guest: ThreadGuest, postSetId: string, comment: { text: string }): Promise<GuestComment>
}
