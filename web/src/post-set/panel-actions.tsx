import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { IconCalendarCheck, IconCheck, IconChevronDown, IconLink, IconPencil, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PostSet } from '#contract'
import { useSession } from '../api/session.ts'
import { DECIDES } from '../design/presses.ts'
import { focusDialogIfLost } from '../frame/shortcuts.ts'
import { approvalRuleQuery, reviewQuery } from '../planning/approvals/review-queries.ts'
import { approveWords, whyNotApproved } from '../planning/approvals/review-words.ts'
import {
  awaitsReview,
  isDraft,
  lacksApproval,
  mayReview,
  subjectOf,
  whyNotChangeable,
} from '../planning/posts/subject.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { PostSetMenu } from '../post-set-actions/post-set-menu.tsx'
import { didNotGoOut } from './went-out.ts'

/** What can be done to a post, first what it waits for. */
export function PanelActions({ postSet, onEdit }: { postSet: PostSet; onEdit: () => void }) {
  const { rights } = useSession()
  const { approve, copyLink, openApproveWithReason, openRequestChanges, openSchedule, requestApproval } =
    usePostSetActions()
  const subject = subjectOf(postSet)
  const why = whyNotChangeable(subject, rights)
  const { data: item } = useQuery(reviewQuery(postSet.id))
  const { data: rule } = useQuery(approvalRuleQuery(postSet.socialSetId))
  // A button that was pressed may be gone with what it did.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the post
  useEffect(() => {
    const frame = requestAnimationFrame(focusDialogIfLost)
    return () => cancelAnimationFrame(frame)
  }, [postSet.version])
  const reviews = mayReview(subject, rights)
  const approves = reviews && item?.cannotApprove === null
  // Whose approval a brand wants, is asked here; elsewhere the menu has it.
  const asks = !why && lacksApproval(subject) && (rule?.binding === true || postSet.approval === 'DENIED')
  // What is ready to go out is one click away from that; what waits has other buttons, and the menu this one.
  const schedules = !why && !asks && isDraft(subject) && !awaitsReview(subject) && rights.includes('post-sets:publish')
  return (
    <div>
      <Group gap="xs">
        {approves && (
          <Button {...DECIDES} leftSection={<IconCheck size={16} aria-hidden />} onClick={() => void approve(subject)}>
            {approveWords(subject)}
          </Button>
        )}
        {reviews && item?.needsReason && (
          <Button
            variant="default"
            leftSection={<IconCheck size={16} aria-hidden />}
            onClick={() => openApproveWithReason(subject)}
          >
            <Trans>Approve with a reason…</Trans>
          </Button>
        )}
        {reviews && item?.cannotRequestChanges === null && (
          <Button variant="default" onClick={() => openRequestChanges(subject)}>
            <Trans>Request changes…</Trans>
          </Button>
        )}
        {asks && (
          <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => void requestApproval([subject])}>
            <Trans>Request approval</Trans>
          </Button>
        )}
        {schedules && (
          <Button leftSection={<IconCalendarCheck size={16} aria-hidden />} onClick={() => openSchedule(subject)}>
            <Trans>Schedule…</Trans>
          </Button>
        )}
        {!why && (
          <Button
            variant={reviews || asks || schedules ? 'default' : 'filled'}
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={onEdit}
          >
            <Trans>Edit</Trans>
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={() => void copyLink(subject)}
        >
          <Trans>Copy link</Trans>
        </Button>
        <PostSetMenu
          subject={subject}
          barred={item !== undefined && item.cannotApprove !== null}
          target={
            <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
              <Trans>More</Trans>
            </Button>
          }
        />
      </Group>
      {approves && postSet.approval === 'EXTERNAL_PENDING' && (
        <Text size="sm" c="dimmed" mt="xs">
          <Trans>It waits for the client. You can decide in the client’s place; the history says so.</Trans>
        </Text>
      )}
      {reviews && item && item.cannotApprove !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          {whyNotApproved(item)}
        </Text>
      )}
      {why && !reviews && !didNotGoOut(postSet) && (
        <Text size="sm" c="dimmed" mt="xs">
          {why}
        </Text>
      )}
    </div>
  )
}
