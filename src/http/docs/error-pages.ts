import { ERRORS, type ErrorCode, MEDIA_UPLOAD_ERRORS, POST_PROBLEMS, POST_SET_WARNINGS } from '#contract'
import { code } from './markdown.ts'
import { type OpenApiDocument, operationsThatAnswer } from './reference.ts'

/** What helps, by the status. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Correct the request: `errors` lists every problem. The same request would fail again.',
  401: 'Send an active key in the header `Authorization: Bearer alm_…`. See [authentication](/docs/authentication.md).',
  403: 'The request was understood but is not allowed: the key lacks a scope, or the plan does not include it. See [authentication](/docs/authentication.md) and [limits](/docs/limits.md).',
  404: "Check the id or the path. Everything outside of the key's social sets is reported in the same way.",
  405: 'The header `Allow` names the methods that the path accepts.',
  406: 'Answers are JSON: send `Accept: application/json`, or leave the header out.',
  409: '`detail` says what prevents this. Change that first, then try again.',
  410: 'Ask the person who sent you the link for a new one.',
  412: 'Read the post set again to see what has changed. See [states](/docs/states.md).',
  413: 'Send less: see [limits](/docs/limits.md).',
  415: 'Send JSON in UTF-8 with the header `Content-Type: application/json`.',
  422: 'Correct the posts: `errors` has an entry for every problem of every post.',
  429: 'Wait as long as the header `Retry-After` says, then send the same request again.',
  500: 'The request is not at fault. Before you try again, check whether it was carried out, and give the operator the `requestId`.',
  503: "The request is not at fault: Almanac's database is unavailable at the moment, or the process is stopping. Wait as long as the header `Retry-After` says. A request that writes may still have been carried out: send it again with its [`Idempotency-Key`](/docs/endpoints.md#sending-a-request-again). Without one, check first.",
}

/** What helps where it is not what helps with others of the status. */
const ADVICE_OF_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  'event:position_gone':
    'Continue from the position that `detail` names, and read your copies of post sets and notes again, because the events in between are missing. See [following events](/docs/events.md#following-events).',
  'webhook:rotation_in_progress':
    'Use the secret from the last rotation, or wait until the previous one no longer signs: `oldSecretUntil` of the webhook says when.',
  'request:invalid_header':
    'Correct the header that `detail` names, or leave it out. The same request would fail again.',
  'request:in_progress':
    'Wait as long as the header `Retry-After` says, then send the same request with the same `Idempotency-Key` again: you get the answer of the first one, or, if that failed, the request is carried out. See [sending a request again](/docs/endpoints.md#sending-a-request-again).',
  'request:idempotency_key_reused':
    'Create a new `Idempotency-Key` for every distinct request, and repeat a request only unchanged. See [sending a request again](/docs/endpoints.md#sending-a-request-again).',
}

const LISTS: readonly { entries: Readonly<Record<string, string>>; where: string }[] = [
  {
    entries: POST_PROBLEMS,
    where: `It is in \`errors\` of \`post-set:invalid_posts\`, one entry per problem, with \`path\`, \`pointer\` and \`accountType\`, and with \`limit\` and \`actual\` if a number is at stake. The answer to a check of a post set uses it too.`,
  },
  { entries: MEDIA_UPLOAD_ERRORS, where: 'It is in `error.code` of a media upload whose status is `FAILED`.' },
  {
    entries: POST_SET_WARNINGS,
    where: 'It is in `warnings` of the answer to a check of a post set, and stops nothing there.',
  },
]

/** Every code that has a page. */
export const ERROR_PAGE_CODES: readonly string[] = [
  ...new Set([...Object.keys(ERRORS), ...LISTS.flatMap(({ entries }) => Object.keys(entries))]),
]

/** The page of a code, as markdown; null if there is no such code. */
export function errorPageMarkdown(openApi: OpenApiDocument, name: string): string | null {
  const list = LISTS.find(({ entries }) => Object.hasOwn(entries, name))
  const words = isErrorCode(name) ? [...ofError(openApi, name), ...(list ? [list.where] : [])] : ofEntry(name)
  if (words === null) return null
  return [`# ${name}`, ...words, 'All codes are listed on the page of [errors](/docs/errors.md).'].join('\n\n')
}

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(ERRORS, name)
}

function ofError(openApi: OpenApiDocument, name: ErrorCode): string[] {
  const { status, title } = ERRORS[name]
  const operations = operationsThatAnswer(openApi, name)
  const everywhere = operations.length === Object.values(openApi.paths).flatMap((each) => Object.keys(each)).length
  const where = everywhere ? ['Every operation may answer with it.'] : listed(operations)
  return [
    `**${title}.** It comes with the status ${code(status)}; \`detail\` says in words what is wrong, \`errors\` where.`,
    ADVICE_OF_CODE[name] ?? ADVICE[status] ?? '',
    ...where,
  ]
}

function listed(operations: readonly string[]): string[] {
  if (operations.length === 0) return []
  return ['These operations may answer with it:', operations.map((operation) => `- ${operation}`).join('\n')]
}

function ofEntry(name: string): string[] | null {
  const list = LISTS.find(({ entries }) => Object.hasOwn(entries, name))
  return list ? [`**${list.entries[name]}.**`, list.where] : null
}
