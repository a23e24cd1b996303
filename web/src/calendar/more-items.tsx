import { Trans } from '@lingui/react/macro'
import { Menu } from '@mantine/core'
import { IconNote, IconPlayerPause, IconShare } from '@tabler/icons-react'
import type { SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { RouterMenuItem } from '../frame/links.tsx'

interface MoreItemsProps {
  socialSet: SocialSet | null
  onNewNote: () => void
  onStop: () => void
}

/** What is done to a calendar now and then, in words. */
export function MoreItems({ socialSet, onNewNote, onStop }: MoreItemsProps) {
  const [mayNote, mayShare, mayStop] = [
    useMay('notes:write'),
    useMay('shared-calendars:manage'),
    useMay('post-sets:publish'),
  ]
  return (
    <>
      {mayNote && (
        <Menu.Item leftSection={<IconNote size={16} aria-hidden />} onClick={onNewNote}>
          <Trans>New note</Trans>
        </Menu.Item>
      )}
      {mayShare && socialSet && (
        <RouterMenuItem
          to="/settings/shared-calendars"
          search={{ share: socialSet.id }}
          leftSection={<IconShare size={16} aria-hidden />}
        >
          <Trans>Share the calendar</Trans>
        </RouterMenuItem>
      )}
      {mayStop && !socialSet?.hold && (
        <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={onStop}>
          <Trans>Stop publishing…</Trans>
        </Menu.Item>
      )}
    </>
  )
}
