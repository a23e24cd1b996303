import {
  type AccountType,
  kindOfPost,
  type MediaFacts,
  type UnfitFor,
  UPRIGHT_KINDS,
  type UprightKind,
} from '#contract'
import type { Networks, PostToCheck } from '#networks'
import type { ConnectionState } from '#persistence'

/** What no other post and no crop makes right: it is about the file itself. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  'post:media_required',
  'post:media_type',
  'post:media_size',
  'post:media_dimensions',
  'post:media_duration',
  'post:media_codec',
])

/**
 * Which of the given account types accept a file in no kind of post, and why: checks a post with only this file
 * against the rules of scheduled posts.
 *
 * @param connections of the social set: their defaults are part of the rules
 */
export function unfitFor(
  networks: Networks,
  accountTypes: readonly AccountType[],
  connections: readonly ConnectionState[],
  facts: MediaFacts,
): UnfitFor[] {
  return accountTypes.flatMap((accountType) => {
    const network = networks.serving(accountType)
    if (!network) return []
    const connection = connections.find((candidate) => candidate.accountType === accountType)
    const kinds = (network.manifest.forms[accountType] ?? []).filter((form) => form.media.max > 0)
    const found = kinds.map(({ type }) => findingOf(network, { accountType, type }, connection, facts))
    if (found.some((finding) => finding === undefined)) return []
    // What a kind says that takes such files comes before what others say: that they take none.
    const finding = found.find((each) => each?.code !== 'post:media_type') ?? found[0]
    if (!finding) return []
    const { code, message, limit, actual } = finding
    return [
      {
        accountType,
        code,
        message,
        ...(limit === undefined ? {} : { limit }),
        ...(actual === undefined ? {} : { actual }),
      },
    ]
  })
}

/** What is wrong with a file in a post of it alone; undefined when nothing is. */
function findingOf(
  network: NonNullable<ReturnType<Networks['serving']>>,
  { accountType, type }: { accountType: AccountType; type: string | null },
  connection: ConnectionState | undefined,
  facts: MediaFacts,
) {
  const media = [{ facts, altText: null, title: null, description: null, link: null, tags: [] }]
  const fields = type === null ? {} : { type }
  const post: PostToCheck = { accountType, caption: '', fields, media, signIn: connection?.signIn ?? null }
  return network
    .checkPost(post, connection?.defaults ?? {})
    .find(({ code, warning }) => !warning && OF_THE_FILE.has(code))
}

/** A little wider than 9:16: networks cut so much off rather than leaving bars. */
const FILLS = 0.6

/**
 * The kinds of posts whose screen a file fills and that an account of the social set accepts it for, by the rules of
 * scheduled posts.
 */
export function fillsOf(networks: Networks, connections: readonly ConnectionState[], facts: MediaFacts): UprightKind[] {
  const { width, height } = facts
  if (width / Math.max(1, height) > FILLS) return []
  const video = facts.type === 'VIDEO' ? facts : null
  const kinds = connections.flatMap((connection) => {
    const { accountType } = connection
    const network = networks.serving(accountType)
    const forms = network?.manifest.forms[accountType] ?? []
    return forms.flatMap(({ type, media }) => {
      const kind = kindOfPost({ accountType, type, items: 1, video, document: facts.type === 'DOCUMENT' })
      const takes = network && media.max > 0 && !findingOf(network, { accountType, type }, connection, facts)
      return takes ? [kind] : []
    })
  })
  return UPRIGHT_KINDS.filter((kind) => kinds.includes(kind))
}
