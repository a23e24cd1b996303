import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCalendarDown, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { ImportedCalendar, ImportedCalendars, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { useDialogState } from '../design/dialog-state.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { chooseSocialSet, socialSetsQuery, useSocialSet } from '../frame/social-sets.ts'
import { CalendarFeedPart } from './calendar-feed.tsx'
import { brandFeed } from './calendar-feed-requests.ts'
import { AddCalendarDialog, EditCalendarDialog } from './calendars-dialogs.tsx'
import { CalendarLine } from './calendars-line.tsx'
import { importedCalendarsQuery } from './calendars-requests.ts'

/** What comes to the calendar of a brand from others, and the address at which others read it. */
export function Page(): ReactNode {
  const { error, refetch } = useQuery(socialSetsQuery)
  const { socialSet, missing, sets } = useSocialSet()
  const navigate = useNavigate()
  return (
    <Stack gap="lg">
      <PageTitle title={t`Calendars`} />
      {error && !sets ? (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !sets ? (
        <LoadingRows />
      ) : missing ? (
        <EmptyState>
          <Trans>This page does not exist, or you do not have access to it.</Trans>
        </EmptyState>
      ) : !socialSet ? (
        <EmptyState>
          <Trans>You do not have access to a brand yet.</Trans>
        </EmptyState>
      ) : (
        <>
          {sets.length > 1 && (
            <NativeSelect
              label={t`Brand`}
              maw={420}
              data={sets.map(({ id, name }) => ({ value: id, label: name }))}
              value={socialSet.id}
              onChange={({ currentTarget: { value } }) => {
                chooseSocialSet(value)
                void navigate({ to: '/settings/calendars', search: { set: value }, replace: true })
              }}
            />
          )}
          <Imported key={`imported ${socialSet.id}`} socialSet={socialSet} />
          <Address key={`address ${socialSet.id}`} socialSet={socialSet} />
        </>
      )}
    </Stack>
  )
}

function Imported({ socialSet }: { socialSet: SocialSet }) {
  const may = useMay('calendars:manage')
  const { data, error, isPending, refetch } = useQuery(importedCalendarsQuery(socialSet.id))
  const adding = useDialogState<true>()
  const editing = useDialogState<ImportedCalendar>()
  const full = data !== undefined && data.data.length >= data.limits.calendars
  return (
    <Stack component="section" gap="sm" aria-labelledby="imported-calendars">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" id="imported-calendars">
          <Trans>Imported calendars</Trans>
        </Title>
        {may && (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={!data || full}
            onClick={() => adding.open(true)}
          >
            <Trans>Add a calendar</Trans>
          </Button>
        )}
      </Group>
      <Text>
        <Trans>
          Events of other calendars, such as holidays or campaigns, become notes on the calendar of this brand. An
          address is read every 30 minutes, from 30 days back to a year ahead.
        </Trans>
        {!may && ' '}
        {!may && <Trans>Only owners, admins and editors can add and change them.</Trans>}
      </Text>
      {isPending ? (
        <LoadingRows rows={2} />
      ) : !data ? (
        <ErrorState
          title={t`The imported calendars could not be loaded`}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data.data.length === 0 ? (
        <EmptyState icon={<IconCalendarDown size={40} stroke={1.5} aria-hidden />}>
          {may
            ? t`No calendar is imported yet. Add one by its address, or from a file.`
            : t`No calendar is imported yet.`}
        </EmptyState>
      ) : (
        <>
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Imported calendars`}>
            {data.data.map((calendar) => (
              <Paper key={calendar.id} component="li" withBorder p="md">
                <CalendarLine calendar={calendar} may={may} onEdit={() => editing.open(calendar)} />
              </Paper>
            ))}
          </Stack>
          <Used list={data} />
        </>
      )}
      {adding.asked && <AddCalendarDialog socialSet={socialSet} onClose={adding.close} />}
      {editing.asked && <EditCalendarDialog calendar={editing.asked} onClose={editing.close} />}
    </Stack>
  )
}

function Used({ list: { data, limits, notes } }: { list: ImportedCalendars }) {
  const [calendars, most] = [data.length, limits.calendars]
  const [used, room] = [notes.toLocaleString(), limits.notes.toLocaleString()]
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        {calendars} of {most} calendars, {used} of {room} notes.
      </Trans>{' '}
      {calendars >= most && <Trans>Remove one before you add another.</Trans>}
    </Text>
  )
}

function Address({ socialSet }: { socialSet: SocialSet }) {
  const may = useMay('calendars:manage')
  const source = useMemo(() => brandFeed(socialSet.id), [socialSet.id])
  return (
    <Stack component="section" gap="sm" aria-labelledby="calendar-address">
      <Title order={2} size="h4" id="calendar-address">
        <Trans>Calendar address</Trans>
      </Title>
      <Text>
        <Trans>
          A secret address at which Google Calendar, Apple Calendar, Outlook and others show the posts and notes of this
          brand. It only shows them: nothing can be changed by it.
        </Trans>
        {!may && ' '}
        {!may && <Trans>Only owners, admins and editors can create it.</Trans>}
      </Text>
      <CalendarFeedPart source={source} name={socialSet.name} may={may} />
    </Stack>
  )
}
