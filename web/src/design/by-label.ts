import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import { has } from './searched.ts'

/** The options of a select that have what is typed. */
export const byLabel: OptionsFilter = ({ options, search, limit }) =>
  options
    .filter((option): option is ComboboxItem => 'label' in option && has(option.label, search.trim()))
    .slice(0, limit)
