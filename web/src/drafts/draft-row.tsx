import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconDots, IconLock } from '@tabler/icons-react'
import type { PostSet, Right } from '#contract'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { DECIDES } from '../design/presses.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import { RouterAnchor } from '../frame/links.tsx'
import { approveAndScheduleWords, approveWords } from '../planning/approvals/review-words.ts'
import type { BrandMarks } from '../planning/brands/brand-marks.tsx'
import { dayOf } from '../planning/dates/dates.ts'
import { shortDay } from '../planning/dates/titles.ts'
import { PostPicture } from '../planning/files/post-picture.tsx'
import { useLabels } from '../planning/labels/labels-query.ts'
import { networksOf } from '../planning/posts/card-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { mayReview, nameOf, type PostSetSubject, subjectOf, whyNotChangeable } from '../planning/posts/subject.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { PostSetMenu } from '../post-set-actions/post-set-menu.tsx'
import { formatTime } from '../time/zones.ts'
import { draftTone, draftWords } from './draft-words.ts'
import classes from './drafts.module.css'
import type { DraftsSearch } from './drafts-filters.tsx'
import { pictureOf } from './drafts-query.ts'

interface DraftRowProps {
  draft: PostSet
  zone: string
  /** Which brand it is of, where the list is over several. */
  over: BrandMarks | null
  /** Null while it is not known. */
  author: string | null
  selected: boolean
  onToggle: (id: string) => void
}

/** A draft: what it is, what it waits for, and the way to schedule it. */
export function DraftRow({ draft, zone, over, author, selected, onToggle }: DraftRowProps) {
  const { t } = useLingui()
  const labels = useLabels()
  const subject = subjectOf(draft)
  const name = nameOf(subject)
  const kinds = kindsBeside(subject)
  const networks = networksOf(subject)
  return (
    <li className={classes.row} data-item={`draft-${draft.id}`}>
      <Checkbox size="xs" aria-label={t`Select “${name}”`} checked={selected} onChange={() => onToggle(draft.id)} />
      <PostPicture post={pictureOf(draft)} />
      <div className={rows.what}>
        <RouterAnchor
          to="/drafts"
          search={(now: DraftsSearch) => ({ ...now, post: draft.id })}
          resetScroll={false}
          className={rows.name}
          underline="hover"
          dir="auto"
        >
          {subject.excerpt.split('\n')[0] || name}
        </RouterAnchor>
        {over?.line(draft)}
        <span className={rows.meta}>
          {kinds !== null && `${kinds} · `}
          {author !== null && <span dir="auto">{author}, </span>}
          <RelativeTime instant={draft.createdAt} />
          {draft.labelsId.flatMap((id) => {
            const label = labels.get(id)
            return label ? (
              <span key={id} className={classes.label}>
                <span className={classes.dot} style={{ background: label.color ?? undefined }} aria-hidden />
                {label.name}
              </span>
            ) : (
              []
            )
          })}
        </span>
      </div>
      <span className={classes.networks}>
        {networks.map((accountType) => (
          <NetworkIcon key={accountType} accountType={accountType} size={14} />
        ))}
      </span>
      <Time draft={draft} zone={zone} />
      <span className={classes.state} data-tone={draftTone(draft.approval)}>
        {draftWords(draft.approval)}
        {draft.isLocked && <IconLock size={14} role="img" aria-label={t`Locked`} />}
      </span>
      <Actions draft={draft} name={name} />
    </li>
  )
}

function Time({ draft: { scheduledAt }, zone }: { draft: PostSet; zone: string }) {
  const preferences = usePreferences()
  const day = shortDay(Temporal.PlainDate.from(dayOf(scheduledAt, zone)), preferences.locale)
  return (
    <span className={classes.time}>
      {`${day}, ${formatTime(scheduledAt, zone, preferences)}`}
      {Date.parse(scheduledAt) < Date.now() && (
        <span className={classes.passed}>
          <Trans>This time has passed</Trans>
        </span>
      )}
    </span>
  )
}

function Actions({ draft, name }: { draft: PostSet; name: string }) {
  const { t } = useLingui()
  const actions = usePostSetActions()
  const { rights } = useSession()
  const mayPublish = useMay('post-sets:publish')
  const subject = subjectOf(draft)
  const why = whyNotChangeable(subject, rights)
  const act = nextAct(subject, rights)
  return (
    <div className={classes.actions}>
      {mayPublish && (
        <Button
          {...DECIDES}
          size="compact-sm"
          variant={draft.approval === 'APPROVED' ? 'light' : 'default'}
          disabled={why !== null}
          title={why ?? undefined}
          onClick={() => void actions[act](subject)}
        >
          {act === 'openSchedule'
            ? t`Schedule…`
            : act === 'approve'
              ? approveWords(subject)
              : approveAndScheduleWords(subject)}
        </Button>
      )}
      <PostSetMenu
        subject={subject}
        target={
          <ActionIcon variant="subtle" color="gray" size={28} aria-label={t`More for “${name}”`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        }
      />
    </div>
  )
}

/** What brings a draft on. In the client's place a member decides alone: scheduling is the next step. */
function nextAct(subject: PostSetSubject, rights: readonly Right[]): 'approve' | 'approveAndSchedule' | 'openSchedule' {
  if (!mayReview(subject, rights)) return 'openSchedule'
  return subject.approval === 'EXTERNAL_PENDING' ? 'approve' : 'approveAndSchedule'
}
