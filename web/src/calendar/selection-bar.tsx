import { Button, Group, Popover, Text, TextInput } from '@mantine/core'
import { IconCalendarShare, IconLock, IconLockOpen, IconSend, IconTag, IconTrash, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { CalendarCard } from '#contract'
import { useSession } from '../api/session.ts'
import { count } from '../design/words.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { lacksApproval, whyNotChangeable } from '../post-set-actions/subject.ts'
import classes from './calendar.module.css'
import { clearSelection, useSelection } from './selection.ts'

/** What can be done to all cards that are chosen. Nothing while none is. */
export function SelectionBar({ cards }: { cards: readonly CalendarCard[] }) {
  const selection = useSelection()
  const actions = usePostSetActions()
  const { rights } = useSession()
  const chosen = cards.filter(({ id }) => selection.has(id))
  if (chosen.length === 0) return null
  const changeable = chosen.filter((card) => whyNotChangeable(card, rights) === null)
  const unsent = chosen.filter(({ status }) => status === 'DRAFT' || status === 'SCHEDULED')
  const none = changeable.length === 0
  const unapproved = changeable.filter(lacksApproval)
  const may = (right: (typeof rights)[number]) => rights.includes(right)
  const button = { size: 'xs', variant: 'default' } as const
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selected post sets">
      <Text size="sm" fw={600} role="status">
        {count(chosen.length, 'post set')} selected
      </Text>
      {may('post-sets:write') && (
        <MoveByDays disabled={none} onMove={(days) => void actions.moveByDays(changeable, days)} />
      )}
      {may('labels:apply') && (
        <Button {...button} leftSection={<IconTag size={16} aria-hidden />} onClick={() => actions.openLabels(chosen)}>
          Labels…
        </Button>
      )}
      {may('post-sets:lock') && (
        <>
          <Button
            {...button}
            disabled={!unsent.some(({ isLocked }) => !isLocked)}
            leftSection={<IconLock size={16} aria-hidden />}
            onClick={() =>
              void actions.setLocked(
                unsent.filter(({ isLocked }) => !isLocked),
                true,
              )
            }
          >
            Lock
          </Button>
          <Button
            {...button}
            disabled={!unsent.some(({ isLocked }) => isLocked)}
            leftSection={<IconLockOpen size={16} aria-hidden />}
            onClick={() =>
              void actions.setLocked(
                unsent.filter(({ isLocked }) => isLocked),
                false,
              )
            }
          >
            Unlock
          </Button>
        </>
      )}
      {may('post-sets:write') && (
        <>
          <Button
            {...button}
            disabled={unapproved.length === 0}
            leftSection={<IconSend size={16} aria-hidden />}
            onClick={() => void actions.requestApproval(unapproved)}
          >
            Request approval
          </Button>
          <Button
            {...button}
            disabled={none}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              clearSelection()
              void actions.remove(changeable)
            }}
          >
            Delete
          </Button>
        </>
      )}
      <Button {...button} ml="auto" leftSection={<IconX size={16} aria-hidden />} onClick={clearSelection}>
        Clear selection
      </Button>
    </div>
  )
}

const MAX_DAYS = 3_660

function MoveByDays({ disabled, onMove }: { disabled: boolean; onMove: (days: number) => void }) {
  const [opened, setOpened] = useState(false)
  const [days, setDays] = useState('1')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const number = Number(days)
    if (!Number.isInteger(number) || number === 0) return
    setOpened(false)
    onMove(number)
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          disabled={disabled}
          leftSection={<IconCalendarShare size={16} aria-hidden />}
          onClick={() => setOpened((shown) => !shown)}
        >
          Move by days…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Move by days">
        <form onSubmit={submit}>
          <Group align="flex-end" gap="xs">
            <TextInput
              type="number"
              label="Days"
              description="Earlier with a minus"
              w={150}
              min={-MAX_DAYS}
              max={MAX_DAYS}
              step={1}
              value={days}
              onChange={(event) => setDays(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit">Move</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
