import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useCallback } from 'react'
import type { PostDelivery, PostSet } from '#contract'
import { useMay } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { wordsOfWhy } from '../language/server-words.ts'
import { nameOf, subjectOf } from '../planning/posts/subject.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { useRetry } from '../post-set-actions/use-retry.tsx'

/** The way on from threads that ended early, each by itself: it goes on with its first part that is missing, or says why not. */
export function ContinueThread({ postSet, rows }: { postSet: PostSet; rows: readonly PostDelivery[] }) {
  const { t } = useLingui()
  const { open } = usePostSetActions()
  const { id, scheduledAt } = postSet
  const see = useCallback(() => open(id, scheduledAt), [open, id, scheduledAt])
  const { retry, busy } = useRetry({ see })
  if (!useMay('post-sets:publish')) return null
  return rows.map(({ postId, accountType, continuation }) => {
    const network = networkName(accountType)
    if (!continuation) return null
    if (continuation.why) {
      const why = wordsOfWhy(continuation.why)
      return (
        <Text key={postId} size="sm" mt={4}>
          <Trans>
            The thread on {network} cannot be continued now. {why}
          </Trans>
        </Text>
      )
    }
    return (
      <div key={postId}>
        <Button
          variant="default"
          mt="xs"
          leftSection={<IconRefresh size={16} aria-hidden />}
          aria-label={t`Continue the thread on ${network}`}
          loading={busy.has(id)}
          onClick={() => void retry({ id, name: nameOf(subjectOf(postSet)) }, [postId])}
        >
          <Trans>Continue the thread</Trans>
        </Button>
        <Text size="xs" c="dimmed" mt={4}>
          <Trans>
            Sends the parts that are missing on {network}, from the first one on. Nothing that is live goes out again.
          </Trans>
        </Text>
      </div>
    )
  })
}
