import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconExternalLink, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SharedCalendar } from '#contract'
import { usePreferences } from '../api/session.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { showError } from '../design/toast.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { openAsGuest } from '../planning/brands/shared-calendars.ts'
import { formatDate } from '../time/zones.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { CopiedLink } from './shared-calendars-dialogs.tsx'
import { copySharedCalendar } from './shared-calendars-requests.ts'
import { allowsWords, brandsOf, STATE_LOOKS, showsWords } from './shared-calendars-words.ts'

export type SharedAction = 'edit' | 'renew' | 'feed' | 'visitors' | 'close'

interface SharedCalendarLineProps {
  shared: SharedCalendar
  onAction: (action: SharedAction, shared: SharedCalendar) => void
}

/** A link for guests: what it shows, who has looked, and what can be done with it. */
export function SharedCalendarLine({ shared, onAction }: SharedCalendarLineProps) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const { name, state, hasPasscode } = shared
  const { color, word } = STATE_LOOKS[state]
  return (
    <Stack gap="sm">
      <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Title order={2} size="h5" dir="auto">
            {name}
          </Title>
          <Badge color={color} variant="light" tt="none">
            {word()}
          </Badge>
          {hasPasscode && (
            <Badge variant="default" tt="none" fw={500} leftSection={<IconLock size={12} aria-hidden />}>
              <Trans>Passcode</Trans>
            </Badge>
          )}
        </Group>
        <Text size="sm" dir="auto">
          {brandsOf(shared, sets)}
        </Text>
        <Text size="sm">{showsWords(shared)}</Text>
        <Text size="sm">{allowsWords(shared)}</Text>
        <Looks shared={shared} />
        <Dates shared={shared} />
      </Stack>
      <Group gap="xs">
        {state !== 'closed' && shared.canCopy && <CopyLink shared={shared} />}
        {state === 'open' && <Preview shared={shared} />}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t`Views of ${name}`}
          onClick={() => onAction('visitors', shared)}
        >
          <Trans>Views</Trans>
        </Button>
        {state !== 'closed' && <SharedMenu shared={shared} onAction={onAction} />}
      </Group>
    </Stack>
  )
}

function Looks({ shared: { visitors, lastLookAt } }: { shared: SharedCalendar }) {
  return (
    <Text size="sm">
      {plural(visitors, { 0: 'No one has looked yet.', one: '# guest has looked.', other: '# guests have looked.' })}{' '}
      {lastLookAt && (
        <Trans>
          Last look <RelativeTime instant={lastLookAt} />.
        </Trans>
      )}
    </Text>
  )
}

function Dates({
  shared: { createdBy, createdAt, renewedAt, closedAt, lastCopy, lastDay, state },
}: {
  shared: SharedCalendar
}) {
  const preferences = usePreferences()
  const day = lastDay === null ? null : formatDate(`${lastDay}T00:00:00Z`, 'UTC', preferences)
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        Created by {createdBy} <RelativeTime instant={createdAt} />.
      </Trans>{' '}
      {renewedAt && (
        <Trans>
          The link was replaced <RelativeTime instant={renewedAt} />.
        </Trans>
      )}{' '}
      {lastCopy && (
        <Trans>
          {lastCopy.by} copied the link <RelativeTime instant={lastCopy.at} />.
        </Trans>
      )}{' '}
      {closedAt && (
        <Trans>
          Closed <RelativeTime instant={closedAt} />.
        </Trans>
      )}{' '}
      {day && state === 'open' && <Trans>The last day is {day}.</Trans>}
      {day && state === 'expired' && <Trans>The last day was {day}. Edit it to open the link again.</Trans>}
    </Text>
  )
}

/** Reads the address again, which is noted, and shows it. */
function CopyLink({ shared }: { shared: SharedCalendar }) {
  const [busy, setBusy] = useState(false)
  const [address, setAddress] = useState<string | null>(null)
  const read = async () => {
    setBusy(true)
    try {
      setAddress(await copySharedCalendar(shared))
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        leftSection={<IconCopy size={14} aria-hidden />}
        aria-label={t`Copy link of ${shared.name}`}
        onClick={() => void read()}
      >
        <Trans>Copy link</Trans>
      </Button>
      {address !== null && <CopiedLink name={shared.name} address={address} onClose={() => setAddress(null)} />}
    </>
  )
}

function Preview({ shared }: { shared: SharedCalendar }) {
  const [busy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    await openAsGuest(shared)
    setBusy(false)
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={busy}
      leftSection={<IconExternalLink size={14} aria-hidden />}
      aria-label={t`Preview ${shared.name} in a new tab`}
      onClick={() => void open()}
    >
      <Trans>Preview</Trans>
    </Button>
  )
}

function SharedMenu({ shared, onAction }: SharedCalendarLineProps) {
  const { name } = shared
  return (
    <ActionsMenu name={name}>
      <Menu.Item onClick={() => onAction('edit', shared)}>
        <Trans>Edit</Trans>
      </Menu.Item>
      <Menu.Item onClick={() => onAction('renew', shared)}>
        <Trans>Replace the link</Trans>
      </Menu.Item>
      <Menu.Item onClick={() => onAction('feed', shared)}>
        <Trans>Calendar address</Trans>
      </Menu.Item>
      <Menu.Item color="var(--mantine-color-red-text)" onClick={() => onAction('close', shared)}>
        <Trans>Close</Trans>
      </Menu.Item>
    </ActionsMenu>
  )
}
