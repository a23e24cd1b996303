/** What an agent may do with posts besides reading and drafting. The person who creates the key chooses one. */
export const AGENT_CHOICES = ['publishes', 'asks', 'drafts'] as const
export type AgentChoice = (typeof AGENT_CHOICES)[number]

/** Defaults for the key of an agent: its daily budget and how long it is valid. */
export const AGENT_BUDGET = { dailyPostSets: 30, dailyUploadBytes: 500_000_000 } as const
export const AGENT_KEY_DAYS = 30

const DRAFTS = ['notes:write', 'post-sets:write', 'media:write'] as const

/** The scopes for a choice, and the key's `AgentOfKey`. */
export function keyForAgent(
  choice: AgentChoice,
  { dailyPostSets, dailyUploadBytes }: { dailyPostSets: number; dailyUploadBytes: number },
) {
  return {
    scopes: choice === 'publishes' ? [...DRAFTS, 'post-sets:publish' as const] : [...DRAFTS],
    agent: { asks: choice === 'asks', dailyPostSets, dailyUploadBytes },
  }
}

/** The choice with which a key was created. */
export function choiceOf(key: { scopes: readonly string[]; agent: { asks: boolean } | null }): AgentChoice {
  if (key.scopes.includes('post-sets:publish')) return 'publishes'
  return key.agent?.asks ? 'asks' : 'drafts'
}
