import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import {
  IconCalendarCheck,
  IconCalendarShare,
  IconCheck,
  IconCopy,
  IconCopyPlus,
  IconExternalLink,
  IconHandMove,
  IconLink,
  IconLock,
  IconLockOpen,
  IconMessageReply,
  IconSend,
  IconTag,
  IconTransfer,
  IconTrash,
  IconUserQuestion,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useSession } from '../api/session.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { approveAndScheduleWords, approveWords } from '../planning/approvals/review-words.ts'
import {
  isApproved,
  isDraft,
  lacksApproval,
  mayReview,
  type PostSetSubject,
  whyNotChangeable,
  whyNotDeletable,
} from '../planning/posts/subject.ts'
import { usePostSetActions } from './post-set-actions.tsx'

interface PostSetMenuItemsProps {
  subject: PostSetSubject
  /** Opens the set; absent where it is open. */
  onOpen?: (() => void) | undefined
  /** The reader cannot approve it, as is known and said where it is open. */
  barred?: boolean
}

/** What can be done to a post set, as entries of a menu. What its state forbids is disabled; what the role forbids is not there. */
export function PostSetMenuItems({ subject, onOpen, barred }: PostSetMenuItemsProps) {
  const actions = usePostSetActions()
  const { rights } = useSession()
  const may = (right: (typeof rights)[number]) => rights.includes(right)
  const fixed = whyNotChangeable(subject, rights) !== null
  const sent = subject.status === 'PUBLISHED' || subject.status === 'PUBLISHING'
  const { pick } = actions
  const { data: sets } = useQuery(socialSetsQuery)
  return (
    <>
      {onOpen && (
        <Menu.Item leftSection={<IconExternalLink size={16} aria-hidden />} onClick={onOpen}>
          <Trans>Open</Trans>
        </Menu.Item>
      )}
      {may('post-sets:publish') && isDraft(subject) && (
        <Menu.Item
          leftSection={<IconCalendarCheck size={16} aria-hidden />}
          disabled={fixed}
          onClick={() => actions.openSchedule(subject)}
        >
          <Trans>Schedule…</Trans>
        </Menu.Item>
      )}
      {may('post-sets:write') && (
        <>
          <Menu.Item
            leftSection={<IconCalendarShare size={16} aria-hidden />}
            disabled={fixed}
            onClick={() => actions.openMove(subject)}
          >
            <Trans>Move to…</Trans>
          </Menu.Item>
          {pick && (
            <Menu.Item
              leftSection={<IconHandMove size={16} aria-hidden />}
              disabled={fixed}
              onClick={() => pick(subject)}
            >
              <Trans>Move by choosing a day</Trans>
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void actions.duplicate([subject])}>
            <Trans>Duplicate…</Trans>
          </Menu.Item>
          {(sets?.length ?? 0) > 1 && (
            <>
              <Menu.Item
                leftSection={<IconCopyPlus size={16} aria-hidden />}
                onClick={() => void actions.toBrand([subject], false)}
              >
                <Trans>Copy to another brand…</Trans>
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTransfer size={16} aria-hidden />}
                disabled={whyNotDeletable(subject, rights) !== null}
                onClick={() => void actions.toBrand([subject], true)}
              >
                <Trans>Move to another brand…</Trans>
              </Menu.Item>
            </>
          )}
        </>
      )}
      {may('labels:apply') && (
        <Menu.Item leftSection={<IconTag size={16} aria-hidden />} onClick={() => actions.openLabels([subject])}>
          <Trans>Labels…</Trans>
        </Menu.Item>
      )}
      {may('post-sets:lock') && !sent && (
        <Menu.Item
          leftSection={subject.isLocked ? <IconLockOpen size={16} aria-hidden /> : <IconLock size={16} aria-hidden />}
          onClick={() => void actions.setLocked([subject], !subject.isLocked)}
        >
          {subject.isLocked ? t`Unlock` : t`Lock`}
        </Menu.Item>
      )}
      {!barred && mayReview(subject, rights) && (
        <>
          <Menu.Item leftSection={<IconCheck size={16} aria-hidden />} onClick={() => void actions.approve(subject)}>
            {approveWords(subject)}
          </Menu.Item>
          {may('post-sets:publish') && isDraft(subject) && (
            <Menu.Item
              leftSection={<IconCalendarCheck size={16} aria-hidden />}
              disabled={fixed}
              onClick={() => void actions.approveAndSchedule(subject)}
            >
              {approveAndScheduleWords(subject)}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconMessageReply size={16} aria-hidden />}
            onClick={() => actions.openRequestChanges(subject)}
          >
            <Trans>Request changes…</Trans>
          </Menu.Item>
        </>
      )}
      {may('post-sets:write') && !fixed && lacksApproval(subject) && (
        <Menu.Item
          leftSection={<IconSend size={16} aria-hidden />}
          onClick={() => void actions.requestApproval([subject])}
        >
          <Trans>Request approval</Trans>
        </Menu.Item>
      )}
      {may('post-sets:write') && !fixed && isApproved(subject) && (
        <>
          <Menu.Item
            leftSection={<IconSend size={16} aria-hidden />}
            onClick={() => void actions.requestAgain(subject, 'team')}
          >
            <Trans>Request approval again</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUserQuestion size={16} aria-hidden />}
            onClick={() => void actions.requestAgain(subject, 'client')}
          >
            <Trans>Ask the client</Trans>
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => void actions.copyLink(subject)}>
        <Trans>Copy link</Trans>
      </Menu.Item>
      {may('post-sets:write') && (
        <>
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-red-text)"
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={whyNotDeletable(subject, rights) !== null}
            onClick={() => void actions.remove([subject])}
          >
            <Trans>Delete</Trans>
          </Menu.Item>
        </>
      )}
    </>
  )
}

/** The library wants to give the focus to the very first entry, and a disabled one takes none: then keys would go past the menu. */
function focusFirstEntry(dropdown: HTMLElement | null): void {
  // It does so with the next task, too.
  setTimeout(() => {
    const entry = dropdown?.querySelector('[role="menuitem"]:not(:disabled)')
    if (entry instanceof HTMLElement) entry.focus({ preventScroll: true })
  })
}

/** A button with the menu of a post set. Below `PostSetActionsProvider` only. */
export function PostSetMenu({ target, ...items }: PostSetMenuItemsProps & { target: ReactElement }) {
  return (
    <Menu position="bottom-end" withinPortal width={240}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown ref={focusFirstEntry}>
        <PostSetMenuItems {...items} />
      </Menu.Dropdown>
    </Menu>
  )
}
