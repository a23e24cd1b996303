import { randomBytes, randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { parseJson } from '../kit/read-json.ts'
import { readBytes, readMultipart, TooLargeError } from '../kit/request-body.ts'
import type { FetchedFile, SimulatorDeps } from '../kit/simulation.ts'

/** What the simulators of the Graph API share: its errors, parameters, fields and pages of listings. */

interface FaultMore {
  status?: number
  transient?: boolean
  /** Words for people. */
  title?: string
  user?: string
  headers?: Readonly<Record<string, string>>
}

/** An answer in the shape of https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21). */
export function graphFault(
  code: number,
  subcode: number | null,
  message: string,
  { status = 400, transient = false, title, user, headers }: FaultMore = {},
): SimulatedAnswer {
  return {
    status,
    headers: { ...usage(12), ...headers },
    body: {
      error: {
        message,
        type: 'OAuthException',
        code,
        ...(subcode === null ? {} : { error_subcode: subcode }),
        is_transient: transient,
        ...(user === undefined ? {} : { error_user_title: title ?? 'Not possible', error_user_msg: user }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    },
  }
}

export function refuse(...fault: Parameters<typeof graphFault>): never {
  throw new SimulatedRefusal(graphFault(...fault))
}

export function invalid(what: string): never {
  return refuse(100, null, `(#100) Invalid parameter: ${what}`)
}

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, headers: usage(2), body })

/** Percent of what an app and a business may ask; JSON in a string. */
const usage = (percent: number) => ({
  ...businessUsage('pages', percent, 0),
  'x-app-usage': JSON.stringify({ call_count: percent, total_time: 1, total_cputime: 1 }),
})

/** Percent of what a business may ask in an hour, and minutes until it may again; JSON in a string. */
export const businessUsage = (type: string, percent: number, minutes: number) => ({
  'x-business-use-case-usage': JSON.stringify({
    '1000000000000001': [
      { type, call_count: percent, total_cputime: 1, total_time: 1, estimated_time_to_regain_access: minutes },
    ],
  }),
})

export const tooLarge = graphFault(1, null, 'The request is too large.', { status: 413 })

export const unknownObject = (id: string): SimulatedAnswer =>
  graphFault(
    100,
    33,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  )

export const unknownPath = (path: string): SimulatedAnswer => graphFault(2500, null, `Unknown path components: ${path}`)

/** What the fault words say on every network of the Graph API. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': graphFault(2, null, 'An unexpected error has occurred. Please retry your request later.', {
    status: 500,
    transient: true,
  }),
  'token-expired': graphFault(190, 463, 'Error validating access token: Session has expired.'),
}

export type Params = Readonly<Record<string, unknown>>

const MAX_BODY_BYTES = 64 * 1024 * 1024
/** The token may be in the body, so that anyone may send one. */
const MAX_FIRST_BYTES = 64 * 1024

/** JSON, a form whose lists and objects are JSON, or a form with files. `large`: of a client that is known. */
export async function readParams(request: IncomingMessage, { large = false } = {}): Promise<Params> {
  const maxBytes = large ? MAX_BODY_BYTES : MAX_FIRST_BYTES
  const type = request.headers['content-type'] ?? ''
  try {
    if (type.startsWith('multipart/form-data')) {
      const form = await readMultipart(request, maxBytes)
      return form ? Object.fromEntries(form) : invalid('the form cannot be read')
    }
    const text = (await readBytes(request, maxBytes)).toString('utf8')
    if (text === '') return {}
    if (type.startsWith('application/json')) {
      const body = parseJson(text)
      return typeof body === 'object' && body !== null && !Array.isArray(body)
        ? (body as Params)
        : invalid('the body is not a JSON object')
    }
    const form = [...new URLSearchParams(text)]
    return Object.fromEntries(form.map(([name, value]) => [name, /^[[{]/.test(value) ? parseJson(value) : value]))
  } catch (error) {
    if (error instanceof TooLargeError) throw new SimulatedRefusal(tooLarge)
    throw error
  }
}

/** The token of the header, else of the parameters. */
export function tokenIn(request: IncomingMessage, given: unknown): string | null {
  const header = /^(?:Bearer|OAuth) (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  return header ?? (typeof given === 'string' ? given : null)
}

/** @throws SimulatedRefusal */
export function withoutToken(): never {
  return refuse(104, null, 'An access token is required to request this resource.', { status: 401 })
}

/** How the proof of the app's secret that came with a token is refused; null for one that is right. */
export function proofRefusal(
  { tokens }: Pick<SimulatorDeps, 'tokens'>,
  token: string,
  query: URLSearchParams,
  /** The app is set to refuse calls without one. */
  required = false,
): SimulatedAnswer | null {
  const proof = query.get('appsecret_proof')
  if (proof === null) {
    return required ? graphFault(100, null, 'API calls from the server require an appsecret_proof argument') : null
  }
  if (tokens.isHmac('CLIENT_SECRET', token, proof)) return null
  return graphFault(100, null, 'Invalid appsecret_proof provided in the API argument')
}

export function checkParams(params: Params, known: readonly string[]): void {
  const foreign = Object.keys(params).find((name) => !known.includes(name))
  if (foreign !== undefined) invalid(`param ${foreign} is not allowed`)
}

/** Names of `fields`, without what is in braces behind them. */
function fieldsIn(query: URLSearchParams): string[] {
  let text = query.get('fields') ?? 'id'
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(/\{[^{}]*\}/g, '')
  }
  return text.split(',').filter((field) => field !== '')
}

/** The fields that were asked for. What no object of this kind has is refused. */
export function checkedFields(query: URLSearchParams, known: readonly string[]): string[] {
  const fields = fieldsIn(query)
  const unknown = fields.find((field) => !known.includes(field))
  if (unknown !== undefined) refuse(100, null, `(#100) Tried accessing nonexisting field (${unknown})`)
  return fields
}

/** Of an object what was asked for, and its id. What it does not have is left out. */
export function chosen(all: Params, query: URLSearchParams, known: readonly string[]): Params {
  const fields = checkedFields(query, known)
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && (name === 'id' || fields.includes(name))),
  )
}

/** A page of a listing, as `limit` and `after` ask for it. */
export function pageOf<T extends { id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  show: (entry: T) => unknown,
): { data: unknown[]; paging?: object } {
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 25) || 25))
  const after = query.get('after')
  const start = after === null ? 0 : all.findIndex((entry) => cursorOf(entry) === after) + 1
  const entries = all.slice(start, start + limit)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return { data: [] }
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  const more = start + limit < all.length ? { next: `https://graph.example/next?after=${cursors.after}` } : {}
  return { data: entries.map(show), paging: { cursors, ...more } }
}

const cursorOf = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')

/** What was made from `since` until `until`, in seconds since 1970 or as a date. */
export function within<T extends { at: string }>(all: readonly T[], query: URLSearchParams): T[] {
  const [since, until] = [timeOf(query.get('since')), timeOf(query.get('until'))]
  return all.filter(({ at }) => {
    const time = new Date(at).getTime()
    return (since === null || time >= since) && (until === null || time <= until)
  })
}

function timeOf(given: string | null): number | null {
  if (given === null) return null
  const time = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given)
  return Number.isNaN(time) ? invalid('since or until') : time
}

/** Whole seconds, and an offset without a colon. */
export const timestamp = (at: string): string => at.replace(/\.\d+Z$/, '+0000')

/** A new id: larger than a safe integer, as the network's own. */
export const newId = (prefix: string): string => prefix + String(randomInt(10 ** 13)).padStart(14, '0')

/** Fetches a file as the network does; null for an address that it does not take, or that leads to nothing. */
export async function fetched(
  deps: SimulatorDeps,
  url: unknown,
  maxBytes: number,
): Promise<FetchedFile | 'too large' | null> {
  return typeof url === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(url) ? deps.fetchFile(url, { maxBytes }) : null
}
