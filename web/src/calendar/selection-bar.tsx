import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Group, Popover, TextInput } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useState } from 'react'
import type { CalendarCard } from '#contract'
import * as LIMITS from '#contract/limits'
import { useMay } from '../api/session.ts'
import { Form, useForm } from '../design/form.tsx'
import rows from '../design/rows.module.css'
import { BULK_BUTTON, BulkBar } from '../post-set-actions/bulk-bar.tsx'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { clearSelection, useSelection } from './selection.ts'

/** What can be done to all cards that are chosen. Nothing while none is. */
export function SelectionBar({ cards }: { cards: readonly CalendarCard[] }) {
  const { t } = useLingui()
  const selection = useSelection()
  const actions = usePostSetActions()
  const mayWrite = useMay('post-sets:write')
  const chosen = cards.filter(({ id }) => selection.has(id))
  if (chosen.length === 0) return null
  return (
    <BulkBar
      className={rows.bar}
      label={t`Selected posts`}
      chosen={chosen}
      onClear={clearSelection}
      first={(changeable) =>
        mayWrite && (
          <MoveByDays disabled={changeable.length === 0} onMove={(days) => void actions.moveByDays(changeable, days)} />
        )
      }
    />
  )
}

const MAX_DAYS = LIMITS.movedDays

function daysProblem(text: string): string | null {
  const days = Number(text)
  if (Number.isInteger(days) && days !== 0 && Math.abs(days) <= MAX_DAYS) return null
  return t`Enter a number of days from 1 to ${MAX_DAYS}.`
}

function MoveByDays({ disabled, onMove }: { disabled: boolean; onMove: (days: number) => void }) {
  const [opened, setOpened] = useState(false)
  const form = useForm({
    initial: { days: '1' },
    check: { days: daysProblem },
    send({ days }) {
      setOpened(false)
      onMove(Number(days))
    },
  })
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          {...BULK_BUTTON}
          disabled={disabled}
          leftSection={<IconCalendarShare size={16} aria-hidden />}
          onClick={() => setOpened((shown) => !shown)}
        >
          <Trans>Move by days…</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Move by days`}>
        <Form form={form}>
          <Group align="flex-end" gap="xs">
            <TextInput
              type="number"
              label={t`Days`}
              description={t`Earlier with a minus`}
              w={150}
              min={-MAX_DAYS}
              max={MAX_DAYS}
              step={1}
              data-autofocus
              {...form.text('days')}
            />
            <Button type="submit">
              <Trans>Move</Trans>
            </Button>
          </Group>
        </Form>
      </Popover.Dropdown>
    </Popover>
  )
}
