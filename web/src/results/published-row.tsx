import { useLingui } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ResultItem, ResultPost } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import rows from '../design/rows.module.css'
import { listOf } from '../design/words.ts'
import { PostPicture } from '../planning/files/post-picture.tsx'
import { isIncomplete } from '../planning/posts/inbox-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { PostLink, useWhen } from './item-parts.tsx'
import classes from './results.module.css'

/** A post that is live everywhere, with the way to it on each network. */
export function PublishedRow({ item, brand }: { item: ResultItem; brand: string | null }) {
  const { t } = useLingui()
  const when = useWhen(item)
  const incomplete = item.posts.filter(({ result }) => isIncomplete(result))
  const networks = listOf(incomplete.map(({ accountType }) => networkName(accountType)))
  const Sign = incomplete.length > 0 ? IconAlertTriangle : IconCircleCheck
  return (
    <li className={`${classes.row} ${classes.published}`}>
      <PostPicture post={item} />
      <div className={rows.what}>
        <PostLink item={item} />
        <span className={rows.meta}>{[brand, kindsBeside(item)].filter((part) => part !== null).join(' · ')}</span>
        {incomplete.length > 0 && (
          <span className={classes.warn}>{t`Not all of it is live on ${networks}: open the post.`}</span>
        )}
      </div>
      <ul className={classes.links} aria-label={t`Live on`}>
        {item.posts.map((post) => (
          <li key={post.postId}>
            <Live post={post} />
          </li>
        ))}
      </ul>
      <span className={classes.when}>
        {when} <Sign size={14} className={incomplete.length > 0 ? classes.warn : classes.ok} aria-hidden />
        <VisuallyHidden>, {t`Published`}</VisuallyHidden>
      </span>
    </li>
  )
}

/** The way to a post on its network. What has no address there is a sign alone. */
function Live({ post: { accountType, result } }: { post: ResultPost }) {
  const { t } = useLingui()
  const network = networkName(accountType)
  if (!result?.permalink) return <NetworkIcon accountType={accountType} size={16} />
  return (
    <a
      href={result.permalink}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t`Open on ${network} (new tab)`}
      title={network}
    >
      <NetworkIcon accountType={accountType} size={16} decorative />
    </a>
  )
}
