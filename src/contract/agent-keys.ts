import type { AgentOfKey } from './api-keys.ts'
import type { Scope } from './states.ts'

/** What an agent may do with posts besides reading and drafting: the one choice of who gives it a key. */
export const AGENT_CHOICES = ['publishes', 'asks', 'drafts'] as const
export type AgentChoice = (typeof AGENT_CHOICES)[number]

/** What a key for an agent begins with where its maker says nothing else: its budget a day, and how long it lives. */
export const AGENT_BUDGET = { dailyPostSets: 30, dailyUploadBytes: 500_000_000 } as const
export const AGENT_KEY_DAYS = 30

const DRAFTS: readonly Scope[] = ['notes:write', 'post-sets:write', 'media:write']

/** The key that a choice makes. */
export function keyForAgent(
  choice: AgentChoice,
  budget: Pick<AgentOfKey, 'dailyPostSets' | 'dailyUploadBytes'>,
): { scopes: Scope[]; agent: AgentOfKey } {
  return {
    scopes: choice === 'publishes' ? [...DRAFTS, 'post-sets:publish'] : [...DRAFTS],
    agent: { asks: choice === 'asks', ...budget },
  }
}

/** The choice that a key was made by. */
export function choiceOf({ scopes, agent }: { scopes: readonly Scope[]; agent: AgentOfKey | null }): AgentChoice {
  if (scopes.includes('post-sets:publish')) return 'publishes'
  return agent?.asks ? 'asks' : 'drafts'
}
