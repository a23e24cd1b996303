import { createHash, randomUUID } from 'node:crypto'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import { refusal } from './answers.ts'
import { base32 } from './cid.ts'
import { type Claims, isAnswer, openTokens } from './tokens.ts'

export interface Account {
  did: string
  handle: string
  name: string
  connectionId: string
}

export interface Session {
  accessJwt: string
  refreshJwt: string
  expiresAt: Date
}

/** A refresh token that was handed out; once it is used, the one that followed it. */
interface RefreshEntry {
  did: string
  next: { jti: string; usedAt: string } | null
}

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const ACCESS_MS = 2 * HOUR
const REFRESH_MS = 90 * 24 * HOUR
/** A used refresh token is answered for so long, so that a lost answer costs nobody the session. */
const GRACE_MS = 2 * HOUR
const SERVICE_MS = HOUR
/** App passwords are signatures of this kind of the account's DID: the installation alone can make them. */
const PASSWORD = 'app password'

export type Accounts = ReturnType<typeof openAccounts>

/** The accounts of the pretend server and who is signed in. */
export function openAccounts(deps: SimulatorDeps, options: { pds: string }) {
  const { store, now } = deps
  const tokens = openTokens(deps)
  const serverDid = `did:web:${encodeURIComponent(new URL(deps.url).host)}`
  const seconds = (ms: number) => Math.floor((now().getTime() + ms) / SECOND)

  /** By DID or handle. */
  function find(identifier: string): Account | null {
    const wanted = identifier.replace(/^@/, '').toLowerCase()
    return store.get<Account>('accounts', wanted) ?? byHandle(wanted)
  }
  function byHandle(handle: string): Account | null {
    const entry = store.get<{ did: string }>('handles', handle)
    return (entry && store.get<Account>('accounts', entry.did)) ?? null
  }

  function open(account: Account, jti: string = randomUUID()): Session {
    if (!store.get('sessions', jti)) store.put('sessions', jti, { did: account.did, next: null } satisfies RefreshEntry)
    const claims = (scope: string, ms: number, id: string): Claims => ({
      scope,
      sub: account.did,
      exp: seconds(ms),
      jti: id,
    })
    return {
      accessJwt: tokens.sign(claims('com.atproto.appPass', ACCESS_MS, randomUUID())),
      refreshJwt: tokens.sign(claims('com.atproto.refresh', REFRESH_MS, jti)),
      expiresAt: new Date(seconds(ACCESS_MS) * SECOND),
    }
  }

  function sessionAnswer(account: Account, session: Session): SimulatedAnswer {
    const { accessJwt, refreshJwt } = session
    const didDoc = didDocument(account)
    return {
      status: 200,
      body: { did: account.did, handle: account.handle, didDoc, accessJwt, refreshJwt, active: true },
    }
  }

  function didDocument({ did, handle }: Account) {
    const service = { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: options.pds }
    return { id: did, alsoKnownAs: [`at://${handle}`], service: [service] }
  }

  /** The account of a bearer token of the scope, or the answer that refuses it. */
  function authorize(authorization: string | undefined, scope = 'com.atproto.appPass'): Account | SimulatedAnswer {
    const claims = tokens.verify(authorization, now())
    if (isAnswer(claims)) return claims
    if (claims.scope !== scope) return refusal(400, 'InvalidToken', 'Token could not be verified')
    return find(claims.sub) ?? refusal(401, 'AccountNotFound', 'Account not found')
  }

  return {
    serverDid,
    find,

    /** What the directory says of a DID. */
    inDirectory(did: string): SimulatedAnswer {
      const account = store.get<Account>('accounts', did)
      if (!account) return { status: 404, body: { message: `DID not registered: ${did}` } }
      return { status: 200, body: didDocument(account) }
    },

    authorize,

    /** The account of a connection; the same one whenever it is asked for. */
    forConnection({ id, name }: { id: string; name: string }): Account {
      const suffix = base32(createHash('sha256').update(id).digest()).slice(0, 24)
      const did = `did:plc:${suffix}`
      const known = find(did)
      if (known) return known
      const slug =
        name
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .slice(0, 20)
          .replace(/^-+|-+$/g, '') || 'account'
      const account: Account = { did, handle: `${slug}-${suffix.slice(0, 4)}.test`, name, connectionId: id }
      store.put('accounts', did, account)
      store.put('handles', account.handle, { did })
      return account
    },

    /** The session that was opened for a connection, for as long as it can be used; then a new one. */
    sessionFor(account: Account): Session {
      const kept = store.get<{ accessJwt: string; refreshJwt: string }>('first-sessions', account.did)
      const claims = kept && tokens.verify(`Bearer ${kept.accessJwt}`, now())
      if (kept && claims && !isAnswer(claims)) return { ...kept, expiresAt: new Date(claims.exp * SECOND) }
      const session = open(account)
      store.put('first-sessions', account.did, { accessJwt: session.accessJwt, refreshJwt: session.refreshJwt })
      return session
    },

    signIn({ identifier, password }: Record<string, unknown>): SimulatedAnswer {
      const account = typeof identifier === 'string' ? find(identifier) : null
      const right = account && typeof password === 'string' && deps.tokens.isSignature(PASSWORD, account.did, password)
      if (!right) {
        return refusal(401, 'AuthenticationRequired', 'Invalid identifier or password')
      }
      return sessionAnswer(account, open(account))
    },

    /** `com.atproto.server.getSession` */
    present(account: Account): SimulatedAnswer {
      const { did, handle } = account
      return { status: 200, body: { did, handle, didDoc: didDocument(account), emailConfirmed: true, active: true } }
    },

    /** Every refresh token is good for one new session, and for the same again for a while. */
    refresh(authorization: string | undefined): SimulatedAnswer {
      const claims = tokens.verify(authorization, now())
      if (isAnswer(claims)) return claims
      const entry = store.get<RefreshEntry>('sessions', claims.jti)
      const account = find(claims.sub)
      if (claims.scope !== 'com.atproto.refresh') return refusal(400, 'InvalidToken', 'Token could not be verified')
      const spent = entry?.next && now().getTime() > new Date(entry.next.usedAt).getTime() + GRACE_MS
      if (!entry || !account || spent) return refusal(400, 'ExpiredToken', 'Token has been revoked')
      const next = entry.next ?? { jti: randomUUID(), usedAt: now().toISOString() }
      if (!entry.next) store.put('sessions', claims.jti, { ...entry, next } satisfies RefreshEntry)
      return sessionAnswer(account, open(account, next.jti))
    },

    /** A token with which another service may call one method of this server. */
    serviceToken(account: Account, query: URLSearchParams): SimulatedAnswer {
      const [aud, lxm] = [query.get('aud'), query.get('lxm')]
      if (!aud?.startsWith('did:')) return refusal(400, 'InvalidRequest', 'Invalid aud')
      const wanted = Number(query.get('exp') ?? seconds(60 * SECOND))
      if (!Number.isInteger(wanted) || wanted <= seconds(0))
        return refusal(400, 'BadExpiration', 'expiration is in past')
      const longest = lxm ? SERVICE_MS : 60 * SECOND
      if (wanted > seconds(longest))
        return refusal(
          400,
          'BadExpiration',
          'cannot request a token with an expiration more than an hour in the future',
        )
      const claims = {
        scope: 'service',
        sub: account.did,
        aud,
        exp: wanted,
        jti: randomUUID(),
        ...(lxm ? { lxm } : {}),
      }
      return { status: 200, body: { token: tokens.sign(claims) } }
    },

    /** The account that lets another service call `lxm` of this server. */
    authorizeService(authorization: string | undefined, lxm: string): Account | SimulatedAnswer {
      const claims = tokens.verify(authorization, now())
      if (isAnswer(claims)) return claims
      if (claims.scope !== 'service' || claims.lxm !== lxm)
        return refusal(401, 'BadJwtLexiconMethod', 'bad jwt lexicon method')
      if (claims.aud !== serverDid) return refusal(401, 'BadJwtAudience', 'jwt audience does not match service did')
      return find(claims.sub) ?? refusal(401, 'AccountNotFound', 'Account not found')
    },
  }
}
