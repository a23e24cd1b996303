import type { AccountType } from '#contract'
import { DAY_MS } from '#contract/durations'
import type { Attempt, ConnectContext, Credentials, Defaults } from '../network.ts'
import type { Called } from './api.ts'
import type { ErrorTable } from './errors.ts'
import type { HttpAnswer } from './http.ts'

/** What `networks check` asks a network beyond what all networks are asked. A folder exports it from `checks.ts`. */
export interface Checks {
  errors: Pick<ErrorTable, 'lookUp'>
  /** Reads alone: nothing that others see, nothing that changes anything. In this order. */
  probes: readonly Probe[]
  /** Further fields of the test post. */
  fields?(look: Look): Readonly<Record<string, unknown>>
  /** Publishing defaults of the test post in place of the connection's: the fewest see what no program can delete. */
  defaults?: Defaults
  /** Why a lost post of this account cannot be looked for, as a sentence; null: it can. */
  noLookup?(look: Look): string | null
  /** Deletes a post by the network's id of it. Absent where the network cannot, or not with what the connector asks for. */
  remove?(look: Look, providerId: string): Promise<Called<unknown>>
  /** How a person deletes a post, as a sentence. */
  byHand: string
}

/** From now until a time in seconds since 1970, in whole days. */
export const daysTo = (seconds: number, now: Date) => Math.round((seconds * 1000 - now.getTime()) / DAY_MS)

/** The account that is checked. */
export interface Look extends ConnectContext {
  accountType: AccountType
  account: Attempt['account']
  credentials: Credentials
}

export type Result = 'works as documented' | 'differs' | 'not tried'

/** What a step settles. The detail is for people, and names no one. */
export type Settled =
  | { result: 'works as documented'; detail: string | null }
  | { result: 'differs' | 'not tried'; detail: string }

/** One question to a network. */
export interface Probe {
  /** `quota` */
  name: string
  /** What its answer settles, as a clause: `whether the account's quota can be read`. */
  settles: string
  /** Absent: all of the network. */
  accountTypes?: readonly AccountType[]
  /** Keys of its answers by paths, as they are documented; see `compareShape`. Absent: they are not compared. */
  documented?: readonly string[]
  ask(look: Look): Promise<Settled>
}

export const asDocumented = (detail: string | null = null): Settled => ({ result: 'works as documented', detail })
export const differs = (detail: string): Settled => ({ result: 'differs', detail })
export const notTried = (detail: string): Settled => ({ result: 'not tried', detail })

/** A probe that makes one read of the connector, with the connector's own reader. */
export function readProbe<T>(
  probe: Omit<Probe, 'ask'> & {
    /** A sentence says why it is not tried. */
    read(look: Look): Promise<Called<T>> | string
    /** What a value says, in words without names and ids. */
    says?(value: T, look: Look): string | null
    /** How a value differs from what is documented; null: it does not. */
    differs?(value: T, look: Look): string | null
    /** What a refusal settles where one is documented; null: it differs. */
    refused?(answer: HttpAnswer): Settled | null
  },
): Probe {
  const { read, says, differs: differsIn, refused, ...rest } = probe
  return {
    ...rest,
    async ask(look) {
      const reading = read(look)
      if (typeof reading === 'string') return notTried(reading)
      const called = await reading
      if (called.kind === 'failed') return notTried(`No answer came. ${called.message}`)
      if (called.kind === 'refused') return refused?.(called.answer) ?? differs(refusalWords(called.answer))
      const how = differsIn?.(called.value, look) ?? null
      return how === null ? asDocumented(says?.(called.value, look) ?? null) : differs(how)
    },
  }
}

/** Of an answer that is no success, or none that the connector can read. */
export const refusalWords = ({ status }: Pick<HttpAnswer, 'status'>): string =>
  status >= 400
    ? `The network refuses (status ${status}).`
    : `The answer (status ${status}) has another shape than the connector reads.`
