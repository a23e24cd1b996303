import { Trans, useLingui } from '@lingui/react/macro'
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { CommentAudience, CommentPerson } from '#contract'
import { useSession } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { useWritten } from '../planning/posts/written.ts'
import classes from './comments.module.css'
import { changeThread } from './comments-query.ts'
import { MentionField } from './mention-field.tsx'
import { mentionedIn } from './mentions.ts'

interface NewCommentProps {
  postSetId: string
  people: readonly CommentPerson[]
}

/** Writes a comment. Who reads it is chosen before, and stays. */
export function NewComment({ postSetId, people }: NewCommentProps) {
  const { t } = useLingui()
  const { user } = useSession()
  const [text, setText] = useWritten(user.id, 'comment', postSetId)
  const [audience, setAudience] = useState<CommentAudience>('INNER')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const shared = audience === 'SHARED'
  const send = async () => {
    if (busy || text.trim() === '') return
    setBusy(true)
    setError(null)
    try {
      await changeThread(postSetId).write({ text: text.trim(), audience, mentions: mentionedIn(text, people) })
      setText('')
      // The next one is for the team again: what the client reads is chosen each time.
      setAudience('INNER')
      announce(t`Comment added.`)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.box} data-shared={shared || undefined}>
      <SegmentedControl
        size="xs"
        aria-label={t`Who reads the comment`}
        value={audience}
        data={[
          { value: 'INNER', label: t`Team only` },
          { value: 'SHARED', label: t`Visible to the client` },
        ]}
        onChange={(value) => setAudience(value === 'SHARED' ? 'SHARED' : 'INNER')}
      />
      <MentionField
        label={shared ? t`Comment, visible to the client` : t`Comment, team only`}
        placeholder={shared ? t`Write to the client` : t`Write to the team, @ mentions a member`}
        text={text}
        people={people}
        onChange={setText}
        onSend={() => void send()}
      />
      <Failure error={error} />
      <div className={classes.send}>
        <span className={classes.meta}>
          {shared ? (
            <Trans>Guests of shared calendars that show this post read it. That cannot be changed later.</Trans>
          ) : (
            <Trans>Only members read it.</Trans>
          )}
        </span>
        <Button size="compact-md" loading={busy} disabled={text.trim() === ''} onClick={() => void send()}>
          {shared ? <Trans>Send to the client</Trans> : <Trans>Comment</Trans>}
        </Button>
      </div>
    </div>
  )
}
