import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, CloseButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SocialSet } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { endEditNext, isEditNext } from '../post-set-actions/edit-next.ts'
import classes from './panel.module.css'
import { PanelContent } from './panel-content.tsx'
import { PanelFrame } from './panel-frame.tsx'
import { PostSetEditor } from './post-set-editor.tsx'
import { postSetQuery } from './post-set-queries.ts'
import { Present, usePresence } from './presence.tsx'

interface PostSetPanelProps {
  socialSet: SocialSet
  postSetId: string
  /** Ids of the posts on the page of the calendar, in their order; absent where there is none. */
  order?: readonly string[]
  /** Shows another post of the order. */
  onOpen?: (id: string) => void
  onClose: () => void
}

/** A post with the outcome and its history, beside the calendar; the way to the composer. */
export function PostSetPanel({ socialSet, postSetId, order = [], onOpen, onClose }: PostSetPanelProps) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(() => isEditNext(postSetId))
  useEffect(() => endEditNext(postSetId), [postSetId])
  const { data, error, refetch, isPending } = useQuery({
    ...postSetQuery(postSetId),
    refetchInterval: ({ state }) => (state.data?.status === 'PUBLISHING' ? 3_000 : false),
  })
  // One that is not seen is not open.
  usePresence(data ? postSetId : null)
  const navigate = useNavigate()
  const missing = error !== null && hasCode(error, 'post-set:not_found')
  // It was shown and is gone: deleted here or by someone else.
  const gone = missing && data !== undefined
  useEffect(() => {
    if (gone) onClose()
  }, [gone, onClose])
  // A link may name the wrong brand: its times and files are those of another one.
  const elsewhere = data && data.socialSetId !== socialSet.id ? data.socialSetId : null
  useEffect(() => {
    if (elsewhere === null) return
    void navigate({
      to: '/scheduling/calendar/$view',
      params: { view: 'month' },
      search: { set: elsewhere, post: postSetId },
      replace: true,
    })
  }, [elsewhere, navigate, postSetId])
  if (elsewhere !== null) return null
  if (editing && data) {
    return <PostSetEditor socialSet={socialSet} before={data} onClose={() => setEditing(false)} />
  }
  const place = order.indexOf(postSetId)
  const [earlier, later] = [place > 0 ? order[place - 1] : undefined, place === -1 ? undefined : order[place + 1]]
  const number = place + 1
  const all = order.length
  return (
    <PanelFrame onClose={onClose}>
      <header className={classes.bar}>
        {onOpen && place !== -1 && (
          <>
            <ActionIcon
              color="gray"
              size="md"
              aria-label={t`Previous post`}
              disabled={earlier === undefined}
              onClick={() => earlier && onOpen(earlier)}
            >
              <IconChevronUp size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              color="gray"
              size="md"
              aria-label={t`Next post`}
              disabled={later === undefined}
              onClick={() => later && onOpen(later)}
            >
              <IconChevronDown size={18} aria-hidden />
            </ActionIcon>
            <span className={classes.place}>
              <Trans>
                {number} of {all}
              </Trans>
            </span>
          </>
        )}
        <span className={classes.spacer} />
        <Present postSetId={postSetId} />
        <CloseButton aria-label={t`Close`} onClick={onClose} />
      </header>
      <div className={classes.content}>
        {isPending && <LoadingRows label={t`Loading the post…`} />}
        {missing && !data ? (
          <EmptyState
            action={
              <Button onClick={onClose}>
                <Trans>Back to the calendar</Trans>
              </Button>
            }
          >
            <Trans>There is no such post. It was deleted, or you may not see it.</Trans>
          </EmptyState>
        ) : (
          error &&
          !missing &&
          !data && <ErrorState title={t`The post could not be loaded`} error={error} onRetry={() => void refetch()} />
        )}
        {data && <PanelContent socialSet={socialSet} postSet={data} onEdit={() => setEditing(true)} />}
      </div>
    </PanelFrame>
  )
}
