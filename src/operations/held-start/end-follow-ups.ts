import { followUpWarning, MAY_HAVE_GONE_OUT, posted } from '#domain'
import {
  type Actor,
  type DatabaseTransaction,
  endDeliveries,
  type HoldRow,
  liveParts,
  lockFollowUps,
  markPublished,
  titleOfPart,
} from '#persistence'
import { publishedEntry } from '#publishing'

/**
 * Ends the next parts after posts that may have gone out already, of a hold or of a held start (null). Their posts
 * are live, so these end as posted with a warning.
 *
 * @param options.locked the sets whose rows `lockWaitingSets` has locked, with these
 */
export async function endFollowUps(
  trx: DatabaseTransaction,
  hold: HoldRow | null,
  { locked, actor }: { locked: readonly string[]; actor: Actor },
): Promise<void> {
  for (const delivery of await lockFollowUps(trx, hold, locked)) {
    const {
      id,
      post_set_id: postSetId,
      post_id: postId,
      account_type: accountType,
      set_account_id: accountId,
    } = delivery
    const warning = followUpWarning(titleOfPart(delivery), MAY_HAVE_GONE_OUT)
    const result = posted(liveParts(delivery), [...delivery.warnings, warning])
    await endDeliveries(trx, [id], { result, mayBeLive: false })
    await markPublished(
      trx,
      [postSetId],
      [
        { accountId, postSetId, actor, action: 'post published', changes: { postId, accountType, result } },
        publishedEntry(accountId, postSetId),
      ],
    )
  }
}
