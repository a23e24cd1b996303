import { t } from '@lingui/core/macro'
import { type ComboboxItem, Select } from '@mantine/core'
import { useState } from 'react'
import { timezoneOptions } from './zone-names.ts'

interface ZoneSelectProps {
  label: string
  description: string
  value: string
  onChange: (zone: string) => void
  /** The zone that is among the choices, under any of its names; the value unless given. */
  zone?: string
  /** A choice before the zones. */
  first?: ComboboxItem
  error?: string | undefined
}

const SHOWN = 60

/** Chooses a timezone by its name, also as programs write it, with its distance from UTC now. */
export function ZoneSelect({ label, description, value, onChange, zone = value, first, error }: ZoneSelectProps) {
  const [open, setOpen] = useState(false)
  const zones = timezoneOptions(zone)
  return (
    <Select
      label={label}
      description={description}
      data={first ? [first, ...zones] : zones}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
      searchable
      allowDeselect={false}
      limit={SHOWN}
      filter={({ options, search, limit }) =>
        options.filter((option) => 'label' in option && plain(option.label).includes(plain(search))).slice(0, limit)
      }
      nothingFoundMessage={t`No time zone of that name. Try the nearest large city.`}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onKeyDown={(event) => {
        // What is typed is chosen by it, or is none: the form is not sent with what stood there before.
        if (open && event.key === 'Enter') event.preventDefault()
      }}
      error={error}
    />
  )
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('_', ' ').trim()
}
