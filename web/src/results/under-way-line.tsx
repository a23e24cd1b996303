import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { ResultItem, ResultPost } from '#contract'
import { useMay, usePreferences } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { whoWords } from '../holds/hold-words.ts'
import { wordsOfWhy } from '../language/server-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import type { Retry } from '../post-set-actions/use-retry.tsx'
import { formatDateTime, formatTime } from '../time/zones.ts'
import classes from './results.module.css'
import { isUnconfirmed, stepWords } from './troubles.ts'

interface UnderWayLineProps {
  item: ResultItem
  post: ResultPost
  retry: Retry
}

/** A post that is not over: how far it is, and the way to look now where the network has not answered. */
export function UnderWayLine({ item, post, retry }: UnderWayLineProps) {
  const mayPublish = useMay('post-sets:publish')
  const details = useDetails(item, post)
  return (
    <li className={classes.line}>
      <div className={classes.why}>
        <span className={`${classes.title} ${classes.warn}`}>
          <NetworkIcon accountType={post.accountType} size={14} decorative />
          {stepWords(post)}
        </span>
        {details.map((detail) => (
          <span key={detail} className={classes.detail} dir="auto">
            {detail}
          </span>
        ))}
      </div>
      <div className={classes.actions}>
        {post.look?.possible && mayPublish && (
          <Button
            size="compact-sm"
            variant="default"
            loading={retry.busy.has(item.id)}
            onClick={() => void retry.look({ id: item.id, name: nameOf(item) }, [post.postId])}
          >
            <Trans>Check now</Trans>
          </Button>
        )}
      </div>
    </li>
  )
}

function useDetails({ timezone }: ResultItem, post: ResultPost): string[] {
  const { t } = useLingui()
  const preferences = usePreferences()
  const { hold, nextAt, look, message } = post
  if (hold) return [whoWords(hold, formatDateTime(hold.since, timezone, preferences))]
  const said = message ? [message] : []
  if (!isUnconfirmed(post)) {
    if (!nextAt || Date.parse(nextAt) <= Date.now()) return said
    const time = formatTime(nextAt, timezone, preferences)
    return [...said, t`Goes on at ${time}.`]
  }
  if (look && !look.possible && look.why) return [wordsOfWhy(look.why)]
  const time = nextAt ? formatTime(nextAt, timezone, preferences) : null
  return [
    ...said,
    time === null
      ? t`It may be live, so it is not sent again.`
      : t`Checked again at ${time}. It is never sent twice blindly.`,
  ]
}
