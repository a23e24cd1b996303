import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ColorSwatch, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ImportedCalendar } from '#contract'
import { useConfirmAction } from '../design/confirm.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { wordsOfCode } from '../language/server-words.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { changeCalendar, fetchCalendar, removalOf, removeCalendar } from './calendars-requests.ts'
import { FAILURE_ADVICE } from './calendars-words.ts'

interface CalendarLineProps {
  calendar: ImportedCalendar
  may: boolean
  onEdit: () => void
}

/** An imported calendar: how it is, in words, and what can be done with it. */
export function CalendarLine({ calendar, may, onEdit }: CalendarLineProps) {
  const { name, hexColor, address, fileName } = calendar
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start" miw={0}>
        <ColorSwatch component="span" color={hexColor} size={18} withShadow aria-hidden mt={3} flex="none" />
        <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Title order={3} size="h5" dir="auto">
            {name}
          </Title>
          <State calendar={calendar} />
          <Notes calendar={calendar} />
          <Text size="sm" c="dimmed" dir="auto">
            {address ?? fileName}
          </Text>
        </Stack>
      </Group>
      {may && <CalendarMenu calendar={calendar} onEdit={onEdit} />}
    </Group>
  )
}

/** When it was read, and when it is again; what is wrong and what to do about it. */
function State({ calendar: { status, source, fetchedAt, nextAt, failure } }: { calendar: ImportedCalendar }) {
  const last = fetchedAt ? (
    <Trans>
      Last read <RelativeTime instant={fetchedAt} />.
    </Trans>
  ) : (
    <Trans>Not read yet.</Trans>
  )
  const next =
    nextAt && source === 'ADDRESS' && Date.parse(nextAt) > Date.now() ? (
      <Trans>
        Next time <RelativeTime instant={nextAt} />.
      </Trans>
    ) : null
  switch (status) {
    case 'WAITING':
      return <Line>{t`Not read yet. It is read in a moment.`}</Line>
    case 'FETCHING':
      return <Line>{t`Being read…`}</Line>
    case 'PAUSED':
      return (
        <Line>
          <Trans>Paused: it is not read until you resume it.</Trans> {last}
        </Line>
      )
    case 'FAILING':
      return (
        <>
          {failure && (
            <Group gap={6} wrap="nowrap" align="flex-start" c="var(--mantine-color-red-text)" role="note">
              <IconAlertTriangle size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
              <Text size="sm">
                <Trans>
                  It cannot be read. This began <RelativeTime instant={failure.since} />.
                </Trans>{' '}
                {whyAndAdvice(failure)}
              </Text>
            </Group>
          )}
          <Line>
            {last} {next} {fetchedAt && <Trans>Notes that were read before stay.</Trans>}
          </Line>
        </>
      )
    case 'OK':
      return (
        <Line>
          {last} {next}
        </Line>
      )
  }
}

/** The server's own words end with what to do; those of a catalog do not. */
function whyAndAdvice({ code, message }: NonNullable<ImportedCalendar['failure']>): string {
  const words = wordsOfCode(code, message)
  return words === message ? words : `${words.replace(/[^.]$/, '$&.')} ${FAILURE_ADVICE[code]}`
}

function Line({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>
}

function Notes({ calendar: { notes, leftOut, unreadable } }: { calendar: ImportedCalendar }) {
  return (
    <Text size="sm" c="dimmed">
      {plural(notes, { 0: 'No notes.', one: '# note.', other: '# notes.' })}{' '}
      {leftOut > 0 &&
        plural(leftOut, {
          one: '# note of the farthest days is left out: the brand has no room for more.',
          other: '# notes of the farthest days are left out: the brand has no room for more.',
        })}{' '}
      {unreadable > 0 &&
        plural(unreadable, {
          one: '# event cannot be read and is left out.',
          other: '# events cannot be read and are left out.',
        })}
    </Text>
  )
}

function CalendarMenu({ calendar, onEdit }: { calendar: ImportedCalendar; onEdit: () => void }) {
  const { id, name, status, source } = calendar
  const remove = useRemove()
  const paused = status === 'PAUSED'
  const run = async (act: () => Promise<void>, done: string) => {
    try {
      await act()
      showDone(done)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <ActionsMenu name={name}>
      {source === 'ADDRESS' && !paused && (
        <Menu.Item onClick={() => void run(() => fetchCalendar(calendar), t`${name} is being read.`)}>
          <Trans>Read now</Trans>
        </Menu.Item>
      )}
      <Menu.Item onClick={onEdit}>
        <Trans>Edit</Trans>
      </Menu.Item>
      {(source === 'ADDRESS' || paused) && (
        <Menu.Item
          onClick={() =>
            void run(() => changeCalendar(id, { paused: !paused }), paused ? t`Resumed: ${name}` : t`Paused: ${name}`)
          }
        >
          {paused ? t`Resume` : t`Pause`}
        </Menu.Item>
      )}
      <Menu.Item color="var(--mantine-color-red-text)" onClick={() => void remove(calendar)}>
        <Trans>Remove</Trans>
      </Menu.Item>
    </ActionsMenu>
  )
}

/** Removes a calendar, once the person knows which of its notes go with it. */
function useRemove() {
  const confirm = useConfirmAction()
  return async (calendar: ImportedCalendar) => {
    const { name } = calendar
    const notes = await removalOf(calendar).catch((error) => void showError(error))
    if (!notes) return
    const { removed, kept } = notes
    const done = await confirm({
      title: t`Remove “${name}”?`,
      children: (
        <Stack gap="xs">
          <Text>
            {plural(removed, {
              0: 'No note goes with it.',
              one: '# note goes with it.',
              other: '# notes go with it.',
            })}{' '}
            {kept > 0 &&
              plural(kept, {
                one: '# note that a member changed stays.',
                other: '# notes that members changed stay.',
              })}
          </Text>
          <Text>
            <Trans>This cannot be undone. You can add the calendar again.</Trans>
          </Text>
        </Stack>
      ),
      confirmLabel: t`Remove the calendar`,
      danger: true,
      run: () => removeCalendar(calendar),
    })
    if (done) showDone(t`Removed: ${name}`)
  }
}
