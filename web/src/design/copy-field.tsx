import { t } from '@lingui/core/macro'
import { Group, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

/** A text to take along, with a button that copies it. Without a clipboard it is marked by a click, to be copied by hand. */
export function CopyField({ label, description, value, copyLabel = t`Copy`, focused = false }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        ref={field}
        data-autofocus={focused || undefined}
        flex={1}
        miw={0}
        label={label}
        description={description}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <CopyButton text={value} label={copyLabel} />
    </Group>
  )
}

interface CopyFieldProps {
  label: string
  description?: string
  value: string
  copyLabel?: string
  /** Takes the focus when it appears. */
  focused?: boolean
}
