/** What an agent may do with posts besides reading and drafting: the one choice of who gives it a key. */
export const AGENT_CHOICES = ['publishes', 'asks', 'drafts'] as const
export type AgentChoice = (typeof AGENT_CHOICES)[number]

/** What a key for an agent begins with where its maker says nothing else: its budget a day, and how long it lives. */
export const AGENT_BUDGET = { dailyPostSets: 30, dailyUploadBytes: 500_000_000 } as const
export const AGENT_KEY_DAYS = 30

const DRAFTS = ['notes:write', 'post-sets:write', 'media:write'] as const

/** The scopes of the key that a choice makes, and what it is as one of an agent (`AgentOfKey`). */
export function keyForAgent(
  choice: AgentChoice,
  { dailyPostSets, dailyUploadBytes }: { dailyPostSets: number; dailyUploadBytes: number },
) {
  return {
    scopes: choice === 'publishes' ? [...DRAFTS, 'post-sets:publish' as const] : [...DRAFTS],
    agent: { asks: choice === 'asks', dailyPostSets, dailyUploadBytes },
  }
}

/** The choice that a key was made by. */
export function choiceOf(key: { scopes: readonly string[]; agent: { asks: boolean } | null }): AgentChoice {
  if (key.scopes.includes('post-sets:publish')) return 'publishes'
  return key.agent?.asks ? 'asks' : 'drafts'
}
