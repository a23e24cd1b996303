import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Checkbox } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconInbox } from '@tabler/icons-react'
import type { ResultGroup, ResultItem } from '#contract'
import { useMay } from '../api/session.ts'
import { DECIDES } from '../design/presses.ts'
import rows from '../design/rows.module.css'
import { isSafeToRetry } from '../failures/failure-words.ts'
import { PostPicture } from '../planning/files/post-picture.tsx'
import { isOfInbox } from '../planning/posts/inbox-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import type { Retry } from '../post-set-actions/use-retry.tsx'
import type { Selection } from './filters.ts'
import { InboxLine } from './inbox-line.tsx'
import { PostLink, useWhen } from './item-parts.tsx'
import classes from './results.module.css'
import { TroubleLine } from './trouble-line.tsx'
import { isUnderWay, publishedWords } from './troubles.ts'
import { UnderWayLine } from './under-way-line.tsx'
import type { Done } from './use-done.ts'

interface ResultRowProps {
  group: ResultGroup
  item: ResultItem
  /** Its name, where several brands are shown. */
  brand: string | null
  retry: Retry
  done: Done
  selection: Selection
}

/** A post of which something failed, is not confirmed or is in an inbox: what, why, and what to do about it. */
export function ResultRow({ group, item, brand, retry, done, selection: { selected, select } }: ResultRowProps) {
  const { t } = useLingui()
  const mayPublish = useMay('post-sets:publish')
  const when = useWhen(item)
  const name = nameOf(item)
  const safe = mayPublish && isSafeToRetry(item)
  const Sign = group === 'done' ? IconCheck : IconInbox
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(item.id)) next.add(item.id)
    select(next)
  }
  return (
    <li className={classes.row} data-unseen={item.unseen || undefined}>
      {group === 'done' || group === 'inbox' ? (
        <Sign size={16} className={classes.doneSign} aria-hidden />
      ) : (
        <Checkbox
          size="xs"
          aria-label={t`Select “${name}”`}
          checked={selected.has(item.id)}
          disabled={!mayPublish || (group !== 'needs-you' && !safe)}
          onChange={toggle}
        />
      )}
      <PostPicture post={item} />
      <div className={rows.what}>
        <PostLink item={item} />
        <span className={rows.meta}>
          {[brand, kindsBeside(item), when, publishedWords(item)].filter((part) => part !== null).join(' · ')}
        </span>
      </div>
      <ul className={classes.lines} aria-label={t`What happened`}>
        {item.posts
          .filter(({ failure }) => failure !== null)
          .map((post) => (
            <TroubleLine key={post.postId} item={item} post={post} retry={retry} />
          ))}
        {item.posts
          .filter(({ result }) => isOfInbox(result))
          .map((post) => (
            <InboxLine key={post.postId} item={item} post={post} retry={retry} />
          ))}
        {item.posts.filter(isUnderWay).map((post) => (
          <UnderWayLine key={post.postId} item={item} post={post} retry={retry} />
        ))}
      </ul>
      {mayPublish && group === 'needs-you' && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes.done}
          leftSection={<IconCheck size={16} aria-hidden />}
          aria-label={t`Mark as done: “${name}”`}
          title={t`Nothing has to be done about it. It leaves this list for everyone.`}
          loading={done.busy.has(item.id)}
          onClick={({ currentTarget }) => void done.mark([item], true, headingOf(currentTarget))}
          {...DECIDES}
        >
          <Trans>Mark as done</Trans>
        </Button>
      )}
      {mayPublish && group === 'done' && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes.done}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          aria-label={t`Bring back: “${name}”`}
          loading={done.busy.has(item.id)}
          onClick={({ currentTarget }) => void done.mark([item], false, headingOf(currentTarget))}
          {...DECIDES}
        >
          <Trans>Bring back</Trans>
        </Button>
      )}
    </li>
  )
}

/** Of the group that a row is in. */
const headingOf = (button: HTMLElement) => button.closest('section')?.querySelector('h2') ?? null
