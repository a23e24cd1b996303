import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Badge, Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostSet, SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { Comments } from '../comments/comments.tsx'
import { useApprovalWarning } from '../planning/approvals/approval-warning.tsx'
import { APPROVAL_WORDS } from '../planning/approvals/approval-words.ts'
import { useLabels } from '../planning/labels/labels-query.ts'
import { STATE_WORDS } from '../planning/posts/card-words.ts'
import { APPROVAL_TONES, STATE_TONES } from '../planning/posts/state-tones.ts'
import { nameOf, subjectOf } from '../planning/posts/subject.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime, sameClock, zoneChip } from '../time/zones.ts'
import { HeldNotice, heldOf } from './held-notice.tsx'
import { History } from './history.tsx'
import classes from './panel.module.css'
import { PanelActions } from './panel-actions.tsx'
import { deliveriesQuery } from './post-set-queries.ts'
import { RequestedChanges } from './requested-changes.tsx'
import { Results } from './results.tsx'
import { ReviewState } from './review-state.tsx'
import { Stage } from './stage.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { didNotGoOut } from './went-out.ts'

interface PanelContentProps {
  socialSet: SocialSet
  postSet: PostSet
  onEdit: () => void
}

/** All about a post: what needs the person first. */
export function PanelContent({ socialSet, postSet, onEdit }: PanelContentProps) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const zone = socialSet.timezone
  const begun = postSet.status === 'PUBLISHING' || postSet.status === 'PUBLISHED'
  const yours = useViewerZone()
  const at = postSet.scheduledAt
  const held = heldOf(socialSet, postSet)
  const warning = useApprovalWarning(held?.whole ? { ...postSet, state: 'held' } : postSet)
  const when = formatDateTime(at, zone, preferences)
  const chip = zoneChip(zone, at)
  const own = formatDateTime(at, yours, preferences)
  return (
    <>
      <Facts postSet={postSet} begun={begun} held={held?.whole === true} />
      {!begun && (
        <h2 className={classes.title} dir="auto">
          {nameOf(subjectOf(postSet))}
        </h2>
      )}
      <Text size="sm">
        {when}{' '}
        <Text span size="sm" c="dimmed">
          {chip}
          {!sameClock(at, yours, zone) && <Trans>. For you {own}</Trans>}
        </Text>
      </Text>
      {begun && <Results postSet={postSet} zone={zone} />}
      {held && !begun && <HeldNotice held={held} zone={zone} />}
      {warning && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} p="sm">
          {warning}.{' '}
          <Trans>Scheduled posts publish even if they are not approved. Keep it as a draft to hold it.</Trans>
        </Alert>
      )}
      {postSet.approval === 'DENIED' && !begun && <RequestedChanges postSetId={postSet.id} />}
      {!begun && <ReviewState postSetId={postSet.id} />}
      <PanelActions postSet={postSet} onEdit={onEdit} />
      {begun ? (
        <Folded postSet={postSet} socialSet={socialSet} />
      ) : (
        <Stage key={postSet.id} postSet={postSet} socialSet={socialSet} />
      )}
      <Comments postSetId={postSet.id} />
      <section aria-label={t`History`}>
        <h2 className={classes.sub}>
          <Trans>History</Trans>
        </h2>
        <History postSetId={postSet.id} zone={zone} />
      </section>
    </>
  )
}

/** What went out: the beginning of it, and all of it when it is asked for. */
function Folded({ postSet, socialSet }: { postSet: PostSet; socialSet: SocialSet }) {
  const [open, setOpen] = useState(false)
  const [first] = postSet.posts
  const [picture] = first?.media ?? []
  if (open) return <Stage postSet={postSet} socialSet={socialSet} />
  return (
    <div className={classes.excerpt}>
      {picture && <Thumbnail item={{ ...picture, altText: picture.altText ?? '' }} size={72} />}
      <div>
        <p dir="auto">{first?.caption}</p>
        <Button variant="subtle" size="compact-xs" px={0} onClick={() => setOpen(true)}>
          {didNotGoOut(postSet) ? <Trans>Show the post</Trans> : <Trans>Show what went out</Trans>}
        </Button>
      </div>
    </div>
  )
}

interface FactsProps {
  postSet: PostSet
  begun: boolean
  held: boolean
}

/** Its state, and what else is to be known at a glance. */
function Facts({ postSet, begun, held }: FactsProps) {
  const labels = useLabels()
  return (
    <div className={classes.meta}>
      <State postSet={postSet} begun={begun} held={held} />
      {postSet.approval !== 'NONE' && (
        <Badge variant="light" color={APPROVAL_TONES[postSet.approval]} tt="none">
          {APPROVAL_WORDS[postSet.approval]}
        </Badge>
      )}
      {postSet.approval === 'APPROVED' && postSet.status === 'DRAFT' && (
        <Badge variant="light" tt="none">
          <Trans>Not scheduled</Trans>
        </Badge>
      )}
      {postSet.isLocked && (
        <Badge variant="light" color="gray" tt="none" leftSection={<IconLock size={12} aria-hidden />}>
          <Trans>Locked</Trans>
        </Badge>
      )}
      {postSet.seriesId && (
        <Badge variant="light" color="gray" tt="none" leftSection={<IconRepeat size={12} aria-hidden />}>
          <Trans>Part of a series</Trans>
        </Badge>
      )}
      {postSet.labelsId.flatMap((id) => {
        const label = labels.get(id)
        return label ? (
          <Badge key={id} variant="dot" color={label.color ?? 'gray'} tt="none">
            {label.name}
          </Badge>
        ) : (
          []
        )
      })}
    </div>
  )
}

/** Once it has begun, the outcome says more than its status. */
function State({ postSet, begun, held }: FactsProps) {
  const { data } = useQuery({ ...deliveriesQuery(postSet), enabled: begun })
  const state = begun ? data?.state : held ? 'held' : undefined
  // Until the outcome is known, nothing is said.
  if (begun && !state) return null
  const shown = state ?? (postSet.status === 'DRAFT' ? 'draft' : 'scheduled')
  return (
    <Badge variant="light" tt="none" color={STATE_TONES[shown]}>
      {STATE_WORDS[shown]}
    </Badge>
  )
}
