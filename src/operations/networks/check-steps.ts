import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE_MS } from '#contract/durations'
import { MediaFailure } from '#media'
import {
  type Checks,
  compareShape,
  createMask,
  discardBody,
  type Http,
  type HttpAnswer,
  type Look,
  type MediaSource,
  type Network,
  notTried,
  type Probe,
  type RecordedCall,
  type Result,
  recordCalls,
  type Settled,
} from '#networks'
import type { NetworkConnection, SealedIdentity } from '#persistence'
import type { TokenDeps } from '#publishing'

export interface CheckDeps extends TokenDeps {
  now(): Date
  /** The bytes of media items, by their ids. */
  mediaSources(mediaIds: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
  /** A wait in milliseconds; for tests. */
  pause?(ms: number): Promise<void>
}

export interface CheckInput {
  /** Folder name of the network. */
  network: string
  /** Null: the only one of a real account, or the only one there is. */
  connectionId: string | null
  /** Item of the media library for the test post; null: a text alone. */
  mediaId: string | null
  /** Asked before anything is published; a sentence says why not. */
  mayPublish(question: string): Promise<true | string>
  /** For the operator alone, while it goes on: it may name the account and addresses of posts. */
  progress(line: string): void
}

/** One question, what was asked for it, what came, and what that settles. */
export interface CheckedStep {
  name: string
  settles: string
  result: Result
  detail: string | null
  calls: readonly RecordedCall[]
  /** Keys that are documented and were not there, and keys that are not documented. */
  missingKeys: readonly string[]
  unknownKeys: readonly string[]
}

/** Holds no secret and nothing that names an account: people send it in. */
export interface NetworkReport {
  network: string
  accountType: string
  /** The account is one of the sandbox: the simulator was checked. */
  sandbox: boolean
  /** When it began. */
  at: string
  /** Settings of the operator that are no secret and name no app: versions, scopes. */
  settings: Readonly<Record<string, string>>
  steps: readonly CheckedStep[]
}

/** What the steps of one check share. */
export interface Checking {
  deps: CheckDeps
  input: CheckInput
  network: Network
  checks: Checks | null
  connection: NetworkConnection
  identity: SealedIdentity
  /** With the present credentials and a time limit of its own. */
  look(): Look
  mask(text: string): string
  pause(ms: number): Promise<void>
  /** Later calls go out with these. */
  replaceCredentials(credentials: Look['credentials']): void
  /** Runs one step and adds it to the report; it is not tried when the network asked to wait, or the sign-in is over. */
  step(question: Pick<Probe, 'name' | 'settles' | 'documented'>, ask: () => Promise<Settled>): Promise<Settled>
  /** Nothing more is asked; says why. */
  stop(why: string): void
  isStopped(): boolean
}

/** One step may take so long, pauses of the network's included. */
const STEP_MS = 15 * MINUTE_MS

/**
 * Begins a check: its steps go into `steps`, its calls are recorded, and none is made once the network asked to
 * wait.
 */
export function openCheck(
  parts: Pick<Checking, 'deps' | 'input' | 'network' | 'checks' | 'connection' | 'identity'>,
  first: Look['credentials'],
  steps: CheckedStep[],
): Checking {
  const { deps, network, checks, connection, identity } = parts
  const { name, endpoints, settings } = network.manifest
  const setting = (which: string) => deps.setting(name, which, identity)
  const endpoint = (which: string) => deps.endpoint(name, which, identity)
  const addresses = Object.fromEntries(Object.keys(endpoints).map((each) => [each, endpoint(each)]))
  const appValues = Object.keys(settings)
    .filter((each) => !isShown(network, each))
    .map(setting)
  let credentials = first
  const hidden = new Set([identity.externalId, connection.name, connection.username ?? '', ...appValues])
  const mask = createMask(() => [...hidden, ...Object.entries(credentials).flatMap(secretsIn)])
  let stopped: string | null = null
  let calls: RecordedCall[] = []
  /** By an answer of the present step. */
  let limited = false
  const onAnswer = (answer: HttpAnswer) => {
    if (asksToWait(checks, answer, deps.now())) {
      stopped ??= 'The network asks for fewer requests. Run the check again later.'
      limited = true
    }
  }
  const plain = deps.httpFor(identity)
  const recorded = recordCalls(plain, { endpoints: addresses, mask, note: (call) => calls.push(call), onAnswer })
  const http: Http = async (request) => {
    if (stopped === null) return recorded(request)
    discardBody(request)
    return { kind: 'failed', sent: false, message: stopped }
  }
  return {
    ...parts,
    // What is refreshed on the way is recorded as well.
    deps: { ...deps, httpFor: () => http },
    look: () => ({
      accountType: connection.accountType,
      account: {
        externalId: identity.externalId,
        username: connection.username,
        defaults: connection.defaults,
      },
      credentials,
      endpoint,
      setting,
      http,
      signal: AbortSignal.timeout(STEP_MS),
      now: deps.now,
    }),
    mask,
    pause: deps.pause ?? (async (ms) => void (await wait(ms))),
    replaceCredentials(given) {
      for (const secret of Object.entries(credentials).flatMap(secretsIn)) hidden.add(secret)
      credentials = given
    },
    async step({ name: stepName, settles, documented }, ask) {
      calls = []
      limited = false
      const found = stopped === null ? await asked(ask) : notTried(stopped)
      const settled = limited && found.result === 'differs' ? notTried(stopped ?? found.detail) : found
      const answers = calls.filter(({ status, error }) => status !== null && status < 300 && error === null)
      const compared = documented ? answers.map(({ shape }) => compareShape(shape, documented)) : []
      const missingKeys = [...new Set(compared.flatMap(({ missing }) => missing))]
      const unknownKeys = [...new Set(compared.flatMap(({ unknown }) => unknown))]
      const lacks = settled.result === 'works as documented' && missingKeys.length > 0
      const shown = lacks
        ? { result: 'differs' as const, detail: `The answer lacks ${missingKeys.join(', ')}.` }
        : settled
      const detail = shown.detail === null ? null : mask(shown.detail)
      steps.push({ name: stepName, settles, result: shown.result, detail, calls, missingKeys, unknownKeys })
      return shown
    },
    stop(why) {
      stopped ??= why
    },
    isStopped: () => stopped !== null,
  }
}

/** One question that fails by an error of ours leaves the answers to the others. */
async function asked(ask: () => Promise<Settled>): Promise<Settled> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof MediaFailure) return notTried(error.message)
    return notTried(`An error in Almanac: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Credentials hold words as well, such as the scopes that were granted. */
const secretsIn = ([name, value]: [string, string]) => (/scope|^video$/i.test(name) ? [] : [value])

/**
 * Whether a value may be shown. Versions and scopes say which API was called; ids, keys and secrets belong to the
 * operator's app.
 */
export const isShown = ({ manifest }: Network, name: string) =>
  /VERSION|SCOPES/.test(name) && manifest.settings[name]?.secret !== true

function asksToWait(checks: Checks | null, answer: HttpAnswer, now: Date): boolean {
  if (answer.status === 429) return true
  if (answer.status < 400 || !checks) return false
  const { meaning } = checks.errors.lookUp(answer, now)
  // What limits posts alone does not limit reads.
  return meaning.kind === 'wait' && meaning.scope !== undefined && answer.status !== 403
}
