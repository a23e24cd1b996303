import type { Reason } from '#contract'
import type { Attempt, Credentials } from '../network.ts'
import type { HttpAnswer, HttpFailure, Meaning } from './outcomes.ts'
import { id, number, record, string } from './read-json.ts'

/**
 * What the networks have in common that speak the vendor's Graph API: calls with a token in a header, errors of one
 * shape, pages of listings. Such a network has an endpoint `graph` and a setting `API_VERSION`.
 */

/** What the network says of itself when it refuses. Shape of https://developers.facebook.com/docs/graph-api/guides/error-handling */
export interface GraphError {
  /** HTTP status. */
  status: number
  /** Null when the answer holds no error that can be read. */
  code: number | null
  subcode: number | null
  /** For people: the network's words to users, else to developers; without the token, cut at 300 characters. */
  message: string
  transient: boolean
  headers: Readonly<Record<string, string>>
}

/**
 * Who asks, and with which token (`credentials.accessToken`). Beside it there may be that of the person who signed in
 * (`userToken`), with which reads are made that the network refuses to the other. An `Attempt` is one.
 */
export type GraphCaller = Pick<Attempt, 'endpoint' | 'setting' | 'http' | 'signal' | 'credentials'>

/** What became of a call: its value, an answer that is none, or no answer. */
export type Called<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: HttpAnswer } | HttpFailure

export interface Call<T> {
  method: 'GET' | 'POST'
  /** Below the version: `17841400000000001/media`. */
  path: string
  query?: Readonly<Record<string, string>>
  json?: Readonly<Record<string, unknown>>
  /** Default 30,000. */
  timeoutMs?: number
  /** Reads what is needed out of the body; undefined when it is not there. */
  parse(body: unknown): T | undefined
}

/**
 * Makes a call to the Graph API; a read that is refused to the token is made again with that of the person, where there is
 * one. What the person may not read either counts as refused to the first.
 */
export async function call<T>(attempt: GraphCaller, request: Call<T>): Promise<Called<T>> {
  const { accessToken = '', userToken } = attempt.credentials
  const called = await callWith(accessToken, attempt, request)
  if (!userToken || request.method !== 'GET' || !isUnreadable(called)) return called
  const byPerson = await callWith(userToken, attempt, request)
  return isUnreadable(byPerson) ? called : byPerson
}

/**
 * Whether something may not be seen with a token: it is not valid, it lacks a permission, or the object is said not to be
 * there (100/33). Codes: https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21).
 */
export function isUnreadable(called: Called<unknown>): boolean {
  if (called.kind !== 'refused') return false
  const { code, subcode } = parseError(called.answer)
  if (code === null) return false
  return [3, 10, 102, 190].includes(code) || (code >= 200 && code <= 299) || (code === 100 && subcode === 33)
}

/** Whether the network says that an object is not there or cannot be seen. Of one that we have made it is said in passing. */
export function isUnseen(answer: HttpAnswer): boolean {
  const { code, subcode } = parseError(answer)
  return code === 100 && subcode === 33
}

/** Makes one request. The token goes into a header, so that no address ever holds it. */
async function callWith<T>(token: string, attempt: GraphCaller, request: Call<T>): Promise<Called<T>> {
  const url = new URL(`${attempt.endpoint('graph')}/${attempt.setting('API_VERSION')}/${request.path}`)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const result = await attempt.http({
    method: request.method,
    url: url.href,
    headers: { authorization: `Bearer ${token}` },
    ...(request.json === undefined ? {} : { json: request.json }),
    signal: attempt.signal,
    timeoutMs: request.timeoutMs ?? 30_000,
  })
  if (result.kind === 'failed') return result
  if (result.status >= 200 && result.status < 300) {
    const value = request.parse(result.json)
    if (value !== undefined) return { kind: 'ok', value }
  }
  return { kind: 'refused', answer: withoutTokens(result, attempt.credentials) }
}

/** More than this many pages are not looked through. */
const MAX_PAGES = 4

/** Reads a whole listing; of one with more pages than are looked through null. */
export async function list<T>(
  attempt: GraphCaller,
  listing: { path: string; query: Readonly<Record<string, string>>; parse(entry: unknown): T | undefined },
): Promise<Called<T[] | null>> {
  const all: T[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked: Called<Page<T>> = await call(attempt, {
      method: 'GET',
      path: listing.path,
      query: after === null ? listing.query : { ...listing.query, after },
      timeoutMs: 15_000,
      parse: parsePage(listing.parse),
    })
    if (asked.kind !== 'ok') return asked
    all.push(...asked.value.data)
    after = asked.value.after
    if (after === null) return { kind: 'ok', value: all }
  }
  return { kind: 'ok', value: null }
}

