import { MINUTE_MS } from '#contract/durations'
import { asDocumented, differs, notTried } from '#networks'
import { refreshToken, type TokenDeps } from '#publishing'
import type { Checking } from './check-steps.ts'

type Token = { credentials: Readonly<Record<string, string>>; expiresAt: Date | null; refreshedAt: Date | null }

/** What is known about the expiry of the sign-in. Makes no request. */
export async function checkToken({ step, deps, network }: Checking, token: Token): Promise<void> {
  await step({ name: 'sign-in', settles: 'when the stored sign-in ends' }, async () => {
    const renews = canRefresh(network, token)
    const itself = renews === null ? 'Almanac renews it by itself.' : renews
    if (token.expiresAt === null) return asDocumented(`The network named no end. ${itself}`)
    const left = token.expiresAt.getTime() - deps.now().getTime()
    if (left <= 0) return asDocumented(`It ended ${inWords(-left)} ago. ${itself}`)
    return asDocumented(`It ends in ${inWords(left)}. ${itself}`)
  })
}

/**
 * Renews the sign-in as publishing does: under a lease, and stored before it is used. If the network calls it dead,
 * it is marked as usual.
 */
export async function checkRefresh(checking: Checking, token: Token): Promise<void> {
  const { deps, step, network, connection, stop, replaceCredentials } = checking
  const question = { name: 'refresh', settles: 'whether the sign-in can be renewed, and what the new one allows' }
  await step(question, async () => {
    const why = canRefresh(network, token)
    if (why !== null) return notTried(why)
    const refreshed = await refreshToken(deps satisfies TokenDeps, connection.identityId, token)
    if (refreshed.kind === 'dead') {
      stop('The sign-in has expired: reconnect the account.')
      return differs(refreshed.message)
    }
    if (refreshed.kind === 'failed') return notTried(refreshed.message)
    const { credentials, expiresAt } = refreshed.token
    const renewing = ['refreshToken', 'refreshJwt'].filter((name) => token.credentials[name] !== undefined)
    const rotated = renewing.some((name) => credentials[name] !== token.credentials[name])
    replaceCredentials(credentials)
    const end = expiresAt ? `It ends in ${inWords(expiresAt.getTime() - deps.now().getTime())}.` : 'No end was named.'
    const renewal = rotated ? ' The token that renews was replaced.' : ' The token that renews stays.'
    return asDocumented(end + (renewing.length > 0 ? renewal : ''))
  })
}

/** What the network offers the account for a publishing default: boards, audiences, categories. */
export async function checkChoices({ step, network, look, identity }: Checking): Promise<void> {
  const { options } = network.connect
  if (!options) return
  await step({ name: 'choices', settles: 'what the account is offered for its publishing defaults' }, async () => {
    const at = look()
    const { externalId } = identity
    const { accountType, credentials } = at
    const outcome = await options(at, { externalId, accountType, credentials })
    if (outcome.kind !== 'options') return differs(outcome.message)
    const counts = Object.entries(outcome.options).map(([name, values]) => `${name}: ${values.length}`)
    return asDocumented(`Values that are offered: ${counts.join(', ')}.`)
  })
}

/** Null when it can; else a sentence says why not. */
function canRefresh({ connect, manifest: { title } }: Checking['network'], { credentials }: Token): string | null {
  if (!connect.refresh) return `Sign-ins of ${title} are not renewed: the account is connected again when it ends.`
  if (connect.canRefresh?.(credentials) ?? true) return null
  return `${title} gave nothing to renew this sign-in with: the account is connected again before it ends.`
}

/** `59 d`, `1 h 58 min` */
function inWords(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} d`
}
