import pino from 'pino'

export type Log = pino.Logger

/** What the log shows of an error. */
interface LoggedError {
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
  if (!(error instanceof Error)) return { type: typeof error, message: bounded(String(error)) }
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
  if (!process.stderr.isTTY) return openLog(level, pino.destination({ dest: 2, sync: true }))
  return openLog(level, { write: (line: string) => void process.stderr.write(inWords(line)) })
}

/** The same on any stream. */
export function openLog(level: string, stream: pino.DestinationStream): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: logSerializers,
      hooks: { logMethod: foldFaults((at, fields, message) => log[at](fields, message)) },
    },
    stream,
  )
  return log
}

/** How long a fault that repeats is only counted. */
const FOLDED_MS = 60_000
/** Faults that are remembered at the most; further ones are logged each time. */
const MOST_FOLDED = 1_000
/**
 * Codes of faults that go on until something outside of Almanac is mended: of the system, of connections, and of PostgreSQL that
 * is away, full, read-only or ending (classes 08, 25, 53, 57 and 58 of SQLSTATE).
 */
const FAULT = /^(E[A-Z0-9]+|UND_ERR_\w+|(08|25|53|57|58)\w{3})$/

type Level = 'warn' | 'error'
const LEVELS: Readonly<Record<number, Level>> = { 40: 'warn', 50: 'error' }

/**
 * Lets the first line of a fault through, and of those like it in the next minute only says how many there were: a disk that is
 * full is not filled with words about it. Alike are lines of one level and message with one code.
 */
function foldFaults(summarize: (at: Level, fields: object, message: string) => void) {
  const folded = new Map<string, number>()
  return function logMethod(this: Log, given: Parameters<pino.LogFn>, method: pino.LogFn, level: number): void {
    const [fields, words] = given as [unknown, unknown]
    const at = LEVELS[level]
    const code = at && faultOf(fields)
    const key = JSON.stringify([at, words, code])
    const repeated = folded.get(key)
    if (code && repeated !== undefined) return void folded.set(key, repeated + 1)
    if (code && folded.size < MOST_FOLDED) {
      folded.set(key, 0)
      setTimeout(() => {
        const count = folded.get(key) ?? 0
        folded.delete(key)
        if (count > 0) summarize(at, { repeated: count, code }, String(words ?? 'The same again'))
      }, FOLDED_MS).unref()
    }
    method.apply(this, given)
  }
}

/** The code of the fault that a line is about; null for none. */
function faultOf(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null) return null
  const { error, err } = fields as { error?: unknown; err?: unknown }
  for (let each = error ?? err, depth = 0; each instanceof Error && depth < DEPTH; each = each.cause, depth += 1) {
    const { code } = each as NodeJS.ErrnoException
    if (typeof code === 'string' && FAULT.test(code)) return code
  }
  return null
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
