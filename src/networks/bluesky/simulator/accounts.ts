import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { DAY_MS, HOUR_MS } from '#contract/durations'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../../kit/simulation.ts'
import { bearerIn, usernameFor } from '../../kit/simulator.ts'
import { base32, ok, refusal, refuse } from './answers.ts'

export interface Account {
  did: string
  handle: string
  name: string
  connectionId: string
}

type Session = { accessJwt: string; refreshJwt: string }

/** What a token says. `scope` is `service` for those of other services, which may call `lxm` of `aud`. */
interface Claims {
  scope: string
  sub: string
  /** Seconds. */
  exp: number
  jti: string
  aud?: string
  lxm?: string | null
}

/** Of a refresh token that was used, by its `jti`: the one that followed it. */
type Used = { next: { jti: string; usedAt: string } | null }

const ACCESS_MS = 2 * HOUR_MS
const REFRESH_MS = 90 * DAY_MS
/** A used refresh token is answered for so long, so that a lost answer does not cost the session. */
const GRACE_MS = 2 * HOUR_MS
const SERVICE_MS = HOUR_MS
/** App passwords are signatures of this kind of the account's DID: the installation alone can make them. */
const PASSWORD = 'app password'
const [ACCESS, REFRESH, SERVICE] = ['com.atproto.appPass', 'com.atproto.refresh', 'service'] as const

