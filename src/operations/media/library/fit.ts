import type { AccountType, MediaFacts, UnfitFor } from '#contract'
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
 * Which of some account types take a file in no kind of post, and why: by the rules that scheduled posts have, of a post with this file
 * alone.
 *
 * @param connections of the social set: their defaults are part of the rules
 */
export function unfitFor(
  networks: Networks,
  accountTypes: readonly AccountType[],
  connections: readonly ConnectionState[],
  facts: MediaFacts,
): UnfitFor[] {
  const media: PostToCheck['media'][number] = {
    facts,
    altText: null,
    title: null,
    description: null,
    link: null,
    tags: [],
  }
  return accountTypes.flatMap((accountType) => {
    const network = networks.serving(accountType)
    if (!network) return []
    const connection = connections.find((candidate) => candidate.accountType === accountType)
    const kinds = (network.manifest.forms[accountType] ?? []).filter((form) => form.media.max > 0)
    const found = kinds.map(({ type }) => {
      const fields = type === null ? {} : { type }
      const post = { accountType, caption: '', fields, media: [media], signIn: connection?.signIn ?? null }
      return network
        .checkPost(post, connection?.defaults ?? {})
        .find(({ code, warning }) => !warning && OF_THE_FILE.has(code))
    })
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
