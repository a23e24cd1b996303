import type { AccountType } from '#contract'
import type {
  AppCheck,
  Connect,
  ConnectContext,
  DefaultOptions,
  Manifest,
  NetworkIdentity,
  OptionsOutcome,
  Reconnect,
  SignInOutcome,
} from '../network.ts'
import type { Called } from './api.ts'
import { type AppAnswer, appCheckOutcome } from './app-check.ts'
import type { ErrorTable } from './errors.ts'
import type { HttpRequest } from './http.ts'
import { number, record, string } from './read-json.ts'

/** What a token endpoint gave. Names and units of RFC 6749, section 5.1, which all networks follow so far. */
export interface TokenAnswer {
  accessToken: string
  /** Null when the answer holds none: then an older one stays as it is. */
  refreshToken: string | null
  /** By the clock of the context; null when the network does not say. */
  expiresAt: Date | null
  /** As the network writes them, often not what was asked for. */
  scope: string | null
  /** The whole body, for what else a network says (`open_id`, `refresh_token_expires_in`). */
  body: Readonly<Record<string, unknown>>
  /** As it came: ids that are numbers lose digits when they are read as JSON. */
  text: string
}

export type TokenOutcome =
  | { kind: 'token'; token: TokenAnswer }
  /** The network says no. `error` is its own code (`invalid_grant`), empty when it gave none; `message` is for people. */
  | { kind: 'refused'; status: number; error: string; message: string }
  /** A passing fault; nothing was learnt. */
  | { kind: 'failed'; message: string }

/** An address with these parameters, in this order; nulls are left out. */
export function addressWith(base: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

/** Asks a token endpoint. `network` begins the sentences that people read. */
export async function requestToken(
  context: Pick<ConnectContext, 'http' | 'signal' | 'now'>,
  network: string,
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'form' | 'json'>,
): Promise<TokenOutcome> {
  const answer = await context.http({ ...request, signal: context.signal, timeoutMs: 20_000 })
  if (answer.kind === 'failed') return { kind: 'failed', message: `${network} could not be reached. ${answer.message}` }
  const body = record(answer.json)
  const accessToken = string(body?.access_token)
  if (answer.status < 300 && body && accessToken !== undefined) {
    const seconds = number(body.expires_in)
    return {
      kind: 'token',
      token: {
        accessToken,
        refreshToken: string(body.refresh_token) ?? null,
        expiresAt: seconds === undefined ? null : new Date(context.now().getTime() + seconds * 1000),
        scope: string(body.scope) ?? null,
        body,
        text: answer.text,
      },
    }
  }
  if (!body || answer.status >= 500 || answer.status === 429) {
    return { kind: 'failed', message: `${network} answered the sign-in with a fault (${answer.status}).` }
  }
  const error = string(body.error) ?? string(record(body.error)?.type) ?? string(body.error_type) ?? ''
  const words =
    string(body.error_description) ??
    string(record(body.error)?.message) ??
    string(body.error_message) ??
    string(body.message)
  const reported = words && withoutSecrets(words, request).replace(/\s+/g, ' ').slice(0, 200)
  const message = `${network} refused the sign-in${reported ? `: ${reported}` : ` (${error || answer.status}).`}`
  return { kind: 'refused', status: answer.status, error, message }
}

/** Networks repeat in their words what they cannot read; what was sent is taken out, whole, before they are cut short. */
function withoutSecrets(words: string, { url, form, headers }: Pick<HttpRequest, 'url' | 'form' | 'headers'>): string {
  const sent = [...new URL(url).searchParams.values(), ...Object.values(form ?? {}), ...Object.values(headers ?? {})]
  const secrets = sent.flatMap((value) => value.split(' ')).filter((value) => value.length >= 8)
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), words)
}

