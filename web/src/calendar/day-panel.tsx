import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconNote, IconPlus } from '@tabler/icons-react'
import { useMay } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { clockChange } from '../planning/dates/dates.ts'
import { longDay } from '../planning/dates/titles.ts'
import { DayItems } from './day-items.tsx'
import type { PlannedDay } from './days.ts'
import { useScene } from './scene.ts'

interface DayPanelProps {
  day: PlannedDay
  onClose: () => void
  onOpen: (id: string) => void
  onNote: (id: string) => void
  onNew: (date: string) => void
  onNewNote: (date: string) => void
}

/** All that is planned on one day, however much it is. */
export function DayPanel({ day, onClose, onOpen, onNote, onNew, onNewNote }: DayPanelProps) {
  const { zone, preferences } = useScene()
  const [mayWrite, mayNote] = [useMay('post-sets:write'), useMay('notes:write')]
  const date = Temporal.PlainDate.from(day.date)
  const change = clockChange(date, zone)
  return (
    <Modal
      opened
      data-undo
      onClose={onClose}
      title={longDay(date, preferences.locale)}
      size="lg"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        {change && <Text size="sm">{change}.</Text>}
        {day.cards.length + day.notes.length === 0 ? (
          <Text>
            <Trans>Nothing is planned on this day.</Trans>
          </Text>
        ) : (
          <DayItems day={day} onOpen={onOpen} onNote={onNote} />
        )}
        <Group>
          {mayWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onNew(day.date)}>
              <Trans>New post</Trans>
            </Button>
          )}
          {mayNote && (
            <Button
              variant="default"
              leftSection={<IconNote size={16} aria-hidden />}
              onClick={() => onNewNote(day.date)}
            >
              <Trans>New note</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
