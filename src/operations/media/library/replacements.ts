import {
  type AskedQuery,
  kindsOfPosts,
  LIMITS,
  type MediaReplacementQuery,
  type MediaReplacements,
  ProblemError,
} from '#contract'
import { excerptOf } from '#domain'
import type { UrlSigner } from '#media'
import { type DatabaseTransaction, inTransaction, listReplaceable } from '#persistence'
import { type Caller, requireRight } from '../../caller.ts'
import type { PostSetDeps } from '../../deps.ts'
import { checkReplacement } from '../../post-sets/replace-media.ts'
import { getMediaItem } from './get.ts'

/**
 * The outcome of replacing a file by another one, post set by post set: each is checked as `replaceMedia` of the
 * bulk route would. Nothing is written.
 *
 * @throws ProblemError `auth:insufficient_role`, `media-library:not_found`, `request:invalid_query`
 */
export async function readReplacements(
  deps: PostSetDeps & { urls: UrlSigner },
  caller: Caller,
  id: string,
  query: AskedQuery<MediaReplacementQuery>,
): Promise<MediaReplacements> {
  requireRight(caller, 'post-sets:write')
  const from = await getMediaItem(deps, caller, id)
  const to = await getMediaItem(deps, caller, query.read().with)
  const bounds = { limit: LIMITS.postSetsAtOnce, captionCodePoints: LIMITS.excerpt.readCodePoints }
  const { total, published, uses } = await listReplaceable(deps.db, from.id, bounds)
  const data: MediaReplacements['data'] = []
  for (const { caption, scheduledAt, forms, ...use } of uses) {
    const found = await inTransaction(deps.db, (trx) => check(trx, deps, caller, use.id, { from: from.id, to: to.id }))
    data.push({
      ...use,
      scheduledAt: scheduledAt.toISOString(),
      excerpt: excerptOf(caption, LIMITS.excerpt.codePoints),
      kinds: kindsOfPosts(forms),
      ...found,
    })
  }
  return { data, total, published }
}

type Found = Pick<MediaReplacements['data'][number], 'asksAgain' | 'describesOld' | 'refused'>

async function check(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  ...[id, files]: [id: string, files: { from: string; to: string }]
): Promise<Found> {
  try {
    return { ...(await checkReplacement(trx, deps, caller, id, files)), refused: null }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { code, message, why } = error
    return { asksAgain: false, describesOld: false, refused: { code, message, ...(why ? { why } : {}) } }
  }
}
