import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button } from '@mantine/core'
import {
  IconCopy,
  IconLock,
  IconLockOpen,
  IconSend,
  IconTag,
  IconTransfer,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { isUnsent, lacksApproval, type PostSetSubject, whyNotChangeable } from '../planning/posts/subject.ts'
import { usePostSetActions } from './post-set-actions.tsx'

interface BulkBarProps {
  className: string | undefined
  label: string
  chosen: readonly PostSetSubject[]
  onClear: () => void
  /** What a screen offers besides, before and behind what all have; each gets the posts that can be changed. */
  first?: (changeable: readonly PostSetSubject[]) => ReactNode
  last?: (changeable: readonly PostSetSubject[]) => ReactNode
}

export const BULK_BUTTON = { variant: 'subtle', color: 'gray' } as const

/** What can be done to all posts that are chosen. */
export function BulkBar({ className, label, chosen, onClear, first, last }: BulkBarProps) {
  const { t } = useLingui()
  const actions = usePostSetActions()
  const { rights } = useSession()
  const may = (right: (typeof rights)[number]) => rights.includes(right)
  const { data: sets } = useQuery(socialSetsQuery)
  const changeable = chosen.filter((subject) => whyNotChangeable(subject, rights) === null)
  const unapproved = changeable.filter(lacksApproval)
  return (
    <div className={className} role="toolbar" aria-label={label}>
      <strong role="status">{plural(chosen.length, { one: '# post selected', other: '# posts selected' })}</strong>
      {first?.(changeable)}
      {may('labels:apply') && (
        <Button
          {...BULK_BUTTON}
          leftSection={<IconTag size={16} aria-hidden />}
          onClick={() => actions.openLabels(chosen)}
        >
          <Trans>Labels…</Trans>
        </Button>
      )}
      {may('post-sets:write') && (
        <Button
          {...BULK_BUTTON}
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void actions.duplicate(chosen)}
        >
          <Trans>Duplicate…</Trans>
        </Button>
      )}
      {may('post-sets:write') && (sets?.length ?? 0) > 1 && (
        <Button
          {...BULK_BUTTON}
          leftSection={<IconTransfer size={16} aria-hidden />}
          onClick={() => void actions.toBrand(chosen, null)}
        >
          <Trans>To another brand…</Trans>
        </Button>
      )}
      {may('post-sets:lock') && <LockButtons chosen={chosen.filter(isUnsent)} />}
      {may('post-sets:write') && (
        <>
          <Button
            {...BULK_BUTTON}
            disabled={unapproved.length === 0}
            leftSection={<IconSend size={16} aria-hidden />}
            onClick={() => void actions.requestApproval(unapproved)}
          >
            <Trans>Request approval</Trans>
          </Button>
          <Button
            {...BULK_BUTTON}
            disabled={changeable.length === 0}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              onClear()
              void actions.remove(changeable)
            }}
          >
            <Trans>Delete</Trans>
          </Button>
        </>
      )}
      {last?.(changeable)}
      <ActionIcon variant="subtle" color="gray" aria-label={t`Clear selection`} onClick={onClear}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

function LockButtons({ chosen }: { chosen: readonly PostSetSubject[] }) {
  const actions = usePostSetActions()
  const [locked, open] = [chosen.filter(({ isLocked }) => isLocked), chosen.filter(({ isLocked }) => !isLocked)]
  return (
    <>
      <Button
        {...BULK_BUTTON}
        disabled={open.length === 0}
        leftSection={<IconLock size={16} aria-hidden />}
        onClick={() => void actions.setLocked(open, true)}
      >
        <Trans>Lock</Trans>
      </Button>
      <Button
        {...BULK_BUTTON}
        disabled={locked.length === 0}
        leftSection={<IconLockOpen size={16} aria-hidden />}
        onClick={() => void actions.setLocked(locked, false)}
      >
        <Trans>Unlock</Trans>
      </Button>
    </>
  )
}
