import { METHODS } from 'node:http'
import { ERRORS, type ErrorCode, POST_PROBLEMS, type ProblemEntry } from '#contract'
import type { AnswerToCheck } from '../api/openapi.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

/** Who asks: the credential, and what an answer to it may show. */
export interface FuzzCaller {
  name: string
  /** The header; null: none is sent. */
  authorization: string | null
  /** Its social set; another account's for those that have none. */
  home: string
  /** What the library of that set has. */
  media: readonly string[]
  /** Social sets that an answer may name. */
  sees: ReadonlySet<string>
  /** The credential opens nothing. */
  shut: boolean
  /** The key has a scope to write with. */
  writes: boolean
  /** The key may do all that its plan allows, in its own social set at least. */
  whole: boolean
}

/** Node takes 16 KiB; headers are in them too. */
const MOST_OF_A_HEAD = 15_000

/** What is wrong with an answer, in words; empty when nothing is. `declared` holds it against the description. */
export function complaints(
  request: WireRequest,
  caller: FuzzCaller,
  answer: WireAnswer,
  declared: (answer: AnswerToCheck) => void,
): string[] {
  const { status, headers, body } = answer
  const found = status >= 500 ? [`the status is ${status}`] : []
  const path = plainPath(request.path)
  // A method that HTTP does not know, and a head that is too long, are refused before anybody looks at the path.
  const isHttp = METHODS.includes(request.method) && request.path.length < MOST_OF_A_HEAD
  const isInterface = isHttp && /^\/v1(?:[/?]|$)/.test(path)
  if (isInterface) {
    try {
      declared({ method: request.method, path, status, headers, body })
    } catch (error) {
      found.push((error as Error).message)
    }
  }
  if (status >= 400 && request.method !== 'HEAD') found.push(...problemComplaints(answer))
  // OPTIONS says no more than the description, which anyone may read.
  const tells = isInterface && status < 400 && request.method !== 'OPTIONS'
  if (tells && caller.shut) found.push(`a credential that opens nothing was answered ${status}`)
  if (!caller.writes && (status === 201 || request.method === 'DELETE') && status < 400) {
    found.push('a key that only reads has written')
  }
  found.push(...foreignSets(body, caller))
  return found
}

/** Without escapes of letters, digits and marks that need none: it means the same path (RFC 3986, 6.2.2.2). */
function plainPath(target: string): string {
  return target.replace(/%(2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, decodeURIComponent)
}

const CODES: Readonly<Record<string, unknown>> = { ...ERRORS, ...POST_PROBLEMS }

/** Every error is a problem with a code of the catalog, and the status belongs to the code. */
function problemComplaints({ status, headers, body }: WireAnswer): string[] {
  if (typeof body !== 'object' || body === null) return ['an error without a problem as its body']
  const problem = body as Record<string, unknown>
  const code = String(problem.code)
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : null
  if (!known) return [`the code ${code} is not in the catalogue`]
  const found: string[] = []
  const expect = (holds: boolean, words: string) => void (holds || found.push(words))
  expect(known.status === status, `${code} belongs to ${known.status}, not to ${status}`)
  expect(problem.status === status, `the status in the body is ${problem.status}`)
  expect(problem.title === known.title, 'the title is not that of the code')
  expect(problem.message === problem.detail && problem.detail !== '', 'message and detail differ or are empty')
  expect(String(problem.type).endsWith(`/docs/errors/${code}`), `the type ${problem.type} is not the page of the code`)
  expect(
    [null, problem.requestId].includes(headers.get('x-request-id')),
    'the request id of the body is not that of the header',
  )
  expect(status !== 401 || headers.get('www-authenticate') === 'Bearer', '401 without WWW-Authenticate')
  expect(status !== 405 || headers.has('allow'), '405 without Allow')
  expect(code !== 'request:in_progress' || headers.get('retry-after') === '1', `${code} without Retry-After: 1`)
  // What is counted in a minute has to wait longer.
  expect(status !== 429 || /^([1-9]|[1-5]\d|60)$/.test(headers.get('retry-after') ?? ''), '429 without Retry-After')
  const entries = Array.isArray(problem.errors) ? (problem.errors as ProblemEntry[]) : null
  if (!entries) return [...found, 'errors is no list']
  expect(entries.length > 0 || !WITH_ENTRIES.has(code), `${code} without an entry`)
  for (const entry of entries) found.push(...entryComplaints(entry))
  return found
}

/** Codes that always have a place, so that a client knows what to mend. */
const WITH_ENTRIES: ReadonlySet<string> = new Set<ErrorCode>([
  'request:invalid_body',
  'post-set:invalid_posts',
  'post-set:duplicate_references',
  'post-set:unknown_reference',
  'post-set:account_type_not_updatable',
  'post-set:repeat_not_updatable',
])

function entryComplaints({ code, message, path, pointer }: ProblemEntry): string[] {
  const found: string[] = []
  if (!Object.hasOwn(CODES, code)) found.push(`the code ${code} of an entry is not in the catalogue`)
  if (typeof message !== 'string' || message === '') found.push('an entry without a message')
  if (typeof path !== 'string' || typeof pointer !== 'string') found.push('an entry without a place')
  else if (!/^#(\/.*)?$/s.test(pointer)) found.push(`the pointer ${pointer} does not begin with #/`)
  else if ((path === '') !== (pointer === '#'))
    found.push(`the path ${path} and the pointer ${pointer} name two places`)
  return found
}

/** Social sets in a successful answer that its caller may not see. */
function foreignSets(body: unknown, { sees }: FuzzCaller): string[] {
  const whole = body as { data?: unknown } | null
  const records = Array.isArray(whole?.data) ? whole.data : [body].flat()
  return (records as ({ socialSetId?: unknown } | null)[])
    .map((record) => record?.socialSetId)
    .filter((id) => typeof id === 'string' && !sees.has(id))
    .map((id) => `the answer names the social set ${id}, which the key does not open`)
}
