import {
  type AccountType,
  type ConnectionStatus,
  entryAt,
  LIMITS,
  type ProblemEntry,
  type RichCaptionSegment,
} from '#contract'
import type { DefaultField, Defaults, Manifest, PostToCheck } from './network.ts'
import type { Networks } from './registry.ts'

/** What the rules must know of the open connections of a social set. */
export interface ConnectionToCheck {
  accountType: AccountType
  status: ConnectionStatus
  /** Its publishing defaults. */
  defaults: Defaults
}

export interface PostsCheck {
  /** Stop scheduling, or fail the post right before it is sent. */
  problems: ProblemEntry[]
  /** Are told, stop nothing. */
  warnings: ProblemEntry[]
}

/**
 * The rules of scheduled posts: those of every network, then each network's own. The one implementation for create,
 * update, the live check and the publisher. The problems of all posts are reported in the order of the posts, the first
 * 100 of them; with these, no further post is looked at.
 */
export function checkPosts(
  networks: Networks,
  posts: readonly PostToCheck[],
  connections: readonly ConnectionToCheck[],
): PostsCheck {
  const check: PostsCheck = { problems: [], warnings: [] }
  const seen = new Set<AccountType>()
  for (const [index, post] of posts.entries()) {
    if (check.problems.length >= LIMITS.problems) break
    const { accountType } = post
    const at = ['posts', index] as const
    if (seen.has(accountType)) {
      check.problems.push(
        entryAt(
          [...at, 'accountType'],
          'post:duplicate_account_type',
          `The set has more than one ${accountType} post. Keep one.`,
          { accountType },
        ),
      )
    }
    seen.add(accountType)
    check.problems.push(...checkConnection(accountType, connections, at))
    check.problems.push(...checkRichCaption(post, at))
    const network = networks.serving(accountType)
    const connection = connections.find((candidate) => candidate.accountType === accountType)
    if (network && connection) check.problems.push(...checkDefaults(network.manifest, accountType, connection, at))
    for (const finding of network?.checkPost(post, connection?.defaults ?? {}) ?? []) {
      const entry = entryAt([...at, ...finding.steps], finding.code, finding.message, {
        accountType,
        ...(finding.limit === undefined ? {} : { limit: finding.limit }),
        ...(finding.actual === undefined ? {} : { actual: finding.actual }),
      })
      if (finding.warning) check.warnings.push(entry)
      else check.problems.push(entry)
    }
  }
  return { problems: check.problems.slice(0, LIMITS.problems), warnings: check.warnings.slice(0, LIMITS.problems) }
}

function checkConnection(
  accountType: AccountType,
  connections: readonly ConnectionToCheck[],
  at: readonly (string | number)[],
): ProblemEntry[] {
  const connection = connections.find((candidate) => candidate.accountType === accountType)
  const steps = [...at, 'accountType']
  if (!connection) {
    const message = `The social set has no connected ${accountType} account. Connect one, or remove the post.`
    return [entryAt(steps, 'post:account_not_connected', message, { accountType })]
  }
  if (connection.status === 'RECONNECT_REQUIRED') {
    const message = `The ${accountType} account must be reconnected before anything can be scheduled on it.`
    return [entryAt(steps, 'post:account_reconnect_required', message, { accountType })]
  }
  return []
}

/** Networks want people to choose, once for a connection, what the interface has no field for. */
function checkDefaults(
  manifest: Manifest,
  accountType: AccountType,
  { defaults }: ConnectionToCheck,
  at: readonly (string | number)[],
): ProblemEntry[] {
  return missingDefaults(manifest, accountType, defaults).map(({ title }) => {
    const message = `${manifest.title} needs "${title}" to be chosen for the connected ${accountType} account. Choose it among the account's publishing defaults.`
    return entryAt([...at, 'accountType'], 'post:field_required', message, { accountType })
  })
}

/** The publishing defaults that an account type has. */
export function defaultsOf(manifest: Manifest, accountType: AccountType): readonly DefaultField[] {
  return manifest.defaults.filter(({ accountTypes }) => accountTypes?.includes(accountType) ?? true)
}

/** What connections of the sandbox have. */
export function sandboxDefaults(manifest: Manifest, accountType: AccountType): Defaults {
  const chosen = defaultsOf(manifest, accountType).filter(({ sandbox }) => sandbox !== undefined)
  return Object.fromEntries(chosen.map(({ name, sandbox }) => [name, sandbox]))
}

/** Those that have to be chosen and are not. */
export function missingDefaults(manifest: Manifest, accountType: AccountType, chosen: Defaults): DefaultField[] {
  return defaultsOf(manifest, accountType).filter(({ name, required }) => required && chosen[name] === undefined)
}

function checkRichCaption(post: PostToCheck, at: readonly (string | number)[]): ProblemEntry[] {
  const segments = post.fields.richCaption as readonly RichCaptionSegment[] | undefined
  if (!segments) return []
  const joined = segments.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('')
  if (joined === post.caption) return []
  const message = 'The segments of richCaption, joined, must equal caption. Send one segment that holds the caption.'
  return [entryAt([...at, 'richCaption'], 'post:rich_caption_mismatch', message, { accountType: post.accountType })]
}
