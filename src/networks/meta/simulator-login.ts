import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations'
import { answerConsent, redeemCode } from '../kit/consent.ts'
import { type SimulatedAnswer, SimulatedRefusal, sendAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { refusable } from '../kit/simulator.ts'
import {
  checkedFields,
  chosen,
  faultAnswers,
  graphFault,
  ok,
  proofRefusal,
  refuse,
  tokenIn,
  withoutToken,
} from './simulator.ts'

/** A Page of the one person who signs in on the simulator. */
export interface SandboxPage {
  id: string
  name: string
  username?: string
  /** What the person may do there. */
  tasks: readonly string[]
  /** `me`: in the person's own list. Else reached through the business alone, as owner or as its client. */
  through: 'me' | 'owned_pages' | 'client_pages'
  /** False: the person sees it and may not act for it. `asked`: no listing holds its token, the Page itself does. */
  token?: false | 'asked'
  /** The network refuses reads with the Page's own token, and takes them with the person's. It publishes all the same. */
  reads?: 'person'
  /** Further fields, by their names. */
  more?: Readonly<Record<string, unknown>>
}

export interface SimulatedLogin {
  /** Answers calls of the sign-in: dialog, tokens, permissions, Pages, businesses. False for all others. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean>
  /** The Page of a token that a sign-in gave; `expired` when it hangs on a short-lived token that has ended. */
  pageOf(token: string): SandboxPage | 'expired' | null
  /**
   * The token of a call, and the Pages that the call may be about: a Page's own, or for reads all of its person's; null for a
   * token that no sign-in gave. @throws SimulatedRefusal
   */
  authorize(request: IncomingMessage, need: string | null): { token: string; pages: readonly SandboxPage[] | null }
}

const CODE_LASTS_MS = 10 * MINUTE_MS
const SHORT_LASTS_MS = HOUR_MS
const LONG_LASTS_MS = 60 * DAY_MS
/** What a person has allowed ends after this time, whatever becomes of tokens. */
const CONSENT_LASTS_MS = 90 * DAY_MS
const BUSINESS_ID = '1000000000000001'
/** Entries of a page of a listing, however many are asked for. */
const PAGE_SIZE = 2
/** The collection of tokens. Earlier versions had another, whose tokens anyone could get: those are good no more. */
const TOKENS = 'login-grants'

interface UserToken {
  kind: 'user'
  scopes: string[]
  long: boolean
  expiresAt: string
  /** When the person allowed it. */
  since: string
}
interface PageToken {
  kind: 'page'
  pageId: string
  /** What its person has granted. */
  scopes: string[]
  /** Null when it was derived from a long-lived token. */
  expiresAt: string | null
}

/**
 * The simulated sign-in. The person has the given Pages and grants what the dialog asked for. Listings come in pages of
 * two, Pages of a business tell no tasks, and the token of a Page lives as long as the token that it came from.
 */
export function simulatedLogin(
  deps: SimulatorDeps,
  options: { title: string; clientId: string; pages: readonly SandboxPage[]; requireProof?: boolean },
): SimulatedLogin {
  const { store } = deps
  const more = options.pages.flatMap((page) => Object.keys(page.more ?? {}))
  const isOver = (expiresAt: string | null) => expiresAt !== null && new Date(expiresAt) <= deps.now()

  function newToken(value: UserToken | PageToken): string {
    const token = `EAASANDBOX${randomBytes(24).toString('base64url')}`
    store.put(TOKENS, digest(token), value)
    return token
  }
  const find = (token: string) => store.get<UserToken | PageToken>(TOKENS, digest(token))

  /** A code is redeemed, or a short-lived token is exchanged. */
  function accessToken(query: URLSearchParams): SimulatedAnswer {
    if (query.get('client_id') !== options.clientId) return graphFault(101, null, 'Error validating application.')
    if (!deps.tokens.isSecret('CLIENT_SECRET', query.get('client_secret'))) {
      return graphFault(1, null, 'Error validating client secret.')
    }
    // A token of the app itself, which opens nothing here.
    if (query.get('grant_type') === 'client_credentials') {
      return ok({ access_token: `${options.clientId}|${randomBytes(18).toString('base64url')}`, token_type: 'bearer' })
    }
    if (query.get('grant_type') === 'fb_exchange_token') {
      const given = query.get('fb_exchange_token') ?? ''
      const short = find(given)
      if (short?.kind !== 'user' || isOver(short.expiresAt)) {
        return graphFault(190, null, `Malformed access token ${given}`)
      }
      return tokenAnswer({ ...short, long: true }, LONG_LASTS_MS)
    }
    const grant = redeemCode(deps, query.get('code') ?? '')
    if (!grant) return graphFault(100, 36009, 'This authorization code has been used or has expired.')
    if (grant.redirectUri !== query.get('redirect_uri')) {
      const words = 'Error validating verification code. Please make sure your redirect_uri is the same.'
      return graphFault(100, 36008, words)
    }
    const scopes = grant.scope.split(/[, ]+/).filter((scope) => scope !== '')
    const since = deps.now().toISOString()
    return tokenAnswer({ kind: 'user', scopes, long: false, expiresAt: '', since }, SHORT_LASTS_MS)
  }

  function tokenAnswer(value: UserToken, lastsMs: number): SimulatedAnswer {
    const expiresAt = new Date(deps.now().getTime() + lastsMs).toISOString()
    return ok({ access_token: newToken({ ...value, expiresAt }), token_type: 'bearer', expires_in: lastsMs / 1000 })
  }

  function listing(edge: string, user: UserToken, query: URLSearchParams): SimulatedAnswer | null {
    if (edge === 'me/permissions') {
      const granted = user.scopes.map((permission) => ({ permission, status: 'granted' }))
      return page(granted, query)
    }
    if (edge === 'me/accounts') {
      return user.scopes.includes('pages_show_list') ? pagesOf('me', user, query) : page([], query)
    }
    const itself = options.pages.find(({ id }) => id === edge)
    if (itself) return pageItself(itself, user, query)
    if (edge !== 'me/businesses' && !edge.startsWith(`${BUSINESS_ID}/`)) return null
    if (!user.scopes.includes('business_management')) {
      return graphFault(100, null, '(#100) Requires business_management permission.')
    }
    if (edge === 'me/businesses') return page([{ id: BUSINESS_ID, name: 'Bakers United' }], query)
    const through = edge.slice(BUSINESS_ID.length + 1)
    return through === 'owned_pages' || through === 'client_pages' ? pagesOf(through, user, query) : null
  }

  /** `GET /{page}` for its token. Other reads of a Page are none of the sign-in's, and other fields stand in listings alone. */
  function pageItself({ id, token }: SandboxPage, user: UserToken, query: URLSearchParams): SimulatedAnswer | null {
    if (!query.get('fields')?.split(',').includes('access_token')) return null
    const all = { id, access_token: token === false ? undefined : pageToken(id, user) }
    return ok(chosen(all, query, Object.keys(all)))
  }

  const pageToken = (pageId: string, { long, scopes, expiresAt }: UserToken) =>
    newToken({ kind: 'page', pageId, scopes, expiresAt: long ? null : expiresAt })

  /** `GET /debug_token`, for the app's own token. */
  function inspected(query: URLSearchParams): SimulatedAnswer {
    const token = find(query.get('input_token') ?? '')
    if (token?.kind !== 'user') return ok({ data: { is_valid: false } })
    const seconds = (at: number) => Math.floor(at / 1000)
    const data = {
      app_id: options.clientId,
      type: 'USER',
      is_valid: !isOver(token.expiresAt),
      expires_at: seconds(new Date(token.expiresAt).getTime()),
      data_access_expires_at: seconds(new Date(token.since).getTime() + CONSENT_LASTS_MS),
      scopes: token.scopes,
    }
    return ok({ data })
  }

  function isApp(token: string): boolean {
    const [clientId, secret] = token.split('|')
    return clientId === options.clientId && deps.tokens.isSecret('CLIENT_SECRET', secret)
  }

  function pagesOf(through: SandboxPage['through'], user: UserToken, query: URLSearchParams): SimulatedAnswer {
    const known = ['id', 'name', 'username', 'link', 'access_token', 'picture', ...more]
    if (through === 'me') known.push('tasks')
    const tokensAsked = checkedFields(query, known).includes('access_token')
    const shown = options.pages
      .filter((each) => each.through === through)
      .map(({ id, name, username, tasks, token, more }) => {
        const link = `${deps.url}#${id}`
        const picture = { data: { url: new URL('samples/photo.jpg', deps.url).href } }
        const own = tokensAsked && token === undefined ? pageToken(id, user) : undefined
        return chosen({ id, name, username, link, picture, tasks, ...more, access_token: own }, query, known)
      })
    return page(shown, query)
  }

  function page(entries: readonly object[], query: URLSearchParams): SimulatedAnswer {
    const start = Number(query.get('after') ?? 0)
    const end = start + PAGE_SIZE
    const next = end < entries.length ? { next: `https://graph.example/next?after=${end}` } : {}
    const paging = { cursors: { before: String(start), after: String(end) }, ...next }
    return ok({ data: entries.slice(start, end), paging })
  }

  /** The answer of the sign-in to a token; null when the call is none of its own. */
  function answerFor(token: string, edge: string, query: URLSearchParams): SimulatedAnswer | null {
    const user = find(token)
    const inspects = edge === 'debug_token' && isApp(token)
    if (!inspects && user?.kind !== 'user') return null
    const refusal = proofRefusal(deps, token, query, options.requireProof)
    if (refusal) return refusal
    if (inspects || user?.kind !== 'user') return inspected(query)
    return isOver(user.expiresAt) ? faultAnswers['token-expired'] : listing(edge, user, query)
  }

  function pageOf(token: string): SandboxPage | 'expired' | null {
    const found = find(token)
    if (found?.kind !== 'page') return null
    if (isOver(found.expiresAt)) return 'expired'
    return options.pages.find(({ id }) => id === found.pageId) ?? null
  }

  return {
    async handle(request, response, path) {
      const url = new URL(path, 'http://simulator')
      if (/^\/dialog\/v\d+\.\d+\/dialog\/oauth$/.test(url.pathname)) {
        const { title, clientId } = options
        answerConsent(deps, request, response, { title, clientId, codeLastsMs: CODE_LASTS_MS, suffix: '#_=_' })
        return true
      }
      const edge = /^\/graph\/v\d+\.\d+\/(.+)$/.exec(url.pathname)?.[1]
      if (edge === undefined || request.method !== 'GET') return false
      if (edge === 'oauth/access_token') {
        sendAnswer(response, accessToken(url.searchParams))
        return true
      }
      const token = tokenIn(request, url.searchParams.get('access_token')) ?? ''
      const answer = await refusable(() => answerFor(token, edge, url.searchParams))()
      if (answer) sendAnswer(response, answer)
      return answer !== null
    },
    pageOf,
    authorize(request, need) {
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://graph')
      const token = tokenIn(request, searchParams.get('access_token')) ?? withoutToken()
      const refusal = proofRefusal(deps, token, searchParams, options.requireProof)
      if (refusal) throw new SimulatedRefusal(refusal)
      const found = find(token)
      // Tokens that older versions have kept tell no permissions.
      if (need !== null && found?.scopes?.includes(need) === false) refuseWithout(need)
      const reads = request.method === 'GET'
      if (found?.kind === 'user' && !isOver(found.expiresAt)) {
        if (!reads) refuse(200, null, '(#200) A Page access token is required to publish.')
        return { token, pages: found.scopes.includes('pages_read_engagement') ? options.pages : [] }
      }
      const page = pageOf(token)
      if (page === 'expired') throw new SimulatedRefusal(faultAnswers['token-expired'])
      if (reads && page?.reads === 'person') {
        const isEdge = /\/v[\d.]+\/[\w-]+\/\w+$/.test(pathname)
        if (isEdge) refuseWithout('pages_read_user_content')
        refuse(100, 33, 'Unsupported get request. The object cannot be loaded.')
      }
      return { token, pages: page && [page] }
    },
  }
}

const refuseWithout = (permission: string) =>
  refuse(10, null, `(#10) This endpoint requires the permission ${permission}.`)

/** Tokens are kept as their digests: what lies in a file opens nothing. */
const digest = (token: string) => createHash('sha256').update(token).digest('hex')
