import type { AccountType, Why } from '#contract'
import type { AuthorizationStatus } from './columns.ts'
import { type Database, fromNow, now } from './database.ts'

/** What only the holder of the secret key reads. */
export interface SealedSecret {
  secret: Buffer
  secretKeyId: string
}

/** A sign-in on the pages of a network. */
export interface Authorization {
  id: string
  accountId: string
  socialSetId: string
  network: string
  accountType: AccountType
  sandbox: boolean
  status: AuthorizationStatus
  redirectUri: string
  secret: Buffer | null
  secretKeyId: string | null
  connectionId: string | null
  message: string | null
  /** The same by an id that the dashboard has words for; null where there is none. */
  why: Why | null
  /** The member who began it, and in which session; null: the operator's command began it. */
  startedBy: { userId: string; sessionId: string } | null
  expiresAt: Date
  /** By the database's clock. */
  expired: boolean
}

/** Keeps a sign-in that begins. It ends after `lastsMs`. */
export async function insertAuthorization(
  db: Database,
  started: Pick<
    Authorization,
    'id' | 'accountId' | 'socialSetId' | 'network' | 'accountType' | 'sandbox' | 'redirectUri' | 'startedBy'
  > &
    SealedSecret & { stateHash: Buffer; lastsMs: number },
): Promise<{ expiresAt: Date }> {
  return db
    .insertInto('authorizations')
    .values({
      id: started.id,
      account_id: started.accountId,
      social_set_id: started.socialSetId,
      network: started.network,
      account_type: started.accountType,
      sandbox: started.sandbox,
      state_hash: started.stateHash,
      redirect_uri: started.redirectUri,
      secret: started.secret,
      secret_key_id: started.secretKeyId,
      connection_id: null,
      message: null,
      why: null,
      started_by: started.startedBy?.userId ?? null,
      session_id: started.startedBy?.sessionId ?? null,
      expires_at: fromNow(started.lastsMs),
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()
}

/** Whether the newest sign-in of a social set on a network came to nothing, as long as it is remembered. */
export async function lastAuthorizationFailed(
  db: Database,
  wanted: Pick<Authorization, 'socialSetId' | 'network' | 'accountType'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('authorizations')
    .select('status')
    .where('social_set_id', '=', wanted.socialSetId)
    .where('network', '=', wanted.network)
    .where('account_type', '=', wanted.accountType)
    // One that is merely begun says nothing: a person may begin several times.
    .where('status', 'in', ['FAILED', 'CONNECTED', 'CHOOSING'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.status === 'FAILED'
}

/**
 * Takes a sign-in that was begun and whose time is not over, once: the second caller gets null. One that a member
 * began is given to the session that began it alone, and stays as it is for everyone else.
 *
 * @param wanted.sessionId of the browser that came back; null when no one is signed in there
 */
export async function claimAuthorization(
  db: Database,
  wanted: { network: string; stateHash: Buffer; sessionId: string | null },
): Promise<Authorization | null> {
  const row = await db
    .updateTable('authorizations')
    .set({ status: 'RETURNED' })
    .where('state_hash', '=', wanted.stateHash)
    .where('network', '=', wanted.network)
    .where('status', '=', 'STARTED')
    .where('expires_at', '>', now)
    .where(({ eb, or }) =>
      or([
        eb('session_id', 'is', null),
        ...(wanted.sessionId === null ? [] : [eb('session_id', '=', wanted.sessionId)]),
      ]),
    )
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? authorizationOf({ ...row, expired: false }) : null
}

/** A sign-in by the hash of its state, in any state. */
export async function findAuthorizationByState(db: Database, stateHash: Buffer): Promise<Authorization | null> {
  const row = await db
    .selectFrom('authorizations')
    .select(COLUMNS)
    .select(({ eb }) => eb('expires_at', '<=', now).as('expired'))
    .where('state_hash', '=', stateHash)
    .executeTakeFirst()
  return row ? authorizationOf({ ...row, expired: Boolean(row.expired) }) : null
}

/** A sign-in by its id; with `lock` its row stays locked until the caller's transaction ends. */
export async function findAuthorization(
  db: Database,
  id: string,
  options: { lock: boolean },
): Promise<Authorization | null> {
  const query = db
    .selectFrom('authorizations')
    .select(COLUMNS)
    .select(({ eb }) => eb('expires_at', '<=', now).as('expired'))
    .where('id', '=', id)
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst()
  return row ? authorizationOf({ ...row, expired: Boolean(row.expired) }) : null
}

/** The accounts to choose from are there, sealed; they are kept for `lastsMs`. */
export async function keepChoices(
  db: Database,
  id: string,
  choices: SealedSecret & { lastsMs: number },
): Promise<void> {
  await db
    .updateTable('authorizations')
    .set({
      status: 'CHOOSING',
      secret: choices.secret,
      secret_key_id: choices.secretKeyId,
      expires_at: fromNow(choices.lastsMs),
    })
    .where('id', '=', id)
    .execute()
}

/** A sign-in is over; what was secret of it goes away. */
export async function endAuthorization(
  db: Database,
  id: string,
  end: { status: 'CONNECTED'; connectionId: string } | { status: 'FAILED'; message: string; why: Why | null },
): Promise<void> {
  await db
    .updateTable('authorizations')
    .set({
      status: end.status,
      secret: null,
      secret_key_id: null,
      ...(end.status === 'CONNECTED'
        ? { connection_id: end.connectionId }
        : { message: end.message, why: end.why === null ? null : JSON.stringify(end.why) }),
    })
    .where('id', '=', id)
    .execute()
}

const COLUMNS = [
  'id',
  'account_id as accountId',
  'social_set_id as socialSetId',
  'network',
  'account_type as accountType',
  'sandbox',
  'status',
  'redirect_uri as redirectUri',
  'secret',
  'secret_key_id as secretKeyId',
  'connection_id as connectionId',
  'message',
  'why',
  'started_by as userId',
  'session_id as sessionId',
  'expires_at as expiresAt',
] as const

interface Row extends Omit<Authorization, 'startedBy'> {
  userId: string | null
  sessionId: string | null
}

function authorizationOf({ userId, sessionId, ...row }: Row): Authorization {
  const startedBy = userId === null || sessionId === null ? null : { userId, sessionId }
  return { ...row, startedBy }
}
