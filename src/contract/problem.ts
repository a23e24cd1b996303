import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { closed } from './schema.ts'
import { Why } from './why.ts'

/** One problem: what, where, and for posts the account type and the number at stake. */
export const ProblemEntry = closed({
  code: Type.String(),
  message: Type.String(),
  path: Type.String({ description: 'Where, as `posts[0].caption`. Empty: the whole body.' }),
  pointer: Type.String({ description: 'Where, as a JSON pointer fragment: `#/posts/0/caption`.' }),
  accountType: Type.Optional(Type.Enum([...accountTypes])),
  limit: Type.Optional(Type.Number()),
  actual: Type.Optional(Type.Number()),
})
export type ProblemEntry = Type.Static<typeof ProblemEntry>

/** The body of every error (RFC 9457, `application/problem+json`). */
export const Problem = closed({
  type: Type.String({ description: 'Documentation page about this code.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.Enum(Object.keys(ERRORS) as ErrorCode[]),
  message: Type.String({ description: 'The same as detail.' }),
  requestId: Type.String(),
  errors: Type.Array(ProblemEntry),
  why: Type.Optional(Why),
})
export type Problem = Type.Static<typeof Problem>

/**
 * A refusal that the client sees. Operations throw it; one place turns it into an answer. `headers` are added to the
 * answer (`WWW-Authenticate`, `Retry-After`, `Allow`).
 */
export class ProblemError extends Error {
  override name = 'ProblemError'
  readonly code: ErrorCode
  readonly entries: readonly ProblemEntry[]
  readonly headers: Readonly<Record<string, string>>
  /** The sentence of a refusal with an id of its own; null: there is none but the code. */
  readonly why: Why | null

  constructor(
    code: ErrorCode,
    detail: string,
    options: { entries?: readonly ProblemEntry[]; headers?: Record<string, string>; why?: Why } = {},
  ) {
    super(detail)
    this.code = code
    this.entries = options.entries ?? []
    this.headers = options.headers ?? {}
    this.why = options.why ?? null
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** Names that a request made up may be as long as its body: of longer ones the beginning is shown. */
const LONGEST_NAME = 100
const nameOf = (step: string) => (step.length <= LONGEST_NAME ? step : `${step.slice(0, LONGEST_NAME)}…`)

/** `posts[0].caption` for the steps `['posts', 0, 'caption']`. A field with an empty name is written `[""]`. */
export function pathOf(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    if (step === '') return `${path}[""]`
    return path === '' ? nameOf(step) : `${path}.${nameOf(step)}`
  }, '')
}

/**
 * `#/posts/0/caption` for the steps `['posts', 0, 'caption']` (RFC 6901, as a URI fragment without escapes for ~ and
 * /).
 */
export function pointerOf(steps: readonly (string | number)[]): string {
  return `#${steps.map((step) => `/${nameOf(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`
}

/** Moves an entry of a part to its place in the whole, given the steps that lead to the part. */
export function steppedInto(
  steps: readonly (string | number)[],
  { path, pointer }: Pick<ProblemEntry, 'path' | 'pointer'>,
): Pick<ProblemEntry, 'path' | 'pointer'> {
  const own = path === '' || path.startsWith('[') ? path : `.${path}`
  return { path: `${pathOf(steps)}${own}`, pointer: `${pointerOf(steps)}${pointer.slice(1)}` }
}

/** An entry at the given steps. */
export function entryAt(
  steps: readonly (string | number)[],
  code: string,
  message: string,
  more: Pick<ProblemEntry, 'accountType' | 'limit' | 'actual'> = {},
): ProblemEntry {
  return { code, message, path: pathOf(steps), pointer: pointerOf(steps), ...more }
}
