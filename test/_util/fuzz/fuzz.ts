import fc from 'fast-check'
import { Pool } from 'undici'
import { answerChecker, type OpenApi } from '../api/openapi.ts'
import { forget, type Known, learn } from './known.ts'
import { operationsOf } from './operations.ts'
import { anyRequest, type Recipe } from './requests.ts'
import { complaints, type FuzzCaller } from './verdict.ts'
import { curlLine, send, writeRequest } from './wire.ts'

/** What is fuzzed: a running server and all that a request to it may name. */
export interface FuzzTarget {
  url: string
  openApi: OpenApi
  /** The first one is the one that may do everything; it is called `main`. */
  callers: readonly FuzzCaller[]
  known: Known
  /** What is stored now, in lines that can be compared. */
  rows?(): Promise<string>
  /** What the server says for itself about a request. */
  logOf?(requestId: string): string
  /** Something that happens beside the API, so that its states are met. */
  meanwhile?(known: Known): Promise<void>
}

export interface FuzzOptions {
  /** How many requests are sent. */
  requests: number
  seed: number
  /** Of a failure that fast-check has reported: begins there. */
  path?: string
}

export interface FuzzReport {
  sent: number
  /** How often every operation answered with every status. */
  statuses: Map<string, Map<number, number>>
  /** Of the requests that the description allows in every part: how many, and how many were taken. */
  valid: { sent: number; taken: number }
  /** Refused requests after which what is stored was compared. */
  compared: number
  slowestMs: number
}

const AT_ONCE = 8
const MOST_IN_A_BATCH = 16
/** Every so many batches go one request after the other, each refusal compared. */
const ALONE_EVERY = 20
const MEANWHILE_EVERY = 40
const SHRINK_MS = 60_000

/**
 * Sends generated requests, several at once, and checks every answer.
 *
 * @throws Error with the smallest failing batch that was found, the request in it as a line for a shell, and the seed
 */
export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzReport> {
  const { known } = target
  const pool = new Pool(target.url, { connections: AT_ONCE, pipelining: 1 })
  const declared = answerChecker(target.openApi)
  const callers = new Map(target.callers.map((caller) => [caller.name, caller]))
  const report: FuzzReport = { sent: 0, statuses: new Map(), valid: { sent: 0, taken: 0 }, compared: 0, slowestMs: 0 }
  const operations = operationsOf(target.openApi)
  const names = { all: [...callers.keys()], whole: target.callers.filter(({ whole }) => whole).map(({ name }) => name) }
  const batch = fc.array(anyRequest(operations, names), { maxLength: MOST_IN_A_BATCH, size: 'max' })
  let batches = 0
  let failing = false
  let deadline = Number.POSITIVE_INFINITY

  const ask = async (recipe: Recipe) => {
    const caller = callers.get(recipe.caller)
    if (!caller) throw new Error(`There is no caller ${recipe.caller}.`)
    known.ids.set('home', [caller.home]).set('home-media', [...caller.media])
    const request = writeRequest(recipe, known, caller.authorization)
    const begun = performance.now()
    const fail = (words: string) => {
      throw new Error(`${words}\n${curlLine(target.url, request)}\n(credential: ${caller.name})`)
    }
    const answer = await send(pool, request).catch((error: Error) => fail(`No answer: ${error.message}`))
    if (!answer) throw new Error('unreachable')
    report.slowestMs = Math.max(report.slowestMs, performance.now() - begun)
    const found = complaints(request, caller, answer, declared)
    if (found.length > 0) {
      const log = target.logOf?.(answer.headers.get('x-request-id') ?? 'none') ?? ''
      fail(`${found.join('\n')}\n${answer.status} ${JSON.stringify(answer.body).slice(0, 2_000)}\n${log}`)
    }
    return { recipe, request, answer, caller, fail }
  }
  type Asked = Awaited<ReturnType<typeof ask>>

  const note = ({ recipe, request, answer }: Asked) => {
    report.sent += 1
    const { name, resource } = recipe.operation
    const asItself = recipe.method === null && recipe.path === null
    const key = asItself ? name : 'anything else'
    const statuses = report.statuses.get(key) ?? new Map<number, number>()
    report.statuses.set(key, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1))
    if (recipe.valid) {
      report.valid.sent += 1
      if (answer.status < 400) report.valid.taken += 1
    }
    if (answer.status >= 300 || !asItself) return
    if (request.method === 'DELETE') forget(known, resource, request.path.split('/').at(-1)?.toLowerCase() ?? '')
    else learn(known, resource, answer.body)
  }

  /** One after the other; what is refused has changed nothing. */
  const askAlone = async (recipes: readonly Recipe[]) => {
    let before = await target.rows?.()
    for (const recipe of recipes) {
      const asked = await ask(recipe)
      note(asked)
      if (asked.request.method === 'GET' || !target.rows) continue
      const after = await target.rows()
      if (asked.answer.status >= 400) {
        report.compared += 1
        if (after !== before)
          asked.fail(`Refused with ${asked.answer.status}, and yet something changed: ${changed(before, after)}`)
      }
      before = after
    }
  }

  const property = fc.asyncProperty(batch, async (generated) => {
    if (!failing && report.sent >= options.requests) return
    if (Date.now() > deadline) return
    batches += 1
    const recipes = failing ? generated : generated.slice(0, options.requests - report.sent)
    try {
      if (batches % MEANWHILE_EVERY === 0) await target.meanwhile?.(known)
      if (failing || batches % ALONE_EVERY === 0) return await askAlone(recipes)
      // All of them are waited for, so that none runs into the next batch; then in their order, no matter which was first.
      const settled = await Promise.allSettled(recipes.map(ask))
      for (const each of settled) {
        if (each.status === 'rejected') throw each.reason
        note(each.value)
      }
    } catch (error) {
      if (!failing) deadline = Date.now() + SHRINK_MS
      failing = true
      throw error
    }
  })
  const outcome = await fc.check(property, {
    seed: options.seed,
    ...(options.path === undefined ? {} : { path: options.path }),
    // A batch has half of its most in the mean; some more, for what is sent is counted.
    numRuns: Math.ceil((options.requests / MOST_IN_A_BATCH) * 2.5),
  })
  await pool.close()
  if (!outcome.failed) return report
  const again = `ALMANAC_FUZZ_SEED=${outcome.seed} runs it all again, with ALMANAC_FUZZ_PATH=${outcome.counterexamplePath} this alone.`
  const others = outcome.counterexample?.[0].map(({ operation }) => operation.name).join(', ')
  throw new Error(
    `After ${report.sent} requests, shrunk ${outcome.numShrinks} times to ${others}\n${(outcome.errorInstance as Error).message}\n${again}`,
  )
}

/** The lines of the one that are not in the other. */
function changed(before = '', after = ''): string {
  const lines = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter((line) => !lines.has(line))
    .join(', ')
}
