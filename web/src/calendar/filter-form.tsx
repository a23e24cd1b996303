import '../design/more-styles.ts'
import { useLingui } from '@lingui/react/macro'
import { Checkbox, ColorSwatch, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CardState } from '#contract'
import { isNetwork, NetworkIcon, networkName } from '../design/network-icon.tsx'
import { useLabels } from '../planning/labels/labels-query.ts'
import { CARD_STATES, STATE_WORDS } from '../planning/posts/card-words.ts'
import classes from './calendar.module.css'
import { authorsQuery } from './calendar-query.ts'
import type { FilterProps } from './filters.ts'
import { StateIcon } from './state-icon.tsx'

/** What went wrong comes first: it is looked for most. */
const WRONG: readonly CardState[] = ['failed', 'partly-published']
const STATES = [...WRONG, ...CARD_STATES.filter((state) => !WRONG.includes(state))]

/** Everything that the calendar can be narrowed to. */
export function FilterForm({ socialSet, filters, onChange }: FilterProps) {
  const { t } = useLingui()
  const labels = useLabels()
  const { data: authors = [] } = useQuery(authorsQuery(socialSet.id))
  const connected = [...new Set(socialSet.accounts.map(({ type }) => type))]
  const networks = [...new Set([...connected, ...filters.networks.filter(isNetwork)])]
  return (
    <Stack gap="md" pe="sm">
      <Checkbox
        label={t`Needs me`}
        checked={filters.needsMe}
        onChange={({ currentTarget: { checked } }) => onChange({ ...filters, needsMe: checked })}
        data-autofocus
      />
      <Choices
        title={t`Status`}
        values={STATES.map((value) => ({
          value,
          label: STATE_WORDS[value],
          sign: <StateIcon state={value} />,
        }))}
        chosen={filters.states}
        onChange={(chosen) => onChange({ ...filters, states: chosen as CardState[] })}
      />
      <Choices
        title={t`Network`}
        values={networks.map((value) => ({
          value,
          label: networkName(value),
          sign: <NetworkIcon accountType={value} size={14} decorative />,
        }))}
        chosen={filters.networks}
        onChange={(chosen) => onChange({ ...filters, networks: chosen })}
      />
      <Choices
        title={t`Label`}
        values={[...labels.values()].map(({ id, name, color }) => ({
          value: id,
          label: name,
          sign: <ColorSwatch component="span" size={12} color={color ?? 'var(--mantine-color-gray-6)'} aria-hidden />,
        }))}
        chosen={filters.labelIds}
        onChange={(chosen) => onChange({ ...filters, labelIds: chosen })}
      />
      <Choices
        title={t`Author`}
        values={authors.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={filters.authorIds}
        onChange={(chosen) => onChange({ ...filters, authorIds: chosen })}
      />
    </Stack>
  )
}

interface ChoicesProps {
  title: string
  values: { value: string; label: string; sign?: ReactNode }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function Choices({ title, values, chosen, onChange }: ChoicesProps) {
  if (values.length === 0) return null
  return (
    <Checkbox.Group label={title} value={[...chosen]} onChange={onChange}>
      <Stack gap={6} mt={6}>
        {values.map(({ value, label, sign }) => (
          <Checkbox
            key={value}
            size="sm"
            value={value}
            label={
              sign ? (
                <span className={classes.signed}>
                  {sign} {label}
                </span>
              ) : (
                label
              )
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
