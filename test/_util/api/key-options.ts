import { type AgentOfKey, SCOPES, type Scope } from '#contract'

/** What a key for an agent is that says nothing else. */
export const AGENT: AgentOfKey = { asks: false, dailyPostSets: 1_000, dailyUploadBytes: 1_000_000 }

/** What a key of a test is; without anything it may do everything. */
export interface KeyOptions {
  scopes?: readonly Scope[]
  socialSetIds?: readonly string[]
  accountId?: string
  /** Of one that is for an agent: what is different of `AGENT`. */
  agent?: Partial<AgentOfKey>
}

/** The same as `createKey` takes it. */
export function keyOf({ scopes = SCOPES, socialSetIds, agent }: KeyOptions) {
  return { scopes, socialSetIds: socialSetIds ?? null, agent: agent ? { ...AGENT, ...agent } : null }
}
