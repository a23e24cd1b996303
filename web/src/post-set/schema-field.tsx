import { useLingui } from '@lingui/react/macro'
import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { Picker } from '#contract'
import { words } from '../design/words.ts'
import classes from './composer.module.css'

/** Of fields side by side, labels are in one line, and what they are of in another. */
export const BESIDE = ['label', 'input', 'description', 'error'] as const

interface SchemaFieldProps {
  label: string
  description?: string
  required?: boolean
  /** JSON Schema of the value. */
  schema: Record<string, unknown>
  /** How it is written, where the schema does not say. */
  picker?: Picker | null
  value: unknown
  error?: string | null
  /** What an empty choice means, such as "Same as default"; without it something is always chosen. */
  empty?: string
  /** Names of the values of an enum. */
  titles?: Readonly<Record<string, string>>
  /** Null: nothing is chosen. */
  onChange: (value: unknown) => void
}

/** A field for one value, made from its schema: choices, yes or no, numbers, lists of handles, texts. */
export function SchemaField(props: SchemaFieldProps) {
  const { label, description, required = false, value, error = null, empty, titles, onChange } = props
  const { t } = useLingui()
  const schema = requiredSchema(props.schema)
  const common = {
    ...{ label, error, size: 'sm', withAsterisk: required, inputWrapperOrder: [...BESIDE] },
    ...(description ? { description } : {}),
  } as const
  const choices = Array.isArray(schema.enum)
    ? schema.enum.map((option) => ({ value: String(option), label: titles?.[String(option)] ?? words(String(option)) }))
    : schema.type === 'boolean'
      ? [
          { value: 'true', label: t`Yes` },
          { value: 'false', label: t`No` },
        ]
      : null
  if (choices) {
    const read = (text: string) => (text === '' ? null : schema.type === 'boolean' ? text === 'true' : text)
    return (
      <NativeSelect
        {...common}
        value={value === null || value === undefined ? '' : String(value)}
        data={[...(empty === undefined ? [] : [{ value: '', label: empty }]), ...choices]}
        onChange={(event) => onChange(read(event.currentTarget.value))}
      />
    )
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' ? value : ''}
        min={typeof schema.minimum === 'number' ? schema.minimum : 0}
        onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      />
    )
  }
  if (props.picker === 'lines') {
    return (
      <Textarea
        {...common}
        className={classes.lines}
        dir="auto"
        autosize
        minRows={2}
        maxRows={8}
        value={String(value ?? '')}
        onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? null : text)}
      />
    )
  }
  const list = schema.type === 'array'
  // Of what is always there, an empty text is an empty text.
  const isNullable = schema !== props.schema || empty !== undefined
  return (
    <TextInput
      {...common}
      dir="auto"
      {...(empty === undefined ? {} : { placeholder: empty })}
      value={list ? (Array.isArray(value) ? value.join(', ') : '') : String(value ?? '')}
      onChange={({ currentTarget: { value: text } }) =>
        onChange(list ? handlesOf(text) : text === '' && isNullable ? null : text)
      }
    />
  )
}

/** Of a schema that may be null, the other part. */
function requiredSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const parts = schema.anyOf
  if (!Array.isArray(parts)) return schema
  return (parts as Record<string, unknown>[]).find(({ type }) => type !== 'null') ?? schema
}

/** "anna, @ben" -> anna and ben. A comma at the end is one that is written on behind. */
function handlesOf(text: string): string[] {
  const handles = text.split(',').map((part) => part.trim().replace(/^@/, ''))
  return handles.filter((handle, index) => handle !== '' || (index > 0 && index === handles.length - 1))
}

/** Nothing was written or chosen. */
export function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
