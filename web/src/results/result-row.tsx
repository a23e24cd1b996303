import { useLingui } from '@lingui/react/macro'
import { Checkbox } from '@mantine/core'
import type { ResultItem } from '#contract'
import { useMay } from '../api/session.ts'
import rows from '../design/rows.module.css'
import { isSafeToRetry } from '../failures/failure-words.ts'
import { kindsBeside } from '../planning/kind-words.ts'
import { PostPicture } from '../planning/post-picture.tsx'
import { nameOf } from '../planning/subject.ts'
import type { Retry } from '../post-set-actions/use-retry.tsx'
import type { Selection } from './filters.ts'
import { PostLink, useWhen } from './item-parts.tsx'
import classes from './results.module.css'
import { TroubleLine } from './trouble-line.tsx'
import { isUnderWay, publishedWords } from './troubles.ts'
import { UnderWayLine } from './under-way-line.tsx'

interface ResultRowProps {
  item: ResultItem
  /** Its name, where several brands are shown. */
  brand: string | null
  retry: Retry
  selection: Selection
}

/** A post of which something failed or is not confirmed: what, why, and what to do about it. */
export function ResultRow({ item, brand, retry, selection: { selected, select } }: ResultRowProps) {
  const { t } = useLingui()
  const mayPublish = useMay('post-sets:publish')
  const when = useWhen(item)
  const name = nameOf(item)
  const safe = mayPublish && isSafeToRetry(item)
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(item.id)) next.add(item.id)
    select(next)
  }
  return (
    <li className={classes.row} data-unseen={item.unseen || undefined}>
      <Checkbox
        size="xs"
        aria-label={safe ? t`Select “${name}”` : t`“${name}” cannot be retried with others`}
        checked={safe && selected.has(item.id)}
        disabled={!safe}
        onChange={toggle}
      />
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
        {item.posts.filter(isUnderWay).map((post) => (
          <UnderWayLine key={post.postId} item={item} post={post} retry={retry} />
        ))}
      </ul>
    </li>
  )
}
