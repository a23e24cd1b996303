import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CalendarFeed } from '#contract'
import { useConfirmAction } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { rememberOpener } from '../design/opener.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { NewAddressDialog, OnceDialog, SecretAddress } from './address-dialog.tsx'
import type { FeedSource } from './calendar-feed-requests.ts'

interface CalendarFeedPartProps {
  source: FeedSource
  /** Of the brand or the shared calendar. */
  name: string
  /** May create, replace and close it. */
  may: boolean
}

/** The calendar address of a brand or of a shared calendar: whether there is one, and what can be done with it. */
export function CalendarFeedPart({ source, name, may }: CalendarFeedPartProps) {
  const { data, error, isPending, refetch } = useQuery(source.query)
  if (isPending) return <LoadingRows rows={1} />
  if (!data) {
    return (
      <ErrorState title={t`The calendar address could not be loaded`} error={error} onRetry={() => void refetch()} />
    )
  }
  return (
    <Stack gap="sm">
      <FeedState feed={data.feed} />
      {may && <FeedButtons source={source} name={name} exists={data.feed !== null} />}
      {may && <HowToAdd />}
    </Stack>
  )
}

function FeedState({ feed }: { feed: CalendarFeed | null }) {
  if (!feed) {
    return (
      <Text size="sm">
        <Trans>There is no calendar address.</Trans>
      </Text>
    )
  }
  const { createdAt, renewedAt, lastReadAt } = feed
  return (
    <Text size="sm">
      {renewedAt ? (
        <Trans>
          The address was replaced <RelativeTime instant={renewedAt} />.
        </Trans>
      ) : (
        <Trans>
          The address was created <RelativeTime instant={createdAt} />.
        </Trans>
      )}{' '}
      {lastReadAt ? (
        <Trans>
          A calendar program last read it <RelativeTime instant={lastReadAt} />.
        </Trans>
      ) : (
        <Trans>No calendar program has read it yet.</Trans>
      )}
    </Text>
  )
}

function FeedButtons({ source, name, exists }: { source: FeedSource; name: string; exists: boolean }) {
  const [first, setFirst] = useState<string | null>(null)
  const giveBack = useRef(() => {})
  const renewing = useDialogState<true>()
  const [busy, setBusy] = useState(false)
  const confirm = useConfirmAction()
  const issued = {
    title: t`Copy the calendar address of ${name}`,
    label: t`Calendar address`,
    words: <HowToAdd />,
  }
  const close = async () => {
    const done = await confirm({
      title: t`Close the calendar address of ${name}?`,
      children: t`Calendar programs that have it show nothing new from now on. This cannot be undone.`,
      confirmLabel: t`Close the address`,
      danger: true,
      run: source.close,
    })
    if (done) showDone(t`The calendar address is closed.`)
  }
  const create = async () => {
    // While it is busy, the button loses the focus.
    giveBack.current = rememberOpener()
    setBusy(true)
    try {
      setFirst(await source.issue())
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const leave = () => {
    setFirst(null)
    // After the dialog is gone: its trap holds the focus until then.
    window.setTimeout(giveBack.current)
  }
  return (
    <Group gap="xs">
      <Button variant="default" loading={busy} onClick={() => (exists ? renewing.open(true) : void create())}>
        {exists ? t`Replace the address` : t`Create an address`}
      </Button>
      {exists && (
        <Button variant="default" onClick={() => void close()}>
          <Trans>Close the address</Trans>
        </Button>
      )}
      {first && (
        <OnceDialog title={issued.title} stays onClose={leave}>
          <SecretAddress label={issued.label} address={first} onDone={leave}>
            {issued.words}
          </SecretAddress>
        </OnceDialog>
      )}
      {renewing.asked && (
        <NewAddressDialog
          title={t`Replace the calendar address of ${name}?`}
          question={t`The present address ends at once. Calendar programs that have it need the new one.`}
          confirmLabel={t`Replace the address`}
          issue={source.issue}
          issued={issued}
          onClose={renewing.close}
        />
      )}
    </Group>
  )
}

/** In which place of each calendar program the address goes. */
function HowToAdd() {
  return (
    <List size="sm" spacing={4} c="dimmed">
      <List.Item>
        <Trans>
          Google Calendar, on a computer: press the plus beside <em>Other calendars</em>, choose <em>From URL</em>,
          paste the address.
        </Trans>
      </List.Item>
      <List.Item>
        <Trans>
          Apple Calendar: choose <em>File</em>, then <em>New Calendar Subscription</em>, paste the address.
        </Trans>
      </List.Item>
      <List.Item>
        <Trans>
          Outlook: choose <em>Add calendar</em>, then <em>Subscribe from web</em>, paste the address.
        </Trans>
      </List.Item>
    </List>
  )
}
