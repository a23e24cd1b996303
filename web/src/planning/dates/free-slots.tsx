import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import { usePreferences } from '../../api/session.ts'
import { formatDate, formatTime } from '../../time/zones.ts'
import { freeSlotsQuery } from '../brands/brand-queries.ts'
import { dayOf } from './dates.ts'

const SLOTS = 3

interface FreeSlotsProps {
  socialSet: Pick<SocialSet, 'id' | 'timezone'>
  /** The instant that is chosen: slots are offered from its day on. */
  at: string
  onChoose: (at: string) => void
}

/** The next saved times of the brand that no post has, from the chosen day on. Nothing where there is none. */
export function FreeSlots({ socialSet: { id, timezone }, at, onChoose }: FreeSlotsProps) {
  const preferences = usePreferences()
  const day = dayOf(at, timezone)
  const { data: slots = [] } = useQuery(freeSlotsQuery(id, day, SLOTS))
  if (slots.length === 0) return null
  return (
    <Group gap={6} mb={4}>
      <Text span size="xs" c="dimmed">
        <Trans>Free</Trans>
      </Text>
      {slots.map((slot) => {
        const time = formatTime(slot.at, timezone, preferences)
        const sameDay = dayOf(slot.at, timezone) === day
        return (
          <Button
            key={slot.at}
            size="compact-sm"
            radius="xl"
            variant={slot.at === at ? 'filled' : 'default'}
            aria-pressed={slot.at === at}
            onClick={() => onChoose(slot.at)}
          >
            {sameDay ? time : `${formatDate(slot.at, timezone, preferences)}, ${time}`}
          </Button>
        )
      })}
    </Group>
  )
}
