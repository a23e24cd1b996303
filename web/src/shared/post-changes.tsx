import { Trans, useLingui } from '@lingui/react/macro'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { GuestChanges } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { fieldName } from '../planning/posts/field-words.ts'
import type { ChangedText, ShownChanges } from './changes-between.ts'
import { useCaption } from './data.ts'
import { whenText } from './dates.ts'
import classes from './post.module.css'

/** What has changed since the guest saw the post. */
export function PostChanges({ id, changes, zone }: { id: string; changes: ShownChanges; zone: string }) {
  const { since, scheduledAt, posts, earlier, texts } = changes
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
      {posts.map((post) => (
        <PostChange
          key={post.id}
          change={post}
          place={{ id, postId: post.id, since }}
          known={texts?.get(post.id)}
          alone={posts.length === 1}
        />
      ))}
      {earlier > 0 && (
        <p>
          <Trans>There were too many changes to compare them all. Read the whole post.</Trans>
        </p>
      )}
    </section>
  )
}

interface PostChangeProps {
  change: GuestChanges['posts'][number]
  place: CaptionPlace
  /** Its text, where it need not be asked for. */
  known: ChangedText | undefined
  /** No other post has changed. */
  alone: boolean
}

interface CaptionPlace {
  id: string
  postId: string
  since: number
}

function PostChange({ change: { accountType, what, fields }, place, known, alone }: PostChangeProps) {
  const others = fields.filter((name) => !OF_TEXT.includes(name) && name !== 'media').map(fieldName)
  const hasOtherText = fields.some((name) => OF_TEXT.includes(name))
  const names = listOf([...new Set(others)])
  return (
    <div>
      <h3>{networkName(accountType)}</h3>
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
      {known && known.from !== known.to && <Caption place={place} known={known} isOpen={alone} />}
      {!known && hasOtherText && <Caption place={place} isOpen={alone} />}
      {!known && !hasOtherText && fields.includes('options') && <Comment place={place} isOpen={alone} />}
      {fields.includes('media') && (
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

/** Fields that are texts. Among options is the first comment, where it is one of them. */
const OF_TEXT: readonly string[] = ['caption', 'thread', 'firstComment']

/** The same when it is not known whether an option has changed that is read: nothing, when none has. */
function Comment(props: { place: CaptionPlace; isOpen: boolean }) {
  const { data } = useCaption(props.place)
  return data?.caption ? <Caption {...props} /> : null
}

/** That the text is another; what it was and is, once that is opened. */
function Caption({ place, known, isOpen }: { place: CaptionPlace; known?: ChangedText; isOpen: boolean }) {
  const [wanted, setWanted] = useState(isOpen)
  return (
    <details open={isOpen} onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      <summary>
        <Trans>The text has changed.</Trans>
      </summary>
      {wanted && (known ? <Texts {...known} /> : <CaptionTexts place={place} />)}
    </details>
  )
}

function CaptionTexts({ place }: { place: CaptionPlace }) {
  const { t } = useLingui()
  const { data, error } = useCaption(place)
  if (error)
    return (
      <p role="alert">
        <Trans>The earlier text could not be loaded. Below you see the post as it is now.</Trans>
      </p>
    )
  if (!data?.caption) return <p role="status">{data ? t`It is back to what it was.` : t`Loading…`}</p>
  return <Texts {...data.caption} />
}

/** `from` null: what it was is not kept. */
function Texts({ from, to }: { from: string | null; to: string }) {
  const { t } = useLingui()
  return (
    <dl>
      <div>
        <dt>
          <Trans>Before</Trans>
        </dt>
        <dd dir="auto">{from === null ? t`The earlier text is no longer kept.` : <del>{from}</del>}</dd>
      </div>
      <div>
        <dt>
          <Trans>Now</Trans>
        </dt>
        <dd dir="auto">
          <ins>{to}</ins>
        </dd>
      </div>
    </dl>
  )
}