const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The accounts of the simulated server and who is signed in. */
export function openAccounts({ store, now, tokens, url }: SimulatorDeps) {
  const serverDid = `did:web:${encodeURIComponent(new URL(url).host)}`
  const seconds = (ms = 0) => Math.floor((now().getTime() + ms) / 1000)

  /** A token as servers make them: a JWT that only the server can check. */
  function tokenOf(claims: Omit<Claims, 'jti'> & { jti?: string }): string {
    const text = `${packed({ typ: 'at+jwt', alg: 'HS256' })}.${packed({ jti: randomUUID(), ...claims })}`
    return `${text}.${tokens.sign('session', text)}`
  }

  /** Null for a token that is not ours. */
  function claimsOf(token: string): Claims | null {
    const [header, claims = '', signature = ''] = token.split('.')
    const isOurs = tokens.isSignature('session', `${header}.${claims}`, signature)
    return isOurs ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : null
  }

  /** What the token of a request says, and whose it is. */
  function bearer(request: IncomingMessage, scope: string) {
    const token = bearerIn(request) ?? refuse(401, 'AuthMissing', 'Authentication Required')
    const claims = claimsOf(token) ?? refuse(400, 'InvalidToken', 'Token could not be verified')
    if (claims.exp <= seconds()) refuse(400, 'ExpiredToken', 'Token has expired')
    if (claims.scope !== scope && scope === SERVICE) refuse(401, 'BadJwtLexiconMethod', 'bad jwt lexicon method')
    if (claims.scope !== scope) refuse(400, 'InvalidToken', 'Token could not be verified')
    return { claims, account: find(claims.sub) ?? refuse(401, 'AccountNotFound', 'Account not found') }
  }

  /** By DID or handle. */
  function find(identifier: string): Account | null {
    const wanted = identifier.replace(/^@/, '').toLowerCase()
    const did = store.get<{ did: string }>('handles', wanted)?.did ?? wanted
    return store.get<Account>('accounts', did) ?? null
  }

  function open({ did }: Account, jti: string = randomUUID()): Session {
    return {
      accessJwt: tokenOf({ scope: ACCESS, sub: did, exp: seconds(ACCESS_MS) }),
      refreshJwt: tokenOf({ scope: REFRESH, sub: did, exp: seconds(REFRESH_MS), jti }),
    }
  }

  function documentOf({ did, handle }: Account) {
    const service = { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: `${url}/pds` }
    return { id: did, alsoKnownAs: [`at://${handle}`], service: [service] }
  }

  const shown = (account: Account, more: object): SimulatedAnswer =>
    ok({ did: account.did, handle: account.handle, didDoc: documentOf(account), active: true, ...more })

  return {
    serverDid,
    find,

    /** What the directory says of a DID. */
    inDirectory(did: string): SimulatedAnswer {
      const account = store.get<Account>('accounts', did)
      return account ? ok(documentOf(account)) : { status: 404, body: { message: `DID not registered: ${did}` } }
    },

    /** Whose session it is; for a method that another service may call here, who lets it. */
    authorize(request: IncomingMessage, method: string | null): Account {
      const { claims, account } = bearer(request, method === null ? ACCESS : SERVICE)
      if (method === null) return account
      if (claims.lxm !== method) refuse(401, 'BadJwtLexiconMethod', 'bad jwt lexicon method')
      if (claims.aud !== serverDid) refuse(401, 'BadJwtAudience', 'jwt audience does not match service did')
      return account
    },

    /** The account of a connection, the same one whenever it is asked for, with a session for as long as it can be used. */
    identityFor({ id, name }: Parameters<Simulator['identityFor']>[0]): ReturnType<Simulator['identityFor']> {
      const suffix = base32(createHash('sha256').update(id).digest()).slice(0, 24)
      const did = `did:plc:${suffix}`
      const handle = `${usernameFor(name).slice(0, 20).replaceAll('_', '-')}-${suffix.slice(0, 4)}.test`
      const known = find(did)
      const account = known ?? { did, handle, name, connectionId: id }
      if (!known) {
        store.put('accounts', did, account)
        store.put('handles', handle, { did })
      }
      const kept = store.get<Session>('first-sessions', did)
      const isOpen = kept && (claimsOf(kept.accessJwt)?.exp ?? 0) > seconds()
      const session = isOpen ? kept : open(account)
      if (!isOpen) store.put('first-sessions', did, session)
      return {
        externalId: did,
        name: account.name,
        username: account.handle,
        profileUrl: `${url}/web/profile/${account.handle}`,
        avatarUrl: null,
        credentials: { ...session },
        expiresAt: new Date((claimsOf(session.accessJwt)?.exp ?? 0) * 1000),
        endpoints: {},
      }
    },

    signIn({ identifier, password }: Readonly<Record<string, unknown>>): SimulatedAnswer {
      const account = find(String(identifier))
      const isRight = account && tokens.isSignature(PASSWORD, account.did, String(password))
      if (isRight) return shown(account, open(account))
      return refusal(401, 'AuthenticationRequired', 'Invalid identifier or password')
    },

    /** `com.atproto.server.getSession` */
    present: (account: Account) => shown(account, { emailConfirmed: true }),

    /** Every refresh token is good for one new session, and for the same again for a while. */
    refresh(request: IncomingMessage): SimulatedAnswer {
      const { claims, account } = bearer(request, REFRESH)
      const known = store.get<Used>('sessions', claims.jti)?.next
      const next = known ?? { jti: randomUUID(), usedAt: now().toISOString() }
      if (now().getTime() > Date.parse(next.usedAt) + GRACE_MS) refuse(400, 'ExpiredToken', 'Token has been revoked')
      if (!known) store.put('sessions', claims.jti, { next } satisfies Used)
      return shown(account, open(account, next.jti))
    },

    /** A token with which another service may call one method of this server. */
    serviceToken({ did }: Account, query: URLSearchParams): SimulatedAnswer {
      const [aud, lxm] = [query.get('aud') ?? '', query.get('lxm')]
      const exp = Number(query.get('exp') ?? seconds(60_000))
      const tooLate = 'cannot request a token with an expiration more than an hour in the future'
      if (!aud.startsWith('did:')) return refusal(400, 'InvalidRequest', 'Invalid aud')
      if (!(exp > seconds())) return refusal(400, 'BadExpiration', 'expiration is in past')
      if (exp > seconds(SERVICE_MS)) return refusal(400, 'BadExpiration', tooLate)
      return ok({ token: tokenOf({ scope: SERVICE, sub: did, aud, lxm, exp }) })
    },
  }
}
