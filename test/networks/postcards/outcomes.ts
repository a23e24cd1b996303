import {
  type ErrorRow,
  errorTable,
  few,
  type Meaning,
  meanings,
  type Traits,
} from '../../../src/networks/kit/errors.ts'
import type { HttpAnswer } from '../../../src/networks/kit/http.ts'
import { number, record, string } from '../../../src/networks/kit/read-json.ts'

const ERRORS = 'https://postcards.example/docs/errors (read 2026-11-23)'
/** Pause when the network names none. */
const PAUSE_S = 60

interface PostcardsError {
  status: number
  code: string | null
  message: string
  retryAfter: number
}

const { again, ambiguous, reconnect, refused, vendorWords, wait } = meanings<PostcardsError>('Postcards')

function row(
  status: number,
  code: string,
  meaning: (error: PostcardsError, now: Date) => Meaning,
  traits: Traits & { headers?: Readonly<Record<string, string>> } = {},
): ErrorRow<PostcardsError> {
  const { headers, ...more } = traits
  return {
    title: `${status} ${code}`,
    source: ERRORS,
    example: { status, ...(headers ? { headers } : {}), body: { error: { code, message: '' } } },
    matches: (error) => error.code === code,
    meaning,
    ...more,
  }
}

/** The first row that matches wins. */
const rows: readonly ErrorRow<PostcardsError>[] = [
  row(
    401,
    'token_expired',
    reconnect('Postcards no longer accepts the connection. Connect the account again.', { mayRefresh: true }),
  ),
  row(
    403,
    'scope_missing',
    reconnect('The connection lacks a permission. Connect the account again and grant everything asked for.'),
  ),
  row(403, 'account_suspended', refused('ACCOUNT_SUSPENDED', 'Postcards has suspended the account.')),
  row(
    403,
    'account_restricted',
    refused('ACCOUNT_RESTRICTED', 'Postcards has restricted the account. Sign in there to see why.'),
  ),
  row(422, 'text_too_long', refused('CAPTION_TOO_LONG', 'Postcards does not print a text of this length. Shorten it.')),
  row(
    422,
    'picture_unreadable',
    refused('UNKNOWN_MEDIA_ERROR', 'Postcards cannot print the picture. Export it again as JPEG.'),
  ),
  // Pictures wait an hour for their card: they are sent again.
  row(410, 'picture_gone', again('Postcards no longer has the pictures.'), {
    spent: true,
    ...few('UNKNOWN_MEDIA_ERROR', 2),
  }),
  row(
    429,
    'slow_down',
    wait(
      'Postcards has had too many requests and asks to wait.',
      'identity',
      ({ retryAfter }, now) => new Date(now.getTime() + retryAfter * 1000),
    ),
    { headers: { 'retry-after': '30' } },
  ),
  row(500, 'broken', ambiguous('Postcards had a problem of its own.')),
]

function parseError({ status, headers, json }: HttpAnswer): PostcardsError {
  const error = record(record(json)?.error)
  return {
    status,
    code: string(error?.code) ?? null,
    message: (string(error?.message) ?? '').slice(0, 200),
    retryAfter: number(headers['retry-after']) ?? PAUSE_S,
  }
}

export const errors = errorTable<PostcardsError>({
  rows,
  parse: parseError,
  otherwise(error) {
    if (error.code !== null && error.status >= 400 && error.status < 500) {
      const message = `Postcards refused the card (${error.code}).${vendorWords(error)}`
      return { kind: 'refused', reason: 'UNKNOWN', message }
    }
    return { kind: 'ambiguous', message: `Postcards answered with something that cannot be read (${error.status}).` }
  },
})
