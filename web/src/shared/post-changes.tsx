import { Trans } from '@lingui/react/macro'
import { IconPencil } from '@tabler/icons-react'
import type { GuestChanges } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { fieldName } from '../planning/field-words.ts'
import { whenText } from './dates.ts'
import classes from './post.module.css'

/** What has changed since the guest saw the post. */
export function PostChanges({ changes, zone }: { changes: GuestChanges; zone: string }) {
  const { scheduledAt, posts } = changes
  return (
    <section className={classes.changes} aria-labelledby="changes">
      <h2 id="changes">
        <IconPencil size={18} aria-hidden /> <Trans>Changed since you saw it</Trans>
      </h2>
      {scheduledAt && (
        <p>
          <Trans>
            Time: from {whenText(scheduledAt.from, zone)} to {whenText(scheduledAt.to, zone)}
          </Trans>
        </p>
      )}
      {posts.map((post, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a network may be there twice; the list is drawn as a whole
        <PostChange key={index} change={post} />
      ))}
    </section>
  )
}

function PostChange({ change }: { change: GuestChanges['posts'][number] }) {
  const { accountType, what, caption, media, fields } = change
  const network = networkName(accountType)
  const names = listOf([...new Set(fields.map(fieldName))])
  return (
    <div>
      <h3>{network}</h3>
      {what === 'added' && (
        <p>
          <Trans>This network is new.</Trans>
        </p>
      )}
      {what === 'removed' && (
        <p>
          <Trans>The post no longer goes there.</Trans>
        </p>
      )}
      {caption && (
        <dl>
          <div>
            <dt>
              <Trans>Before</Trans>
            </dt>
            <dd dir="auto">
              <del>{caption.from}</del>
            </dd>
          </div>
          <div>
            <dt>
              <Trans>Now</Trans>
            </dt>
            <dd dir="auto">
              <ins>{caption.to}</ins>
            </dd>
          </div>
        </dl>
      )}
      {media && (
        <p>
          <Trans>Pictures or videos are different.</Trans>
        </p>
      )}
      {names !== '' && (
        <p>
          <Trans>Also changed: {names}</Trans>
        </p>
      )}
    </div>
  )
}
