import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconMessageCircle } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import type { ApprovalItem, SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { DECIDES } from '../design/presses.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { undoThis } from '../design/toast.tsx'
import type { Undoable } from '../design/undo-stack.ts'
import { BrandName } from '../frame/brand-face.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { countWords, decisionWords } from '../planning/approvals/review-words.ts'
import { timeThere } from '../planning/brands/there-words.ts'
import { dayOf, today } from '../planning/dates/dates.ts'
import { shortDay } from '../planning/dates/titles.ts'
import { PostPicture } from '../planning/files/post-picture.tsx'
import { actorWords } from '../planning/posts/actor-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { relativeTime } from '../time/relative.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatTime } from '../time/zones.ts'
import classes from './approvals.module.css'
import type { ApprovalsSearch } from './approvals-query.ts'

/** What became of a post that does not wait any more: what the member decided, with the way back; or that others did. */
export interface RowAnswer {
  how: 'approved' | 'changes' | 'elsewhere'
  entry: Undoable | undefined
}

interface ApprovalRowProps {
  item: ApprovalItem
  /** Whose it is, where several brands are shown. */
  brand: SocialSet | null
  /** It is the one that is looked at. */
  current: boolean
  /** Of one that has just been decided; null while it waits. */
  answer: RowAnswer | null
  /** Null where none can be chosen. */
  selected: boolean | null
  onOpen: (id: string) => void
  onToggle: (id: string) => void
}

/** A post that is reviewed: when it goes out first, as that is what presses. */
export function ApprovalRow({ item, brand, current, answer, selected, onOpen, onToggle }: ApprovalRowProps) {
  const { t } = useLingui()
  const name = nameOf(item)
  const { id, urgent, decision, comments, status } = item
  const state = status === 'DRAFT' ? t`Draft` : status === 'SCHEDULED' ? t`Scheduled` : null
  const author = item.mine ? t`You` : actorWords({ actor: item.author })
  const open = (event: MouseEvent) => {
    // A new window is the browser's.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <li
      className={classes.row}
      data-current={current || undefined}
      data-decided={answer !== null || undefined}
      data-item={`approval-${id}`}
    >
      {selected !== null && (
        <Checkbox
          size="xs"
          aria-label={t`Select “${name}”`}
          checked={selected && answer === null}
          disabled={answer !== null}
          onChange={() => onToggle(id)}
        />
      )}
      <PostPicture post={item} />
      <div className={classes.rowWords}>
        <RouterAnchor
          to="/approvals"
          search={(now: ApprovalsSearch) => ({ ...now, post: id })}
          className={classes.name}
          underline="hover"
          aria-current={current ? 'true' : undefined}
          dir="auto"
          onClick={open}
        >
          {item.excerpt.trim() || name}
        </RouterAnchor>
        <span className={classes.when}>
          <When item={item} />
          {urgent && (
            <span className={classes.urgent}>
              <IconAlertTriangle size={12} aria-hidden />
              {Date.parse(item.scheduledAt) < Date.now() ? (
                <Trans>This time has passed</Trans>
              ) : (
                relativeTime(item.scheduledAt, Date.now())
              )}
            </span>
          )}
        </span>
        <span className={classes.answered}>
          {answer !== null && <Answered item={item} answer={answer} />}
          <span className={classes.meta} inert={answer !== null}>
            {brand && <BrandName brand={brand} small />}
            <span dir="auto">{[kindsBeside(item), author, state].filter((part) => part !== null).join(' · ')}</span>
            {item.isLocked && <IconLock size={12} role="img" aria-label={t`Locked`} />}
            {comments > 0 && (
              <span className={classes.number}>
                <IconMessageCircle size={12} aria-hidden />
                <span aria-hidden>{comments}</span>
                <VisuallyHidden>{plural(comments, { one: '# comment', other: '# comments' })}</VisuallyHidden>
              </span>
            )}
          </span>
        </span>
        <Step item={item} />
        {decision && item.asked === null && (
          <span className={classes.meta}>
            <span>{decisionWords(decision)},</span>
            <RelativeTime instant={decision.at} />
          </span>
        )}
      </div>
    </li>
  )
}

/** What was decided a moment ago, in the place of whose post it is. */
export function Answered({ item, answer: { how, entry } }: { item: ApprovalItem; answer: RowAnswer }) {
  const { t } = useLingui()
  const name = nameOf(item)
  const words = { approved: t`Approved`, changes: t`Changes requested`, elsewhere: t`No longer waits for you` }
  return (
    <span className={classes.meta}>
      <b>{words[how]}</b>
      {entry && (
        <>
          {'· '}
          <button
            type="button"
            {...DECIDES}
            className={classes.undo}
            aria-label={t`Undo what you decided about “${name}”`}
            onClick={() => void undoThis(entry)}
          >
            <Trans>Undo</Trans>
          </button>
        </>
      )}
    </span>
  )
}

/** How far it was before the answer, where more than one approval is needed. */
function Step({ item }: { item: ApprovalItem }) {
  const count = countWords(item)
  if (count === null || item.asked === null) return null
  return (
    <span className={`${classes.meta} ${classes.step}`}>
      {count}
      {item.step === 'CLIENT' && (
        <>
          {' · '}
          <Trans>waits for the client</Trans>
        </>
      )}
    </span>
  )
}

/** "Today, 16:00", by the clock of its brand, which is named where it is not that of the viewer. */
function When({ item: { scheduledAt, timezone } }: { item: ApprovalItem }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const viewer = useViewerZone()
  const date = Temporal.PlainDate.from(dayOf(scheduledAt, timezone))
  const now = today(timezone)
  const day = date.equals(now)
    ? t`Today`
    : date.equals(now.add({ days: 1 }))
      ? t`Tomorrow`
      : shortDay(date, preferences.locale)
  const time = `${day}, ${formatTime(scheduledAt, timezone, preferences)}`
  return <b>{timeThere(time, scheduledAt, { brand: timezone, viewer })}</b>
}
