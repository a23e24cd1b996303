import { type AskedQuery, type ConnectionCapabilities, type WhyCode, why } from '#contract'
import type { Capabilities, CapabilityRefusal } from '#networks'
import { countInRateWindow } from '#persistence'
import type { Caller } from '../caller.ts'
import { requireRight } from '../caller.ts'
import { Refusal, refusal } from '../refusal.ts'
import { accountBehind, askAccount } from './ask-account.ts'
import { type MemberConnectionDeps, requireConnection } from './guards.ts'

const REFUSALS = {
  posts: 'why:account_posts',
  banned: 'why:account_banned',
  app: 'why:account_app',
} as const satisfies Record<CapabilityRefusal, WhyCode>

const UNKNOWN: Capabilities = {
  name: null,
  username: null,
  offered: {},
  switchedOff: [],
  maxVideoSeconds: null,
  refusal: null,
}

/**
 * What the account of a connection may do right now, asked of its network each time, for members who write posts.
 * Limited to as many calls a minute as the network accepts; beyond that it is not asked.
 *
 * @throws Refusal when the network does not say, or has no such question
 * @throws ProblemError `connection:not_found`, `request:invalid_query`
 */
export async function readConnectionCapabilities(
  deps: MemberConnectionDeps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<ConnectionCapabilities> {
  requireRight(caller, 'post-sets:write')
  await requireConnection(deps.db, caller, id)
  // Before it counts.
  query.read()
  const { connection, network, who, context } = await accountBehind(deps, id)
  const { title } = network.manifest
  const { capabilities: question } = network.connect
  if (!question) throw new Refusal(`${title} is not asked what an account may do.`)
  const unless = network.manifest.agreement?.unless
  const spared = unless ? connection.defaults[unless.option] === unless.value : false
  const asked = askAccount(deps, who.identityId, async (credentials) => {
    // The network counts by token, whichever connection, person or process asks.
    const { used } = await countInRateWindow(deps.db, `asked:${who.identityId}`, question.perMinute, 'minute')
    if (used > question.perMinute) throw refusal('why:account_asked_often', { title })
    return question.ask(context, { ...who, credentials })
  })
  const { capabilities } = await asked.catch((error: unknown) => {
    // Then nothing of it is needed, and some sign-ins may not even ask.
    if (spared && error instanceof Refusal) return { capabilities: UNKNOWN }
    throw error
  })
  const { name, username, offered, switchedOff, maxVideoSeconds, refusal: refused } = capabilities
  return {
    name,
    username,
    offered: Object.entries(offered).map(([option, values]) => ({ option, values: [...values] })),
    switchedOff: [...switchedOff],
    maxVideoSeconds,
    refusal: refused && why(REFUSALS[refused], { title }),
    spared,
  }
}
