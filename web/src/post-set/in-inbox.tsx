import { Trans, useLingui } from '@lingui/react/macro'
import { Button, CopyButton, Text } from '@mantine/core'
import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import type { PostDelivery, PostSet } from '#contract'
import { useMay } from '../api/session.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { wordsOfProblem } from '../language/server-words.ts'
import { inboxWords } from '../planning/posts/inbox-words.ts'
import { nameOf, subjectOf } from '../planning/posts/subject.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { useRetry } from '../post-set-actions/use-retry.tsx'
import classes from './panel.module.css'

interface InInboxProps {
  postSet: PostSet
  zone: string
  rows: readonly PostDelivery[]
}

/** Posts in the inbox of their account, each with the caption that its creator may have to paste, or left there. */
export function InInbox({ postSet, zone, rows }: InInboxProps) {
  const { t } = useLingui()
  const mayWrite = useMay('post-sets:write')
  const { open } = usePostSetActions()
  const { id, scheduledAt } = postSet
  const see = useCallback(() => open(id, scheduledAt), [open, id, scheduledAt])
  const { copyFailed } = useRetry({ see })
  const [busy, setBusy] = useState(false)
  const copy = async () => {
    setBusy(true)
    const made = await copyFailed({ id, name: nameOf(subjectOf(postSet)) }, zone)
    setBusy(false)
    if (made) open(made.id, made.scheduledAt)
  }
  return rows.map(({ postId, accountType, connectionName, result }) => {
    const ended = result?.delivery === 'INBOX_ENDED'
    const post = postSet.posts.find(({ id }) => id === postId)
    // Photos have their caption with them.
    const caption = post?.media.some(({ type }) => type === 'VIDEO') ? post.caption : ''
    return (
      <section key={postId} aria-label={networkName(accountType)}>
        <div className={classes.network}>
          <NetworkIcon accountType={accountType} size={16} decorative />
          <b>{inboxWords({ accountType, who: connectionName }, ended)}</b>
        </div>
        {!ended && (
          <Text size="sm">
            <Trans>
              The creator finishes it in the app. Almanac asks every hour for a day whether it is published.
            </Trans>
          </Text>
        )}
        {(result?.warnings ?? []).map((warning) => (
          <Text size="sm" key={warning.message}>
            {wordsOfProblem(warning)}
          </Text>
        ))}
        {!ended && caption !== '' && (
          <>
            <Text size="sm" c="dimmed" mt={4}>
              <Trans>The caption of a video is not sent with it. Paste it in the app:</Trans>
            </Text>
            <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {caption}
            </Text>
            <CopyButton value={caption}>
              {({ copied, copy: take }) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconCopy size={14} aria-hidden />}
                  onClick={take}
                >
                  {copied ? t`Copied` : t`Copy the caption`}
                </Button>
              )}
            </CopyButton>
          </>
        )}
        {ended && mayWrite && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            loading={busy}
            onClick={() => void copy()}
          >
            <Trans>Copy as a draft</Trans>
          </Button>
        )}
      </section>
    )
  })
}
