import type { Alert } from '#contract'
import { newId } from '#domain'
import { alertLink } from './body.ts'

/** An alert to try a receiver with: the shape of a failed post, with ids and names that are made up. */
export function testAlert(publicUrl: string, now: Date): Alert {
  const [account, socialSet, connection, postSet] = [newId(), newId(), newId(), newId()]
  const scheduledAt = now.toISOString()
  return {
    id: newId(),
    kind: 'TEST',
    time: scheduledAt,
    account: { id: account, name: 'Test account' },
    socialSet: { id: socialSet, name: 'Test brand' },
    accountType: 'BLUESKY',
    connection: { id: connection, name: 'Test connection' },
    postSet: { id: postSet, scheduledAt },
    postId: newId(),
    reason: 'UNKNOWN',
    message: 'This is a test. Nothing has failed.',
    url: alertLink({ postSet: { id: postSet, scheduledAt: now }, socialSetId: socialSet }, publicUrl),
  }
}