/** A sign-in by a code, and a refresh by a token (RFC 6749, sections 4.1 and 6), as far as networks differ in it. */
export interface CodeGrant {
  manifest: Pick<Manifest, 'name' | 'title'>
  /** Begins the sentences that people read. Default: the title of the network. */
  title?: string
  /** Settings of the manifest that hold the operator's app. */
  requires: readonly string[]
  /** It takes a PKCE challenge. */
  pkce?: true
  /** Address of the page on which people decide, and of the token endpoint. */
  page(context: Context): string
  tokens(context: Context): string
  /** How the app names itself on the page, and to the token endpoint. */
  app(context: Context, whose: Whose): { id: Readonly<Record<string, string>> } & Pick<HttpRequest, 'headers' | 'form'>
  /** What is asked for. */
  scopes(context: Context, accountType: AccountType): readonly string[]
  /** Between them. Default: a space. */
  separator?: ','
  /**
   * Those without which nothing can be published; of a list one is enough. Default: all but the `optional` ones, which may be declined.
   */
  needs?: readonly (string | readonly string[])[]
  optional?: readonly string[]
  /** What people read when some were not granted. */
  missing?(scopes: readonly string[]): string
  /** Other parameters of the page, and of the request that redeems the code. */
  asks?: Readonly<Record<string, string>>
  redeems?: Readonly<Record<string, string>>
  /** What helps when a code is refused. */
  advice?: string
  /** Why nothing is connected without a refresh token. Absent: it is. */
  withoutRefresh?: string
  /** Credentials without one may be good for a while yet: the network says so when they are not. */
  mayLackRefresh?: true
  /** Words by which a refresh learns that the grant is over, beside `invalid_grant`. Others speak of the app. */
  dead?: RegExp
  /** What refusals of a code that was never given say of the app, beside those of the standard. */
  appAnswers?: readonly AppAnswer[]
  /** What the names of the settings of further apps begin with. */
  furtherApps?: readonly string[]
  /** Whose tokens they are. */
  accounts(context: ConnectContext, token: TokenAnswer, accountType: AccountType): Promise<SignInOutcome>
}

type Context = Pick<ConnectContext, 'endpoint' | 'setting'>
/** The kind of account that signs in, or the account that is refreshed. */
type Whose = { accountType?: AccountType; externalId?: string }

/** What is sent to find out whether an app is known; 43 characters are the fewest that PKCE allows. */
const NO_CODE = 'a-code-that-was-never-given'
const NO_VERIFIER = 'a-verifier-that-belongs-to-no-code-0123456789'
const isOfApp = (name: string) => /^CLIENT_(ID|KEY|SECRET)$/.test(name)

const failed = (message: string) => ({ kind: 'failed', message }) as const
const listed = (scopes: string) => scopes.split(/[\s,]+/)

