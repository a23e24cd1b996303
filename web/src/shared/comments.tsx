import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { GuestComment } from '#contract'
import * as LIMITS from '#contract/limits'
import { callAsGuest } from '../api/guests.ts'
import { keepWritten, writtenOf } from '../planning/posts/written.ts'
import { relativeTime } from '../time/relative.ts'
import { formatDateTime, viewerZone } from '../time/zones.ts'
import classes from './controls.module.css'
import { readCommentsAgain, useComments } from './data.ts'
import { PREFERENCES } from './dates.ts'
import { useDecide } from './decide.tsx'
import { Form, TextArea, useSending, Wrong } from './form.tsx'
import post from './post.module.css'
import { Failed } from './states.tsx'

interface CommentsProps {
  id: string
  /** Whether the link lets guests write. */
  writes: boolean
}

/** The thread that guests and the team share. Without words in it and no way to write any, nothing. */
export function Comments({ id, writes }: CommentsProps) {
  const { data, error, refetch } = useComments(id)
  const comments = data?.data ?? []
  if (!writes && comments.length === 0) return null
  return (
    <section className={post.box} aria-labelledby="comments">
      <h2 id="comments">
        <Trans>Comments</Trans>
      </h2>
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {comments.length > 0 && (
        <ol className={post.comments}>
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {writes && <CommentForm id={id} />}
    </section>
  )
}

function Comment({ comment: { at, by, text, editedAt, resolved } }: { comment: GuestComment }) {
  const exact = formatDateTime(at, viewerZone(), PREFERENCES)
  return (
    <li>
      <p className={classes.dim}>
        <b>
          <bdi>{by.name}</bdi>
        </b>{' '}
        {by.mine ? <Trans>(you)</Trans> : !by.guest && <Trans>(team)</Trans>}{' '}
        <time dateTime={at} title={exact}>
          {relativeTime(at, Date.now())}
        </time>
        {editedAt && (
          <>
            {' · '}
            <Trans>edited</Trans>
          </>
        )}
        {resolved && (
          <>
            {' · '}
            <Trans>done</Trans>
          </>
        )}
      </p>
      <p className={post.said} dir="auto">
        {text}
      </p>
    </li>
  )
}

function CommentForm({ id }: { id: string }) {
  const { t } = useLingui()
  const { asNamed } = useDecide()
  const [text, setText] = useState(() => writtenOf('guest', 'comment', id))
  const change = (next: string) => {
    setText(next)
    keepWritten('guest', 'comment', id, next)
  }
  const { busy, wrong, setWrong, send } = useSending()
  const write = async () => {
    const sent = await send(async () => {
      await callAsGuest('POST /posts/:id/comments', { params: { id }, body: { text: text.trim() } })
      await readCommentsAgain(id)
    })
    if (sent) change('')
  }
  return (
    <Form
      onSubmit={() => {
        if (text.trim() === '') setWrong(t`Write a comment first.`)
        else asNamed(() => void write())
      }}
    >
      <TextArea
        label={t`Write a comment`}
        rows={3}
        value={text}
        onChange={change}
        maxLength={LIMITS.comments.codePoints}
        isWrong={wrong !== null}
      />
      <Wrong>{wrong}</Wrong>
      <p className={classes.buttons}>
        <button type="submit" className={classes.button} disabled={busy}>
          <Trans>Send comment</Trans>
        </button>
      </p>
    </Form>
  )
}
