import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ResultItem, ResultPost } from '#contract'
import { useMay } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { wordsOfProblem } from '../language/server-words.ts'
import { inboxWords } from '../planning/posts/inbox-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import type { Retry } from '../post-set-actions/use-retry.tsx'
import classes from './results.module.css'

/** A post in the inbox of its account, or one that was left there: whom it waits for, and what can be done. */
export function InboxLine({ item, post, retry }: { item: ResultItem; post: ResultPost; retry: Retry }) {
  const navigate = useNavigate()
  const mayWrite = useMay('post-sets:write')
  const { accountType, connectionName: who, result } = post
  const ended = result?.delivery === 'INBOX_ENDED'
  const copy = async () => {
    const made = await retry.copyFailed({ id: item.id, name: nameOf(item) }, item.timezone)
    if (!made) return
    await navigate({
      to: '/scheduling/calendar/$view',
      params: { view: 'month' },
      search: { set: item.socialSetId, post: made.id },
    })
  }
  return (
    <li className={classes.line}>
      <div className={classes.why}>
        <span className={classes.title}>
          <NetworkIcon accountType={accountType} size={14} decorative />
          <span>{inboxWords({ accountType, who }, ended)}</span>
        </span>
        {(result?.warnings ?? []).map((warning) => (
          <span key={warning.message} className={classes.said}>
            {wordsOfProblem(warning)}
          </span>
        ))}
      </div>
      {ended && mayWrite && (
        <div className={classes.actions}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            loading={retry.busy.has(item.id)}
            onClick={() => void copy()}
          >
            <Trans>Copy as a draft</Trans>
          </Button>
        </div>
      )}
    </li>
  )
}
