import { t } from '@lingui/core/macro'
import { Radio, Select, Stack, TextInput } from '@mantine/core'
import type { AccountType, ConnectionDefaults } from '#contract'
import { byLabel } from '../design/by-label.ts'
import { words } from '../design/words.ts'
import { wordsOfOption } from '../language/server-words.ts'
import { languageChoices } from '../planning/posts/languages.ts'

type Field = ConnectionDefaults['fields'][number]
export type DefaultValue = string | boolean | null

// It is not known what a network does with what was not chosen: a switch would say that it is off.
const yesOrNo = () => [
  { value: 'true', label: t`Yes` },
  { value: 'false', label: t`No` },
]

/** More values than these are chosen from a list that can be searched. */
const MANY = 4

interface DefaultFieldProps {
  id: string
  accountType: AccountType
  field: Field
  value: DefaultValue
  error: string | null
  onChange: (value: DefaultValue) => void
}

/** One publishing default, by its schema and by what the network offers. */
export function DefaultField({ id, accountType, field: read, value, error, onChange }: DefaultFieldProps) {
  const field = wordsOfOption(accountType, read)
  const { title, description, required, schema } = field
  const label = required ? title : t`${title} (optional)`
  const common = { id, label, description, error, required, withAsterisk: false }
  const choices = choicesOf(field, typeof value === 'string' ? value : null)
  if (choices) {
    return (
      <Select
        {...common}
        data={choices}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
        searchable={choices.length > MANY}
        filter={byLabel}
        clearable={!required}
        placeholder={required ? t`Choose` : t`Not chosen`}
        nothingFoundMessage={t`No option has this name`}
        checkIconPosition="right"
        clearButtonProps={{ 'aria-label': t`Clear ${title}` }}
      />
    )
  }
  if (schema.type === 'boolean' && required) return <YesOrNo {...common} value={value} onChange={onChange} />
  if (schema.type === 'boolean') {
    return (
      <Select
        {...common}
        data={yesOrNo()}
        value={value === null ? null : String(value)}
        onChange={(chosen) => onChange(chosen === null ? null : chosen === 'true')}
        clearable
        placeholder={t`Not chosen`}
        checkIconPosition="right"
        clearButtonProps={{ 'aria-label': t`Clear ${title}` }}
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

/** For what must be chosen: at first neither is. */
function YesOrNo({ value, onChange, ...common }: YesOrNoProps) {
  return (
    <Radio.Group
      {...common}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === 'true')}
    >
      <Stack gap="xs" mt="xs">
        {yesOrNo().map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface YesOrNoProps {
  id: string
  label: string
  description: string
  error: string | null
  required: boolean
  withAsterisk: boolean
  value: DefaultValue
  onChange: (value: DefaultValue) => void
}

function choicesOf({ options, schema, picker }: Field, chosen: string | null) {
  if (picker === 'language') return languageChoices(chosen).map(({ value, title }) => ({ value, label: title }))
  if (options) return options.map(({ value, title }) => ({ value, label: title }))
  const named = Array.isArray(schema.enum) ? schema.enum.filter((value) => typeof value === 'string') : []
  return named.length > 0 ? named.map((value) => ({ value, label: words(value) })) : null
}
