import { type AskedQuery, kindsOfPosts, LIMITS, MEDIA_PAGE, type MediaUses } from '#contract'
import { excerptOf } from '#domain'
import type { UrlSigner } from '#media'
import { agentOfMedia, type Database, listMediaUses } from '#persistence'
import type { Caller } from '../../caller.ts'
import { getMediaItem } from './get.ts'

/**
 * The posts that use a file, and whether an agent added it.
 *
 * @throws ProblemError `media-library:not_found`, `request:invalid_query`
 */
export async function readMediaUses(
  deps: { db: Database; urls: UrlSigner },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<MediaUses> {
  const item = await getMediaItem(deps, caller, id)
  query.read()
  const limits = { limit: MEDIA_PAGE.uses, captionCodePoints: LIMITS.excerpt.readCodePoints }
  const { total, uses } = await listMediaUses(deps.db, item.id, limits)
  return {
    total,
    agent: await agentOfMedia(deps.db, item.id),
    data: uses.map(({ caption, scheduledAt, forms, ...use }) => ({
      ...use,
      scheduledAt: scheduledAt.toISOString(),
      excerpt: excerptOf(caption, LIMITS.excerpt.codePoints),
      kinds: kindsOfPosts(forms),
    })),
  }
}
