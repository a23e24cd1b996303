import { HOUR_MS, MINUTE_MS } from '#contract/durations'
import { type ErrorRow, type Errors, errorTable, type Meaning, meanings, type Traits } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { number, record, string } from '../kit/read-json.ts'

/** What a network of the Graph API says of itself when it refuses. Shape of `GRAPH_ERRORS`. */
export interface GraphError {
  /** HTTP status. */
  status: number
  /** Null when the answer holds no error that can be read. */
  code: number | null
  subcode: number | null
  /** For people: the network's words to users, else to developers; without the token, cut at 300 characters. */
  message: string
  /** All words of the error: what tells one from another stands now in this field, now in that. */
  words: string
  transient: boolean
  headers: Readonly<Record<string, string>>
}

const GRAPH_ERRORS = 'https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21)'

/** Reads the error of an answer; `code` is null when it holds none. */
export function parseError(answer: HttpAnswer): GraphError {
  const error = record(record(answer.json)?.error) ?? flatError(record(answer.json))
  const all = [error?.message, error?.error_user_title, error?.error_user_msg, error?.type]
  const message = string(error?.error_user_msg) ?? string(error?.message) ?? ''
  return {
    status: answer.status,
    code: number(error?.code) ?? null,
    subcode: number(error?.error_subcode) ?? null,
    message: message.replace(/\s+/g, ' ').trim().slice(0, 300),
    words: all.filter((each) => typeof each === 'string').join(' '),
    transient: error?.is_transient === true,
    headers: answer.headers,
  }
}

/** `{"error_type":"OAuthException","code":400,"error_message":"…"}`, as the hosts of Instagram's own sign-in write it. */
function flatError(body: Readonly<Record<string, unknown>> | undefined): typeof body {
  if (body?.error_type === undefined) return undefined
  const { error_type: type, error_message: message, code, error_subcode } = body
  return { type, message, code, error_subcode }
}

/** An error that is reported elsewhere than in the answer to a call: of a container, of a video. */
export const errorOf = (code: number | null, subcode: number | null, message = ''): GraphError => ({
  status: 400,
  code,
  subcode,
  message,
  words: message,
  transient: false,
  headers: {},
})

/** For a network that does not say how long. */
const RATE_LIMIT_PAUSE = 15 * MINUTE_MS
/** Places of a quota of 24 hours become free one by one, so it is asked again every hour. */
export const QUOTA_PAUSE = HOUR_MS
export const quotaFreedAt = (_: GraphError, now: Date) => new Date(now.getTime() + QUOTA_PAUSE)

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
  return new Date(now.getTime() + (longest > 0 ? longest * MINUTE_MS : RATE_LIMIT_PAUSE))
}

export type GraphMeaning = (error: GraphError, now: Date) => Meaning
export type GraphRow = ErrorRow<GraphError>

/**
 * A row for a code, or for a code and its subcode; `words` makes it one for errors that hold these words, whatever their
 * code. Subcodes of publishing are one list of their own: the code in front of them differs, and a large number may be
 * reported as either.
 */
export function row(
  key: number | readonly [code: number, subcode: number],
  says: string,
  meaning: GraphMeaning,
  more: Traits & { source?: string; words?: RegExp } = {},
): GraphRow {
  const { source = GRAPH_ERRORS, words, ...traits } = more
  const [code, subcode] = typeof key === 'number' ? [key, undefined] : key
  const own = subcode ?? (code > OWN ? code : undefined)
  const shown = subcode === undefined && own !== undefined ? 100 : code
  return {
    title: `${code}${subcode === undefined ? '' : `/${subcode}`}: ${says}`,
    source,
    example: {
      status: 400,
      body: { error: { message: says, type: 'OAuthException', code: shown, ...(own && { error_subcode: own }) } },
    },
    matches: (error) => {
      if (words) return words.test(error.words) && (subcode === undefined || error.subcode === subcode)
      if (own !== undefined && own > OWN) return error.subcode === own || error.code === own
      return error.code === code && (subcode === undefined || error.subcode === subcode)
    },
    meaning,
    ...traits,
  }
}

/** Above it a number means the same as code and as subcode. */
const OWN = 1_000_000

/** The table of a network. `parse` adds what an error of this network holds beside those of the Graph API. */
export function graphErrors<E extends GraphError = GraphError, More = unknown>(
  title: string,
  rows: readonly (ErrorRow<E> & Partial<More>)[],
  parse: (answer: HttpAnswer) => E = parseError as (answer: HttpAnswer) => E,
): Errors<E, More> {
  const { refused } = meanings<GraphError>(title)
  return errorTable<E, More>({
    rows,
    parse,
    otherwise(error) {
      if (error.code === null || error.status >= 500) {
        return { kind: 'ambiguous', message: `${title} answered with something that cannot be read (${error.status}).` }
      }
      return refused('UNKNOWN', `${title} refused the post (code ${error.code}).`)(error, new Date(0))
    },
  })
}

/** Whether it says that a permission is missing: 10, and 200 to 299. */
export const isPermission = ({ code }: GraphError) => code === 10 || (code !== null && code >= 200 && code <= 299)

export const permissionRow = (meaning: GraphMeaning): GraphRow => ({
  ...row(200, 'A permission is missing', meaning),
  title: '200 to 299: A permission is missing',
  matches: isPermission,
})

/** Rows that close every table of the Graph API. `trouble`: words for a problem of the network's own. */
export function passingProblems(title: string, codes: readonly number[]): GraphRow[] {
  const { again } = meanings<GraphError>(title)
  const trouble = again(`${title} had a problem of its own.`)
  return [
    ...codes.map((code) => row(code, 'A passing problem', trouble, { proves: false })),
    {
      title: 'is_transient: A passing problem',
      source: GRAPH_ERRORS,
      example: {
        status: 400,
        body: { error: { message: 'Please retry later', type: 'OAuthException', code: 3900, is_transient: true } },
      },
      matches: (error) => error.transient,
      meaning: trouble,
      proves: false,
    },
  ]
}
