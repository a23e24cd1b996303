import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Comment, CommentPerson } from '#contract'
import { useSession } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { useConfirmAction } from '../design/confirm.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { showError } from '../design/toast.tsx'
import { actorWords } from '../planning/posts/actor-words.ts'
import { Audience } from './audience.tsx'
import classes from './comments.module.css'
import { changeThread } from './comments-query.ts'
import { MentionField } from './mention-field.tsx'
import { mentionedIn, partsOf } from './mentions.ts'

interface CommentRowProps {
  postSetId: string
  comment: Comment
  people: readonly CommentPerson[]
  /** Where the focus goes when the comment has gone. */
  onGone: () => void
}

/** A comment: whose, for whom, and what its author and the team can do about it. */
export function CommentRow({ postSetId, comment, people, onGone }: CommentRowProps) {
  const { t } = useLingui()
  const { role } = useSession()
  const confirm = useConfirmAction()
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const { audience, author, mine, linkName, createdAt, editedAt, resolved } = comment
  const who = mine ? t`You` : actorWords({ actor: author })
  const mayRemove = mine || role === 'owner' || role === 'admin'
  const thread = changeThread(postSetId)
  const stop = () => {
    setEditing(false)
    // The button is there again with the row.
    window.setTimeout(() => editButton.current?.focus())
  }
  const resolve = async () => {
    try {
      await thread.resolve(comment, resolved === null)
      announce(resolved === null ? t`Comment resolved.` : t`Comment opened again.`)
    } catch (error) {
      showError(error)
    }
  }
  const remove = async () => {
    const removed = await confirm({
      title: t`Delete this comment?`,
      children: t`It is gone for everyone who reads it. This cannot be undone.`,
      confirmLabel: t`Delete`,
      danger: true,
      run: () => thread.remove(comment),
    })
    if (!removed) return
    announce(t`Comment deleted.`)
    onGone()
  }
  return (
    <li
      className={classes.comment}
      data-shared={audience === 'SHARED' || undefined}
      data-resolved={resolved !== null || undefined}
    >
      <div className={classes.head}>
        <strong dir="auto">{who}</strong>
        {linkName !== null && (
          <span className={classes.meta}>
            <Trans>by “{linkName}”</Trans>
          </span>
        )}
        <span className={classes.meta}>
          <RelativeTime instant={createdAt} />
          {editedAt !== null && (
            <>
              {', '}
              <Trans>edited</Trans>
            </>
          )}
        </span>
        <Audience audience={audience} />
      </div>
      {editing ? (
        <EditComment postSetId={postSetId} comment={comment} people={people} onDone={stop} />
      ) : (
        <p className={classes.text} dir="auto">
          {partsOf(comment.text, comment.mentions).map(({ text, person }, index) =>
            person ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
              <span key={index} className={classes.mention}>
                {text}
              </span>
            ) : (
              text
            ),
          )}
        </p>
      )}
      {resolved !== null && (
        <span className={classes.audience}>
          <IconCheck size={14} aria-hidden />
          <ResolvedWords by={actorWords({ actor: resolved.by })} />
        </span>
      )}
      {!editing && (
        <div className={classes.actions}>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => void resolve()}>
            {resolved === null ? <Trans>Resolve</Trans> : <Trans>Open again</Trans>}
          </Button>
          {mine && (
            <Button ref={editButton} variant="subtle" color="gray" size="compact-sm" onClick={() => setEditing(true)}>
              <Trans>Edit comment</Trans>
            </Button>
          )}
          {mayRemove && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => void remove()}>
              <Trans>Delete comment</Trans>
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function ResolvedWords({ by }: { by: string }) {
  return <Trans>Resolved by {by}</Trans>
}

interface EditCommentProps extends Pick<CommentRowProps, 'postSetId' | 'comment' | 'people'> {
  onDone: () => void
}

function EditComment({ postSetId, comment, people, onDone }: EditCommentProps) {
  const { t } = useLingui()
  const [text, setText] = useState(comment.text)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = async () => {
    if (busy || text.trim() === '') return
    setBusy(true)
    setError(null)
    try {
      await changeThread(postSetId).edit(comment, { text: text.trim(), mentions: mentionedIn(text, people) })
      announce(t`Comment saved.`)
      onDone()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <>
      <MentionField
        label={t`Edit the comment`}
        text={text}
        people={people}
        focused
        onChange={setText}
        onSend={() => void save()}
      />
      <Failure error={error} />
      <Group gap="xs">
        <Button size="compact-md" loading={busy} disabled={text.trim() === ''} onClick={() => void save()}>
          <Trans>Save</Trans>
        </Button>
        <Button variant="default" size="compact-md" disabled={busy} onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
      </Group>
    </>
  )
}
