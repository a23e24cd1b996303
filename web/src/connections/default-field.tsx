import { Radio, Select, Stack, TextInput } from '@mantine/core'
import type { ConnectionDefaults } from '#contract'
import { words } from '../design/words.ts'

type Field = ConnectionDefaults['fields'][number]
export type DefaultValue = string | boolean | null

// Nobody knows what a network does with what was not chosen: a switch would say that it is off.
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** More values than these are chosen from a list that can be searched. */
const MANY = 4

interface DefaultFieldProps {
  field: Field
  value: DefaultValue
  error: string | null
  onChange: (value: DefaultValue) => void
}

/** One publishing default, by its schema and by what the network offers. */
export function DefaultField({ field, value, error, onChange }: DefaultFieldProps) {
  const { title, description, required, schema } = field
  const label = required ? title : `${title} (optional)`
  const common = { label, description, error, required, withAsterisk: false }
  const choices = choicesOf(field)
  if (choices) {
    return (
      <Select
        {...common}
        data={choices}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
        searchable={choices.length > MANY}
        clearable={!required}
        placeholder={required ? 'Choose' : 'Not chosen'}
        nothingFoundMessage="Nothing is called that"
        checkIconPosition="right"
        clearButtonProps={{ 'aria-label': `Clear ${title}` }}
      />
    )
  }
  if (schema.type === 'boolean' && required) return <YesOrNo {...common} value={value} onChange={onChange} />
  if (schema.type === 'boolean') {
    return (
      <Select
        {...common}
        data={YES_OR_NO}
        value={value === null ? null : String(value)}
        onChange={(chosen) => onChange(chosen === null ? null : chosen === 'true')}
        clearable
        placeholder="Not chosen"
        checkIconPosition="right"
        clearButtonProps={{ 'aria-label': `Clear ${title}` }}
      />
    )
  }
  return (
    <TextInput
      {...common}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value.trim() === '' ? null : event.currentTarget.value)}
      autoComplete="off"
    />
  )
}

/** For what must be chosen: neither is, before somebody does. */
function YesOrNo({ value, onChange, ...common }: YesOrNoProps) {
  return (
    <Radio.Group
      {...common}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === 'true')}
    >
      <Stack gap="xs" mt="xs">
        {YES_OR_NO.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface YesOrNoProps {
  label: string
  description: string
  error: string | null
  required: boolean
  withAsterisk: boolean
  value: DefaultValue
  onChange: (value: DefaultValue) => void
}

function choicesOf({ options, schema }: Field): { value: string; label: string }[] | null {
  if (options) return options.map(({ value, title }) => ({ value, label: title }))
  const named = Array.isArray(schema.enum) ? schema.enum.filter((value) => typeof value === 'string') : []
  return named.length > 0 ? named.map((value) => ({ value, label: words(value) })) : null
}
