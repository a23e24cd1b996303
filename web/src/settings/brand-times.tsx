import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Chip, CloseButton, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { SavedTime, SocialSet } from '#contract'
import { useMay, usePreferences } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { Form, useForm } from '../design/form.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showError, showUndo, showWhyNot } from '../design/toast.tsx'
import { savedTimesQuery } from '../planning/brands/brand-queries.ts'
import { TimeField } from '../planning/dates/time-field.tsx'
import { weekdayName, weekdaysOf } from '../planning/dates/weekdays.ts'
import { formatTime, type TimePreferences, zoneChip } from '../time/zones.ts'
import classes from './brand.module.css'
import { changeSavedTimes, isSame } from './brand-requests.ts'
import { Section } from './profile-section.tsx'

const clockOf = (time: string, preferences: TimePreferences) => formatTime(`2000-01-01T${time}:00Z`, 'UTC', preferences)

/** The times of the week at which a brand posts, by day. */
export function SavedTimes({ socialSet }: { socialSet: SocialSet }) {
  const may = useMay('post-sets:publish')
  const { data: times, error, refetch } = useQuery(savedTimesQuery(socialSet.id))
  const { timezone } = socialSet
  const zone = zoneChip(timezone, Temporal.Now.instant().toString()).replaceAll('_', ' ')
  return (
    <Section
      title={t`Saved times`}
      description={
        <>
          <Trans>Time zone: {zone}</Trans>
          {!may && '. '}
          {!may && <Trans>Your role can read them. An editor can change them.</Trans>}
        </>
      }
    >
      {error && !times ? (
        <ErrorState title={t`The saved times could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !times ? (
        <LoadingRows rows={3} />
      ) : times.length === 0 ? (
        <Text size="sm" c="dimmed">
          <Trans>
            No saved times yet. Save the times of the week at which this brand usually posts: the composer and Duplicate
            offer the next free ones.
          </Trans>
        </Text>
      ) : (
        <Week socialSet={socialSet} times={times} may={may} />
      )}
      {may && <NewTimes socialSet={socialSet} />}
    </Section>
  )
}

function Week({ socialSet, times, may }: { socialSet: SocialSet; times: readonly SavedTime[]; may: boolean }) {
  const preferences = usePreferences()
  const list = useRef<HTMLUListElement>(null)
  const remove = async (gone: SavedTime, name: string) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const focused = document.activeElement
    const place = focused instanceof HTMLButtonElement ? buttons.indexOf(focused) : -1
    try {
      await changeSavedTimes(socialSet.id, (now) => now.filter((each) => !isSame(each, gone)))
    } catch (error) {
      return showError(error)
    }
    // The button goes with the time.
    const next = buttons[place + 1] ?? buttons[place - 1] ?? document.querySelector<HTMLElement>('#new-time')
    if (place >= 0) next?.focus()
    const message = t`Removed: ${name}.`
    announce(message)
    showUndo({ message, undo: () => changeSavedTimes(socialSet.id, (now) => [...now, gone]) })
  }
  return (
    <ul className={classes.days} ref={list} aria-label={t`Saved times`}>
      {weekdaysOf(preferences).map((weekday) => {
        const day = weekdayName(weekday, preferences)
        const own = times.filter((each) => each.weekday === weekday)
        return (
          <li key={weekday} className={classes.day}>
            <Text span size="sm" fw={500}>
              {day}
            </Text>
            <span className={classes.times}>
              {own.length === 0 && (
                <Text span size="sm" c="dimmed">
                  <Trans>None</Trans>
                </Text>
              )}
              {own.map((saved) => {
                const clock = clockOf(saved.time, preferences)
                return (
                  <span key={saved.time} className={classes.time} data-removable={may || undefined}>
                    {clock}
                    {may && (
                      <CloseButton
                        size={24}
                        radius="xl"
                        iconSize={14}
                        aria-label={t`Remove ${day}, ${clock}`}
                        onClick={() => void remove(saved, `${day}, ${clock}`)}
                      />
                    )}
                  </span>
                )
              })}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Monday to Friday. */
const WORKDAYS = ['1', '2', '3', '4', '5']

function NewTimes({ socialSet }: { socialSet: SocialSet }) {
  const preferences = usePreferences()
  const form = useForm({
    initial: { time: '09:00', days: WORKDAYS },
    check: {
      time: (time) => (time === '' ? t`Enter a time.` : null),
      days: (days) => (days.length === 0 ? t`Choose a day.` : null),
    },
    async send({ time, days }) {
      const wanted = days.map((weekday): SavedTime => ({ weekday: Number(weekday), time }))
      let added: SavedTime[] = []
      await changeSavedTimes(socialSet.id, (now) => {
        added = wanted.filter((each) => !now.some((other) => isSame(each, other)))
        return [...now, ...added]
      })
      const clock = clockOf(time, preferences)
      if (added.length === 0) return showWhyNot(t`${clock} is saved for these days already.`)
      const message = plural(added.length, {
        one: `${clock} saved for # day.`,
        other: `${clock} saved for # days.`,
      })
      announce(message)
      showUndo({
        message,
        undo: () =>
          changeSavedTimes(socialSet.id, (now) => now.filter((each) => !added.some((other) => isSame(each, other)))),
      })
    },
  })
  return (
    <Form form={form} gap="sm">
      <Group align="flex-end" gap="md">
        <TimeField
          id="new-time"
          label={t`Time`}
          value={form.values.time}
          error={form.wrong.time ?? null}
          onChange={(time) => form.set('time', time)}
        />
        <fieldset className={classes.plain}>
          <legend>
            <Trans>Days</Trans>
          </legend>
          <Chip.Group multiple value={form.values.days} onChange={(days) => form.set('days', days)}>
            <Group gap={4}>
              {weekdaysOf(preferences).map((weekday) => (
                <Chip key={weekday} value={String(weekday)} size="xs" aria-label={weekdayName(weekday, preferences)}>
                  {weekdayName(weekday, preferences, 'short')}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </fieldset>
        <Button type="submit" variant="default" loading={form.busy}>
          <Trans>Add time</Trans>
        </Button>
      </Group>
      {form.wrong.days && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {form.wrong.days}
        </Text>
      )}
      <Failure error={form.rest} />
    </Form>
  )
}
