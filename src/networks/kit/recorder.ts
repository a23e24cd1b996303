import type { Http, HttpAnswer, HttpRequest } from './http.ts'
import { record } from './read-json.ts'
import { type Shape, shapeOf } from './shape.ts'

/** A call as a report shows it: nothing of it is secret or names an account. */
export interface RecordedCall {
  /** `GET api/2/users/me?user.fields=name`: method, name of the endpoint, path, parameters. */
  asked: string
  /** Shape of what was sent; empty for nothing and for files. */
  sent: Shape
  /** Null: no answer came. */
  status: number | null
  /** What the network calls its refusal: `100/33`, `DUPLICATE_POST`. Null for none. */
  error: string | null
  /** Its words, or why no answer came. */
  message: string | null
  shape: Shape
  /** Of the answer, those that speak of limits. */
  headers: Readonly<Record<string, string>>
}

const SHOWN_HEADERS = /rate-?limit|retry-after|app-usage|use-case-usage|ad-account-usage|api-version|deprecat|sunset/i
/** Parameters that hold secrets, whatever their value looks like. */
const SECRET = /token|secret|password|proof|(^|_)code|key|sign|verifier|assertion|(^|_)ids?$/i
/** Others that name something of the account. */
const OWN = /(Id|Ids)$|^(aud|did|actor|repo|author)$/
const WORDS = 300

/**
 * Hides what belongs to a person: given values, long numbers, identifiers of accounts and everything that looks like a
 * token. What is left are the network's own words.
 */
export function createMask(values: () => Iterable<string>): (text: string) => string {
  return (text) => {
    const known = [...values()].filter((value) => value.length >= 3).sort((a, b) => b.length - a.length)
    const forms = known.flatMap((value) => [value, encodeURIComponent(value)])
    return forms
      .reduce((masked, value) => masked.replaceAll(value, '…'), text)
      .replace(/\bdid:[a-z]+:[\w.:%-]+/g, '…')
      .replace(/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, '…')
      .replace(/urn:li:(\w+):[\w-]+/g, 'urn:li:$1:…')
      .replace(/(?<![\w-])(?=[\w-]*\d)[\w-]{20,}/g, '…')
      .replace(/\d{8,}(?:_\d+)?/g, '…')
  }
}

/** Notes down every call and what came back. `onAnswer` hears of answers as they came. */
export function recordCalls(
  http: Http,
  {
    endpoints,
    mask,
    note,
    onAnswer = () => {},
  }: {
    /** Base addresses by the names of the manifest. */
    endpoints: Readonly<Record<string, string>>
    mask(text: string): string
    note(call: RecordedCall): void
    onAnswer?(answer: HttpAnswer): void
  },
): Http {
  return async (request) => {
    const asked = describeRequest(request, endpoints, mask)
    const sent = shapeOf(request.json ?? request.form, mask)
    const result = await http(request)
    if (result.kind === 'failed') {
      note({ asked, sent, status: null, error: null, message: result.message, shape: {}, headers: {} })
      return result
    }
    const { error, message } = refusalIn(result)
    const headers = Object.entries(result.headers).filter(([name]) => SHOWN_HEADERS.test(name))
    note({
      asked,
      sent,
      status: result.status,
      error: error && maskCode(error, mask),
      message: message && mask(message).replace(/\s+/g, ' ').slice(0, WORDS),
      shape: shapeOf(result.json, mask),
      headers: Object.fromEntries(headers.map(([name, value]) => [name, maskHeader(value, mask)])),
    })
    onAnswer(result)
    return result
  }
}

/** Codes are numbers too, of seven digits at most so far. */
const maskCode = (code: string, mask: (text: string) => string) =>
  /^[\w./-]{1,80}$/.test(code) && !/\d{8,}/.test(code) ? code : mask(code)
/** A moment in seconds, as headers write it, is no id. */
const maskHeader = (value: string, mask: (text: string) => string) => (/^\d{1,13}$/.test(value) ? value : mask(value))

function describeRequest(
  { method, url }: Pick<HttpRequest, 'method' | 'url'>,
  endpoints: Readonly<Record<string, string>>,
  mask: (text: string) => string,
): string {
  if (!URL.canParse(url)) return method
  const { origin, pathname, searchParams } = new URL(url)
  const place = origin + pathname
  const [name, base = origin] =
    Object.entries(endpoints)
      .filter(([, address]) => place === address || place.startsWith(`${address}/`))
      .sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  const query = [...searchParams].map(
    ([key, value]) => `${mask(key)}=${SECRET.test(key) || OWN.test(key) ? '…' : mask(value)}`,
  )
  const path = mask(decoded(place.slice(base.length)))
  return `${method} ${name ?? 'another host: '}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * What an answer calls itself when it refuses: codes of the Graph API, of Google, of OAuth (RFC 6749), of problem details
 * (RFC 9457) and of plain `code` and `message`. An answer with status 200 may refuse too.
 */
export function refusalIn({ status, json }: Pick<HttpAnswer, 'status' | 'json'>): {
  error: string | null
  message: string | null
} {
  const body = record(json)
  if (!body) return { error: null, message: null }
  const error = record(body.error)
  const [first] = (Array.isArray(body.errors) ? body.errors : []).map(record)
  const [reason] = (Array.isArray(error?.errors) ? error.errors : []).map(record)
  const named = typeof body.type === 'string' ? body.type.split('/').at(-1) : undefined
  const refuses = status >= 400 || (error !== undefined && error.code !== 'ok') || typeof body.error === 'string'
  if (!refuses) return { error: null, message: null }
  const codes = error
    ? [error.code, error.error_subcode, error.status, reason?.reason]
    : [body.error, body.error_type, body.code, body.serviceErrorCode, named, first?.code]
  const parts = codes
    .filter((code) => typeof code === 'number' || (typeof code === 'string' && code !== ''))
    .map(String)
  const texts = [error?.message, body.error_description, body.error_message, body.message, body.detail, first?.message]
  const message = texts.find((text) => typeof text === 'string' && text !== '')
  return {
    error: parts.length > 0 ? [...new Set(parts)].join('/') : null,
    message: typeof message === 'string' ? message : null,
  }
}
