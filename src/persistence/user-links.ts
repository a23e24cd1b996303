import type { UserLinkPurpose } from './columns.ts'
import { type Database, fromNow, now } from './database.ts'

interface UserLink {
  userId: string
  /** Of a change of address: the new one. */
  email: string | null
}

/** Keeps a link that was made for a user; its token is known by its hash alone. */
export async function insertUserLink(
  db: Database,
  link: { tokenHash: Buffer; userId: string; purpose: UserLinkPurpose; email?: string; lastsMs: number },
): Promise<void> {
  await db
    .insertInto('user_links')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      purpose: link.purpose,
      email: link.email ?? null,
      expires_at: fromNow(link.lastsMs),
    })
    .execute()
}

/** The link of a token, while its time is not over. */
export async function findUserLink(
  db: Database,
  wanted: { tokenHash: Buffer; purpose: UserLinkPurpose },
): Promise<UserLink | null> {
  const row = await db
    .selectFrom('user_links')
    .select(['user_id as userId', 'email'])
    .where('token_hash', '=', wanted.tokenHash)
    .where('purpose', '=', wanted.purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** Takes a link, once: the second caller gets null. */
export async function claimUserLink(
  trx: Database,
  wanted: { tokenHash: Buffer; purpose: UserLinkPurpose },
): Promise<UserLink | null> {
  const row = await trx
    .deleteFrom('user_links')
    .where('token_hash', '=', wanted.tokenHash)
    .where('purpose', '=', wanted.purpose)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'email'])
    .executeTakeFirst()
  return row ?? null
}

/** The address that the newest open change of address of a user leads to. */
export async function findPendingEmail(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_links')
    .select('email')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email-change')
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Makes the links of a user worthless: those of one purpose, or all. */
export async function deleteUserLinks(db: Database, userId: string, purpose?: UserLinkPurpose): Promise<void> {
  await db
    .deleteFrom('user_links')
    .where('user_id', '=', userId)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose ?? 'password-reset'))
    .execute()
}
