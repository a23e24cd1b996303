import pino from 'pino'

export type Log = pino.Logger

/** What the log shows of an error. */
export interface LoggedError {
  type: string
  message: string
  /** SQLSTATE, or the code of a system error. */
  code?: string
  stack?: string
  cause?: LoggedError
  /** The errors of an AggregateError: the first few. */
  errors?: LoggedError[]
}

/** How far causes are followed, and how many errors of an aggregate are shown. */
const DEPTH = 5
const LONGEST_TEXT = 10_000

/**
 * Reduces an error to what helps a reader. Other fields never reach the log: `pg` attaches its whole client, with the key
 * that cancels queries, and PostgreSQL quotes values of rows in `detail` and `where`.
 */
export function serializeError(error: unknown, depth = DEPTH): LoggedError {
  if (!isLikeError(error)) return { type: typeof error, message: bounded(String(error)) }
  const { code, cause } = error as NodeJS.ErrnoException
  const type = error.constructor.name || error.name
  const message = bounded(withoutValues(error.message, code))
  const errors = error instanceof AggregateError ? error.errors.slice(0, DEPTH) : []
  return {
    type,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    // By V8 the stack repeats the message, which is written here without values.
    ...(error.stack ? { stack: bounded(`${type}: ${message}${framesOf(error.stack)}`) } : {}),
    ...(cause instanceof Error && depth > 0 ? { cause: serializeError(cause, depth - 1) } : {}),
    ...(errors.length > 0 && depth > 0 ? { errors: errors.map((one) => serializeError(one, depth - 1)) } : {}),
  }
}

/** pg-boss reports copies of errors, which are plain objects. */
function isLikeError(error: unknown): error is Error {
  return error instanceof Error || typeof (error as { message?: unknown } | null)?.message === 'string'
}

/** Data exceptions (class 22 of SQLSTATE) quote the value that did not fit. */
function withoutValues(message: string, code: unknown): string {
  return typeof code === 'string' && /^22...$/.test(code) ? message.replace(/".*"/s, '"…"') : message
}

function framesOf(stack: string): string {
  const start = stack.search(/\n {4}at /)
  return start < 0 ? '' : stack.slice(start)
}

const bounded = (text: string) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)

/** How fields of that name are written, by us (`error`) and by fastify (`err`). */
export const logSerializers = {
  error: (error: unknown) => serializeError(error),
  err: (error: unknown) => serializeError(error),
}

/**
 * The log of a process, on standard error: words for a person at a terminal, else a line of JSON per event. Secrets do
 * not get here: nothing that holds one is handed to the log.
 */
export function createLog(level: string): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: logSerializers,
  }
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }))
  return pino(options, { write: (line: string) => void process.stderr.write(inWords(line)) })
}

/** A line of the log for a person. */
function inWords(line: string): string {
  const { level, time, msg, error, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const shown = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  const fault = (error ?? err) as LoggedError | undefined
  const trouble = fault ? `\n  ${causesOf(fault, Number(level) >= 50).join('\n  caused by ')}` : ''
  return `${String(time).slice(11, 19)} ${pino.levels.labels[Number(level)] ?? ''}: ${msg}${shown.join('')}${trouble}\n`
}

function causesOf({ stack, message, cause, errors = [] }: LoggedError, withStack: boolean): string[] {
  const own = withStack ? (stack ?? message) : message
  return [own, ...[...(cause ? [cause] : []), ...errors].flatMap((one) => causesOf(one, withStack))]
}
