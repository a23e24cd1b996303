import '../design/more-styles.ts'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Kbd, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import type { SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { holdRest } from '../api/at-rest.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { BrandName } from '../frame/brand-face.tsx'
import { keyNames } from '../frame/keys.ts'
import { useRegisteredShortcuts } from '../frame/shortcuts.ts'
import { chooseSocialSet, useAllBrands, useSocialSet } from '../frame/social-sets.ts'
import { dayOf, today } from '../planning/dates/dates.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { useSections } from '../settings/sections.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import { ENTRIES } from './navigation.tsx'
import classes from './palette.module.css'
import { monthNames, typedDay } from './typed-day.ts'

interface Entry {
  key: string
  group: string
  /** What is searched. */
  text: string
  shown?: ReactNode
  hint?: ReactNode
  run: () => void
}

/** So many of each kind are offered. */
const MOST = 6
/** How long a person has not typed before posts are searched. */
const TYPED_MS = 200

/** Leads to brands, posts of all of them, days and screens, and does what keys do here. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const { entries, isSearching } = useEntries(text)
  const chosen = Math.min(at, entries.length - 1)
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    // Behind the dialog, which gives the focus back.
    setTimeout(entry.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0 && entries.length > 0) setAt((chosen + by + entries.length) % entries.length)
    else if (event.key === 'Enter') run(entries[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Modal opened onClose={onClose} title={t`Go to`} size="lg">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t`Brand, post, day or action`}
        placeholder={t`Brand, post, day or action`}
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-activedescendant={entries[chosen] ? `${list}-${chosen}` : undefined}
        aria-autocomplete="list"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label={t`Go to`} className={classes.list} tabIndex={-1}>
        {[...Map.groupBy(entries, ({ group }) => group)].map(([group, some]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options of a listbox
          <div key={group} role="group" aria-label={group}>
            <div className={classes.group} aria-hidden>
              {group}
            </div>
            {some.map((entry) => {
              const place = entries.indexOf(entry)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field above
                <div
                  key={entry.key}
                  id={`${list}-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === chosen}
                  className={classes.entry}
                  ref={place === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
                  onClick={() => run(entry)}
                >
                  <span className={classes.text}>{entry.shown ?? entry.text}</span>
                  {entry.hint}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {entries.length === 0 && !isSearching && (
        <Text size="sm" p="xs" role="status">
          <Trans>Nothing is found.</Trans>
        </Text>
      )}
    </Modal>
  )
}

/** When a post is due, and of which brand it is where there are several. */
function PostHint({ time, brand }: { time: string; brand: SocialSet | null }) {
  return (
    <span className={classes.hint}>
      {brand && <BrandName brand={brand} small />}
      <span className={classes.time}>{time}</span>
    </span>
  )
}

function useEntries(text: string): { entries: Entry[]; isSearching: boolean } {
  const navigate = useNavigate()
  const preferences = usePreferences()
  const mayWrite = useMay('post-sets:write')
  const shortcuts = useRegisteredShortcuts()
  const sections = useSections()
  const { socialSet, sets = [] } = useSocialSet()
  const wanted = text.trim()
  const [searched] = useDebouncedValue(wanted, TYPED_MS)
  const all = useAllBrands()
  const viewer = useViewerZone()
  /** What is looked at, in an address: a brand, or all of them. */
  const here: { set?: string } = all || !socialSet ? {} : { set: socialSet.id }
  const zone = all ? viewer : (socialSet?.timezone ?? 'UTC')
  const waits = wanted !== searched
  useEffect(() => (waits ? holdRest() : undefined), [waits])
  const { data: found, isFetching } = useQuery({
    queryKey: queryKeys.postSets.list({ found: searched }),
    queryFn: ({ signal }) => call('GET /calendar/found', { query: { 'filters[search]': searched }, signal }),
    enabled: [...searched].length >= LIMITS.searchCodePoints,
  })
  const toCalendar = (search: { set?: string; date?: string; post?: string }) =>
    void navigate({ to: '/scheduling/calendar/$view', params: { view: 'month' }, search })
  const day = typedDay(wanted, today(zone), monthNames(preferences.locale ?? undefined))
  const days: Entry[] = day
    ? [
        {
          key: 'day',
          group: t`Days`,
          text: new Intl.DateTimeFormat(preferences.locale ?? undefined, {
            dateStyle: 'full',
            timeZone: 'UTC',
          }).format(day.toZonedDateTime('UTC').epochMilliseconds),
          run: () => toCalendar({ ...here, date: day.toString() }),
        },
      ]
    : []
  const posts = (waits ? [] : (found?.data ?? [])).slice(0, MOST).flatMap((card): Entry[] => {
    // One that is not known yet was made since.
    const brand = sets.find(({ id }) => id === card.socialSetId)
    if (!brand) return []
    const { id: post, scheduledAt } = card
    const time = formatDateTime(scheduledAt, all ? viewer : brand.timezone, preferences)
    // A day keeps all brands in sight; without one, a post is opened in its own.
    const place = all ? { date: dayOf(scheduledAt, viewer) } : { set: brand.id }
    return [
      {
        key: post,
        group: t`Posts`,
        text: nameOf(card),
        hint: <PostHint time={time} brand={sets.length > 1 ? brand : null} />,
        run: () => toCalendar({ ...place, post }),
      },
    ]
  })
  const brands = sets.map(
    (set): Entry => ({
      key: set.id,
      group: t`Brands`,
      text: set.name,
      shown: <BrandName brand={set} small />,
      run: () => {
        chooseSocialSet(set.id)
        toCalendar({ set: set.id })
      },
    }),
  )
  const actions: Entry[] = [
    ...(mayWrite
      ? [{ key: 'new', group: t`Actions`, text: t`New post`, run: () => toCalendar({ ...here, post: 'new' }) }]
      : []),
    ...ENTRIES.map(
      ({ to, params, label }): Entry => ({
        key: to,
        group: t`Actions`,
        text: i18n._(label),
        run: () => void navigate({ to, params } as Parameters<typeof navigate>[0]),
      }),
    ),
    // What letters do on this screen; others are about what has the focus.
    ...shortcuts
      .filter(({ keys }) => /^[a-z0-9?]$/.test(keys))
      .map(
        ({ keys, label, run }): Entry => ({
          key: `${keys} ${label}`,
          group: t`Actions`,
          text: label,
          hint: keyNames(keys).map((name) => <Kbd key={name}>{name}</Kbd>),
          run: () => run(new window.KeyboardEvent('keydown', { key: keys })),
        }),
      ),
  ]
  // Once they are asked for: all of them would be most of the list.
  const settings = wanted === '' ? [] : sections
  for (const { to, label } of settings) {
    const hint = <span className={classes.hint}>{t`Settings`}</span>
    actions.push({ key: to, group: t`Actions`, text: i18n._(label), hint, run: () => void navigate({ to }) })
  }
  const words = wanted.toLocaleLowerCase()
  const named = (some: Entry[]) => some.filter(({ text }) => text.toLocaleLowerCase().includes(words))
  const some = named(actions).slice(0, words === '' ? MOST + 3 : MOST)
  return { entries: [...days, ...named(brands).slice(0, MOST), ...posts, ...some], isSearching: waits || isFetching }
}
