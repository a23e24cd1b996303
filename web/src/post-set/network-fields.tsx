import { NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import type { NetworkDescription } from '#contract'
import { words } from '../design/words.ts'
import { type DraftPost, writtenFields } from './draft.ts'

interface NetworkFieldsProps {
  network: NetworkDescription
  post: DraftPost
  /** The kind of post that the files lead to, or that was chosen. */
  type: string | null
  errorAt: (field: string) => string | null
  onChange: (change: Partial<DraftPost>) => void
}

/** The fields that only this network has, made from what the server says of it. */
export function NetworkFields({ network, post, type, errorAt, onChange }: NetworkFieldsProps) {
  const set = (name: string, value: unknown) =>
    onChange({ fields: { ...post.fields, [name]: value }, ...(name === 'type' ? { typeChosen: true } : {}) })
  return (
    <Stack gap="sm">
      {writtenFields(network).map(({ name, required, schema }) => (
        <NetworkField
          key={name}
          name={name}
          required={required}
          schema={schema}
          value={name === 'type' ? type : post.fields[name]}
          error={errorAt(name)}
          onChange={(value) => set(name, value)}
        />
      ))}
    </Stack>
  )
}

interface NetworkFieldProps {
  name: string
  required: boolean
  schema: Record<string, unknown>
  value: unknown
  error: string | null
  onChange: (value: unknown) => void
}

function NetworkField({ name, required, schema, value, error, onChange }: NetworkFieldProps) {
  const one = requiredSchema(schema)
  const common = { label: FIELD_LABELS[name] ?? words(name), error, withAsterisk: required }
  const description = FIELD_HINTS[name]
  const described = description ? { description } : {}
  if (Array.isArray(one.enum)) {
    return (
      <NativeSelect
        {...common}
        {...described}
        value={String(value ?? '')}
        data={one.enum.map((option) => ({ value: String(option), label: words(String(option)) }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  if (one.type === 'number' || one.type === 'integer') {
    return (
      <NumberInput
        {...common}
        {...described}
        value={typeof value === 'number' ? value : ''}
        min={0}
        onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      />
    )
  }
  const list = one.type === 'array'
  return (
    <TextInput
      {...common}
      {...described}
      value={list ? (Array.isArray(value) ? value.join(', ') : '') : String(value ?? '')}
      onChange={(event) =>
        onChange(list ? handlesOf(event.currentTarget.value) : textOrNull(event.currentTarget.value, required))
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

/** "anna, @ben" -> anna and ben. A comma at the end is one that somebody goes on behind. */
function handlesOf(text: string): string[] {
  const handles = text.split(',').map((part) => part.trim().replace(/^@/, ''))
  return handles.filter((handle, index) => handle !== '' || (index > 0 && index === handles.length - 1))
}

function textOrNull(text: string, required: boolean): string | null {
  return text === '' && !required ? null : text
}

const FIELD_LABELS: Record<string, string> = {
  type: 'Kind of post',
  firstComment: 'First comment',
  audioName: 'Name of the sound',
  videoCoverImage: 'Cover image',
  videoCoverImageSeconds: 'Cover image',
  ctaType: 'Button',
  ctaUrl: 'Address of the button',
  website: 'Link',
  privacy: 'Who can see it',
}

const FIELD_HINTS: Record<string, string> = {
  collaborators: 'Handles, separated by commas.',
  videoCoverImage: 'Seconds into the first video.',
  videoCoverImageSeconds: 'Seconds into the video.',
}
