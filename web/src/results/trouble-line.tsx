import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ResultItem, ResultPost } from '#contract'
import { useMay } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { asSentence } from '../design/words.ts'
import { copyUnderWay, failureTitle, mayRetry } from '../failures/failure-words.ts'
import { RouterButton } from '../frame/links.tsx'
import { missingOf } from '../planning/posts/inbox-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { editNext } from '../post-set-actions/edit-next.ts'
import type { Retry } from '../post-set-actions/use-retry.tsx'
import { useWhen } from './item-parts.tsx'
import classes from './results.module.css'
import { troubleAdvice } from './troubles.ts'

interface TroubleLineProps {
  item: ResultItem
  post: ResultPost
  retry: Retry
}

/** What failed, why, and the one thing to do about it. */
export function TroubleLine({ item, post, retry }: TroubleLineProps) {
  const copy = post.failure && copyUnderWay(post.failure)
  const said = post.result?.message ?? missingOf(post.result)
  return (
    <li className={classes.line}>
      <div className={classes.why}>
        <span className={`${classes.title} ${classes.danger}`}>
          <NetworkIcon accountType={post.accountType} size={14} decorative />
          {failureTitle(post)}
        </span>
        <span className={classes.detail}>
          {copy ? <CopyWords copy={copy} timezone={item.timezone} /> : troubleAdvice(post)}
        </span>
        {said && <Said>{asSentence(said)}</Said>}
      </div>
      <Actions item={item} post={post} retry={retry} />
    </li>
  )
}

/** How far the copy is in which it is fixed. */
function CopyWords({ copy, timezone }: { copy: NonNullable<ReturnType<typeof copyUnderWay>>; timezone: string }) {
  const when = useWhen({ scheduledAt: copy.scheduledAt, timezone })
  switch (copy.status) {
    case 'DRAFT':
      return <Trans>It is being fixed in a draft. Schedule that one, or delete it to retry here.</Trans>
    case 'SCHEDULED':
      return <Trans>The fixed copy is scheduled for {when}.</Trans>
    default:
      return <Trans>The fixed copy is being published.</Trans>
  }
}

/** What the network answered, for those who ask: half of it is codes. */
function Said({ children }: { children: string }) {
  return (
    <details className={classes.said}>
      <summary>
        <Trans>Details</Trans>
      </summary>
      <span dir="auto">{children}</span>
    </details>
  )
}

function Actions({ item, post, retry }: TroubleLineProps) {
  const navigate = useNavigate()
  const [mayPublish, mayWrite, mayConnect] = [
    useMay('post-sets:publish'),
    useMay('post-sets:write'),
    useMay('connections:manage'),
  ]
  const { failure, look } = post
  if (!failure) return null
  const subject = { id: item.id, name: nameOf(item) }
  const postIds = [post.postId]
  const loading = retry.busy.has(item.id)
  const { fix } = failure
  const made = copyUnderWay(failure)
  if (made) {
    return (
      <div className={classes.actions}>
        <RouterButton
          size="compact-sm"
          variant="default"
          to="/scheduling/calendar/$view"
          params={{ view: 'month' }}
          search={{ set: item.socialSetId, post: made.id }}
        >
          {made.status === 'DRAFT' ? <Trans>Open the draft</Trans> : <Trans>Open the copy</Trans>}
        </RouterButton>
      </div>
    )
  }
  const copies = fix === 'edit' || (fix === 'look' && !look?.possible)
  const copy = async () => {
    const made = await retry.copyFailed(subject, item.timezone)
    if (!made) return
    editNext(made.id)
    await navigate({
      to: '/scheduling/calendar/$view',
      params: { view: 'month' },
      search: { set: item.socialSetId, post: made.id },
    })
  }
  return (
    <div className={classes.actions}>
      {copies && mayWrite && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          loading={loading}
          onClick={() => void copy()}
        >
          <Trans>Edit a copy</Trans>
        </Button>
      )}
      {look?.possible && mayPublish && (
        <Button size="compact-sm" variant="default" loading={loading} onClick={() => void retry.look(subject, postIds)}>
          <Trans>Check now</Trans>
        </Button>
      )}
      {mayRetry(post) && mayPublish && (
        <Button
          size="compact-sm"
          variant={copies ? 'subtle' : 'default'}
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={loading}
          onClick={() => void retry.retry(subject, postIds)}
        >
          {fix === 'continue' ? <Trans>Continue the thread</Trans> : <Trans>Retry</Trans>}
        </Button>
      )}
      {fix === 'reconnect' && !failure.retry.possible && mayConnect && (
        <RouterButton size="compact-sm" variant="default" to="/connections" search={{ set: item.socialSetId }}>
          <Trans>Reconnect</Trans>
        </RouterButton>
      )}
    </div>
  )
}
