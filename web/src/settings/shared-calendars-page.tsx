import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core'
import { IconCalendarShare, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { SharedCalendar } from '#contract'
import { useMay } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { sharedCalendarsQuery } from '../planning/brands/shared-calendars.ts'
import {
  CreateSharedCalendar,
  EditSharedCalendar,
  RenewSharedCalendar,
  SharedCalendarFeed,
  Visitors,
} from './shared-calendars-dialogs.tsx'
import { type SharedAction, SharedCalendarLine } from './shared-calendars-line.tsx'
import { closeSharedCalendar } from './shared-calendars-requests.ts'

/** The links by which people without an account look at calendars. */
export function Page(): ReactNode {
  const may = useMay('shared-calendars:manage')
  return (
    <Stack gap="lg">
      <PageTitle title={t`Shared calendars`} />
      {may ? (
        <SharedCalendars />
      ) : (
        <Text>
          <Trans>Only owners, admins and editors can share calendars.</Trans>
        </Text>
      )}
    </Stack>
  )
}

type Prompt =
  | { kind: 'create'; brand: string | null }
  | { kind: Exclude<SharedAction, 'close'>; shared: SharedCalendar }

function SharedCalendars() {
  const { share } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(sharedCalendarsQuery)
  const { data: sets } = useQuery(socialSetsQuery)
  const dialog = useDialogState<Prompt>()
  const close = useClose()
  const only = sets?.length === 1 ? (sets[0]?.id ?? null) : null
  // The calendar leads here to share a brand.
  const brand = sets?.find(({ id }) => id === share)?.id ?? only
  const arrived: Prompt | null = share !== undefined && data && sets ? { kind: 'create', brand } : null
  const asked = dialog.asked ?? arrived
  const leave = () => {
    dialog.close()
    if (share !== undefined) void navigate({ to: '/settings/shared-calendars', search: {}, replace: true })
  }
  const act = (action: SharedAction, shared: SharedCalendar) => {
    if (action === 'close') void close(shared)
    else dialog.open({ kind: action, shared })
  }
  return (
    <>
      <Text>
        <Trans>
          A link by which clients and others without an account look at the calendar of your brands, approve posts,
          comment and add notes.
        </Trans>
      </Text>
      <Group justify="flex-end">
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={!data || !sets}
          onClick={() => dialog.open({ kind: 'create', brand: only })}
        >
          <Trans>Share a calendar</Trans>
        </Button>
      </Group>
      {isPending ? (
        <LoadingRows />
      ) : data ? (
        <Rows all={data} onAction={act} />
      ) : (
        <ErrorState title={t`The shared calendars could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
      {asked?.kind === 'create' && <CreateSharedCalendar socialSetId={asked.brand} onClose={leave} />}
      {asked?.kind === 'edit' && <EditSharedCalendar shared={asked.shared} onClose={leave} />}
      {asked?.kind === 'renew' && <RenewSharedCalendar shared={asked.shared} onClose={leave} />}
      {asked?.kind === 'feed' && <SharedCalendarFeed shared={asked.shared} onClose={leave} />}
      {asked?.kind === 'visitors' && <Visitors shared={asked.shared} onClose={leave} />}
    </>
  )
}

interface RowsProps {
  all: readonly SharedCalendar[]
  onAction: (action: SharedAction, shared: SharedCalendar) => void
}

function Rows({ all, onAction }: RowsProps) {
  const [withClosed, setWithClosed] = useState(false)
  const closed = all.filter(({ state }) => state === 'closed')
  const shown = withClosed ? all : all.filter(({ state }) => state !== 'closed')
  return (
    <>
      {shown.length > 0 ? (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Shared calendars`}>
          {shown.map((shared) => (
            <Paper key={shared.id} component="li" withBorder p="md">
              <SharedCalendarLine shared={shared} onAction={onAction} />
            </Paper>
          ))}
        </Stack>
      ) : (
        <EmptyState icon={<IconCalendarShare size={40} stroke={1.5} aria-hidden />}>
          <Trans>No calendar is shared. Share one, and send its link to your client.</Trans>
        </EmptyState>
      )}
      {closed.length > 0 && (
        <Checkbox
          label={plural(closed.length, { one: 'Show # closed link', other: 'Show # closed links' })}
          checked={withClosed}
          onChange={(event) => setWithClosed(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

/** Closes a link for good. */
function useClose() {
  const confirm = useConfirmAction()
  return async (shared: SharedCalendar) => {
    const { name } = shared
    const done = await confirm({
      title: t`Close “${name}”?`,
      children: t`The link, its calendar address and mails to guests end at once. What guests decided, wrote and noted stays. This cannot be undone.`,
      confirmLabel: t`Close the link`,
      danger: true,
      run: () => closeSharedCalendar(shared),
    })
    if (done) showDone(t`Closed: ${name}`)
  }
}