/** The two halves of a network's `connect`. */
export function codeGrant(grant: CodeGrant): Required<Pick<Connect, 'oauth'>> & { refresh: Refresh } {
  const { manifest, title = manifest.title, requires, pkce = false, separator = ' ' } = grant
  const redeeming = (context: Context, whose: Whose, code: string, redirectUri: string, verifier: string | null) => {
    const { headers, form } = grant.app(context, whose)
    return {
      method: 'POST',
      url: grant.tokens(context),
      ...(headers ? { headers } : {}),
      form: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...form,
        ...(verifier === null ? {} : { code_verifier: verifier }),
        ...grant.redeems,
      },
    } as const
  }
  /** With a code that was never given, the refusal is about the app or about the code. */
  const checkOf =
    (prefix: string): AppCheck =>
    async (context, { redirectUri }) => {
      const own = { ...context, setting: (name: string) => context.setting(isOfApp(name) ? prefix + name : name) }
      const asked = redeeming(own, {}, NO_CODE, redirectUri, pkce ? NO_VERIFIER : null)
      return appCheckOutcome(await requestToken(own, title, asked), grant.appAnswers ?? [])
    }
  return {
    oauth: {
      requires,
      checks: Object.fromEntries(['', ...(grant.furtherApps ?? [])].map((prefix) => [prefix, checkOf(prefix)])),
      pkce,
      authorizeUrl: (context, { accountType, state, redirectUri, codeChallenge }) =>
        addressWith(grant.page(context), {
          response_type: 'code',
          ...grant.app(context, { accountType }).id,
          redirect_uri: redirectUri,
          scope: grant.scopes(context, accountType).join(separator),
          state,
          ...grant.asks,
          ...(codeChallenge === null ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
        }),
      async complete(context, { accountType, code, redirectUri, codeVerifier }) {
        // Some hang this behind the code of the redirect; most browsers take it for a fragment.
        const given = code.replace(/#_$/, '')
        const redeem = redeeming(context, { accountType }, given, redirectUri, codeVerifier)
        const asked = await requestToken(context, title, redeem)
        if (asked.kind === 'failed') return asked
        if (asked.kind === 'refused') {
          const used = 'The code was used before or is too old. Connect the account again.'
          const advice = grant.advice ?? (asked.error === 'invalid_grant' ? used : '')
          return failed(`${asked.message} ${advice}`.trim())
        }
        const { scope, refreshToken } = asked.token
        const needed =
          grant.needs ?? grant.scopes(context, accountType).filter((each) => !grant.optional?.includes(each))
        const granted = scope === null ? null : listed(scope)
        const missing = needed.flatMap((each) => {
          const oneOf = typeof each === 'string' ? [each] : each
          return granted && !oneOf.some((name) => granted.includes(name)) ? [oneOf.join(' or ')] : []
        })
        if (missing.length > 0) {
          const names = `${title} did not grant ${missing.join(', ')}.`
          return failed(grant.missing?.(missing) ?? `${names} Sign in again and allow everything that is asked for.`)
        }
        if (grant.withoutRefresh && refreshToken === null) return failed(grant.withoutRefresh)
        return grant.accounts(context, asked.token, accountType)
      },
    },
    async refresh(context, { externalId, credentials }) {
      const { refreshToken } = credentials
      const unset = requires.find((name) => context.setting(name) === '')
      if (unset) {
        return failed(`${title} cannot be asked: its app is not set up on this installation (${unset} is missing).`)
      }
      if (!refreshToken) {
        const message = `${title} gave no refresh token. Connect the account again when it asks for it.`
        return grant.mayLackRefresh ? failed(message) : { kind: 'dead', message }
      }
      const { headers, form } = grant.app(context, { externalId })
      const asked = await requestToken(context, title, {
        method: 'POST',
        url: grant.tokens(context),
        ...(headers ? { headers } : {}),
        form: { grant_type: 'refresh_token', refresh_token: refreshToken, ...form },
      })
      if (asked.kind === 'token') {
        const { accessToken, expiresAt } = asked.token
        // A refresh token that the answer does not renew is kept.
        const renewed = { ...credentials, accessToken, refreshToken: asked.token.refreshToken ?? refreshToken }
        return { kind: 'refreshed', credentials: renewed, expiresAt }
      }
      const over = asked.kind === 'refused' && (asked.error === 'invalid_grant' || grant.dead?.test(asked.message))
      if (!over) return failed(asked.message)
      return { kind: 'dead', message: `${title} no longer accepts the sign-in. Connect the account again.` }
    },
  }
}

type Refresh = NonNullable<Connect['refresh']>

/** The app of the settings `CLIENT_ID` and `CLIENT_SECRET`, named in the form. `of` begins their names. */
export const appInForm = ({ setting }: Context, _: Whose = {}, of: '' | 'PAGE_' | 'LOGIN_' = '') => ({
  id: { client_id: setting(`${of}CLIENT_ID`) },
  form: { client_id: setting(`${of}CLIENT_ID`), client_secret: setting(`${of}CLIENT_SECRET`) },
})

/** The same app, in the header. */
export function appInHeader({ setting }: Context) {
  const encoded = [setting('CLIENT_ID'), setting('CLIENT_SECRET')].map(encodeURIComponent).join(':')
  const headers = { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }
  return { id: { client_id: setting('CLIENT_ID') }, headers }
}

/** The one account of a sign-in, asked for with the new token. */
export function accountFrom<T>(
  { title, errors, now }: Asked,
  asked: Called<T>,
  identity: (value: T) => NetworkIdentity,
): SignInOutcome {
  if (asked.kind === 'ok') return { kind: 'accounts', accounts: [identity(asked.value)] }
  if (asked.kind === 'failed') return failed(`${title} could not be reached. ${asked.message}`)
  return failed(`${title} does not show the account. ${errors.lookUp(asked.answer, now).meaning.message}`)
}

/** What a default can be, as the network answered. */
export function optionsFrom<T>(
  { title, errors, now }: Asked,
  asked: Called<T>,
  options: (value: T) => DefaultOptions,
): OptionsOutcome {
  const read = readFrom({ title, errors, now }, asked)
  return read.kind === 'value' ? { kind: 'options', options: options(read.value) } : read
}

/** What was asked of an account, or why it could not be read. */
export function readFrom<T>(
  { title, errors, now }: Asked,
  asked: Called<T>,
): { kind: 'value'; value: T } | Reconnect | { kind: 'failed'; message: string } {
  if (asked.kind === 'ok') return { kind: 'value', value: asked.value }
  if (asked.kind === 'failed') return failed(`${title} could not be reached. ${asked.message}`)
  const { meaning } = errors.lookUp(asked.answer, now)
  return meaning.kind === 'reconnect' ? meaning : failed(meaning.message)
}

/** Who was asked, and what its refusals mean. */
interface Asked {
  title: string
  errors: Pick<ErrorTable, 'lookUp'>
  now: Date
}

/** The id and the secret of an app in the header; undefined where there are none. */
export function readBasicAuthorization(header: string | undefined): (string | undefined)[] {
  const encoded = /^Basic (\S+)$/.exec(header ?? '')?.[1] ?? ''
  return [...new URLSearchParams(Buffer.from(encoded, 'base64').toString('utf8').replace(':', '='))][0] ?? []
}
