import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Popover, Text, TextInput } from '@mantine/core'
import { IconFilter, IconSearch, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useState } from 'react'
import { lazyWithWords } from '../api/code.ts'
import { isNetwork, networkName } from '../design/network-icon.tsx'
import { Part } from '../design/part.tsx'
import { LoadingRows } from '../design/states.tsx'
import { useTyped } from '../design/use-typed.ts'
import { useLabels } from '../planning/labels/labels-query.ts'
import { STATE_WORDS } from '../planning/posts/card-words.ts'
import classes from './calendar.module.css'
import { authorsQuery } from './calendar-query.ts'
import { countFilters, type FilterProps, NO_FILTERS } from './filters.ts'

const FilterForm = lazyWithWords(() => import('./filter-form.tsx').then(({ FilterForm }) => ({ default: FilterForm })))

export const FILTERS_ID = 'calendar-filters'

/** What the key for the search leads to. */
type SearchRef = RefObject<HTMLElement | null>

/** The field to search in, and the button that opens all filters; where there is little room two signs that open them. */
export function FilterTools({
  socialSet,
  filters,
  onChange,
  searchRef,
  cleared,
  small,
}: FilterProps & { searchRef: SearchRef; cleared: number; small: boolean }) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  const number = countFilters(filters)
  const name = number > 0 ? t`Filters (${number})` : t`Filters`
  const toggle = () => setOpened((shown) => !shown)
  // What was typed and not asked for yet goes with the filters.
  const field = <SearchField key={cleared} filters={filters} onChange={onChange} searchRef={small ? null : searchRef} />
  return (
    <search id={FILTERS_ID} tabIndex={-1} className={classes.filters} aria-label={t`Search and filters`}>
      {small ? <SearchSign searchRef={searchRef}>{field}</SearchSign> : field}
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={300}
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          {small ? (
            <ActionIcon variant={number > 0 ? 'light' : 'subtle'} aria-label={name} title={name} onClick={toggle}>
              <IconFilter size={20} aria-hidden />
            </ActionIcon>
          ) : (
            <Button
              variant="subtle"
              color="gray"
              className={classes.quiet}
              leftSection={<IconFilter size={16} aria-hidden />}
              onClick={toggle}
            >
              {name}
            </Button>
          )}
        </Popover.Target>
        <Popover.Dropdown aria-label={t`Filters`}>
          <div className={classes.filterForm}>
            <Part fallback={<LoadingRows rows={6} height={24} />}>
              <FilterForm socialSet={socialSet} filters={filters} onChange={onChange} />
            </Part>
          </div>
        </Popover.Dropdown>
      </Popover>
    </search>
  )
}

/** Opens the field on narrow screens. What is typed into it stays when it closes. */
function SearchSign({ searchRef, children }: { searchRef: SearchRef; children: ReactNode }) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      withinPortal
      keepMounted
    >
      <Popover.Target>
        <ActionIcon
          ref={(sign) => {
            searchRef.current = sign
          }}
          aria-label={t`Search posts`}
          title={t`Search posts`}
          onClick={() => setOpened((shown) => !shown)}
        >
          <IconSearch size={20} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Search posts`}>{children}</Popover.Dropdown>
    </Popover>
  )
}

function SearchField({
  filters,
  onChange,
  searchRef,
}: Omit<FilterProps, 'socialSet'> & { searchRef: SearchRef | null }) {
  const { t } = useLingui()
  const [text, setText] = useTyped(filters.text, (text) => onChange({ ...filters, text }))
  return (
    <TextInput
      ref={(field) => {
        if (searchRef) searchRef.current = field
      }}
      type="search"
      className={classes.search}
      aria-label={t`Search posts`}
      placeholder={t`Search`}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget: { value } }) => setText(value)}
    />
  )
}

/** What is filtered by, each with a button that ends it. Nothing while nothing is. */
export function FilterChips({ socialSet, filters, onChange }: FilterProps) {
  const { t } = useLingui()
  const titleId = useId()
  const labels = useLabels()
  const { data: authors = [] } = useQuery({ ...authorsQuery(socialSet.id), enabled: filters.authorIds.length > 0 })
  const without = (list: readonly string[], value: string) => list.filter((other) => other !== value)
  if (countFilters(filters) === 0) return null
  const labelText = (name: string | undefined) => (name === undefined ? t`Label that is gone` : t`Label ${name}`)
  const authorText = (name: string | undefined) => (name === undefined ? t`By an unknown author` : t`By ${name}`)
  const chips = [
    ...(filters.needsMe ? [{ key: 'me', text: t`Needs me`, left: { ...filters, needsMe: false } }] : []),
    ...filters.networks.map((value) => ({
      key: value,
      text: isNetwork(value) ? networkName(value) : value,
      left: { ...filters, networks: without(filters.networks, value) },
    })),
    ...filters.states.map((value) => ({
      key: value,
      text: STATE_WORDS[value],
      left: { ...filters, states: filters.states.filter((other) => other !== value) },
    })),
    ...filters.labelIds.map((value) => ({
      key: value,
      text: labelText(labels.get(value)?.name),
      left: { ...filters, labelIds: without(filters.labelIds, value) },
    })),
    ...filters.authorIds.map((value) => ({
      key: value,
      text: authorText(authors.find(({ id }) => id === value)?.name),
      left: { ...filters, authorIds: without(filters.authorIds, value) },
    })),
    ...(filters.text ? [{ key: 'text', text: `“${filters.text}”`, left: { ...filters, text: '' } }] : []),
  ]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className={classes.chips} role="group" aria-labelledby={titleId}>
      <Text size="sm" id={titleId}>
        <Trans>Filtered by</Trans>
      </Text>
      {chips.map(({ key, text, left }) => (
        <Button
          key={key}
          size="compact-sm"
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={t`Remove filter ${text}`}
          onClick={() => onChange(left)}
        >
          {text}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange(NO_FILTERS)}>
        <Trans>Clear filters</Trans>
      </Button>
    </div>
  )
}