/** The network repeats a malformed token in its error text; what is kept of an answer must not hold it. */
function withoutTokens(answer: HttpAnswer, { accessToken, userToken }: Credentials): HttpAnswer {
  let { text } = answer
  for (const token of [accessToken, userToken]) if (token) text = text.replaceAll(token, '…')
  return text === answer.text ? answer : { ...answer, text, json: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the error of an answer; `code` is null when it holds none. */
export function parseError(answer: HttpAnswer): GraphError {
  const error = record(record(answer.json)?.error)
  const words = string(error?.error_user_msg) ?? string(error?.message) ?? ''
  return {
    status: answer.status,
    code: number(error?.code) ?? null,
    subcode: number(error?.error_subcode) ?? null,
    message: words.replace(/\s+/g, ' ').trim().slice(0, 300),
    transient: error?.is_transient === true,
    headers: answer.headers,
  }
}

/** A page of a listing. `after` asks for the next one; null on the last. */
export interface Page<T> {
  data: T[]
  after: string | null
}

/** Entries that cannot be read are left out. */
export function parsePage<T>(parse: (entry: unknown) => T | undefined): (body: unknown) => Page<T> | undefined {
  return (body) => {
    const { data, paging } = record(body) ?? {}
    if (!Array.isArray(data)) return undefined
    const page = record(paging)
    // The cursor is taken, the address is not: a request goes where we say, not where an answer says.
    const next = string(page?.next)
    const after = next === undefined ? null : (string(record(page?.cursors)?.after) ?? cursorIn(next))
    // There is more, and nothing says how to ask for it: what is here is no whole listing.
    if (after === undefined) return undefined
    return { data: data.map(parse).filter((entry) => entry !== undefined), after }
  }
}

const cursorIn = (address: string) => string(URL.parse(address)?.searchParams.get('after'))

/** `{"id":"179…"}` of a container, a post or a comment. */
export function parseId(body: unknown): string | undefined {
  return id(record(body)?.id)
}

const MINUTE = 60_000
/** For a network that does not say how long. */
const RATE_LIMIT_PAUSE = 15 * MINUTE

/**
 * When requests are taken again. `x-business-use-case-usage` holds it in minutes, as JSON in a string, by the id of the
 * business; it may be missing.
 */
export function regainedAt(error: GraphError, now: Date): Date {
  const usage = error.headers['x-business-use-case-usage'] ?? ''
  const minutes = [...usage.matchAll(/"estimated_time_to_regain_access"\s*:\s*(\d{1,6})/g)].map((match) =>
    Number(match[1]),
  )
  const longest = Math.max(0, ...minutes)
  return new Date(now.getTime() + (longest > 0 ? longest * MINUTE : RATE_LIMIT_PAUSE))
}

/** What an error of the Graph API leads to. */
export type GraphMeaning = (error: GraphError, now: Date) => Meaning

/** The meanings that error tables of the Graph API are made of; `title` begins the network's own words. */
export function graphMeanings(title: string) {
  /** The network's own words, behind ours; empty when it had none. */
  const told = (error: GraphError) => (error.message === '' ? '' : ` ${title} says: ${error.message}`)
  return {
    refused:
      (reason: Reason, advice: string): GraphMeaning =>
      (error) => ({ kind: 'refused', reason, message: advice + told(error) }),
    /** Always from `prepare`, which reads how far the network is before anything is published. */
    again:
      (message: string): GraphMeaning =>
      (error) => ({ kind: 'again', from: 'prepare', message: message + told(error) }),
    /** The network's own words may repeat the token, so they are not told. */
    reconnect:
      (message: string, { mayRefresh = false } = {}): GraphMeaning =>
      () => ({ kind: 'reconnect', mayRefresh, message }),
    wait:
      (message: string, until: (error: GraphError, now: Date) => Date): GraphMeaning =>
      (error, now) => ({ kind: 'wait', until: until(error, now), message: message + told(error) }),
    /** What an error means that no row knows. */
    otherwise(error: GraphError): Meaning {
      if (error.code === null || error.status >= 500) {
        return { kind: 'ambiguous', message: `${title} answered with something that cannot be read (${error.status}).` }
      }
      const message = `${title} refused the post (code ${error.code}).${told(error)}`
      return { kind: 'refused', reason: 'UNKNOWN', message }
    },
  }
}
