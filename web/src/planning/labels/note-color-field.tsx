import { ColorSwatch, Group, Radio, SimpleGrid } from '@mantine/core'
import type { NoteColor } from '#contract'
import { NOTE_COLOR_NAMES, NOTE_COLORS } from './note-colors.ts'

interface NoteColorFieldProps {
  label: string
  value: NoteColor
  disabled?: boolean
  onChange: (color: NoteColor) => void
}

/** The nine colors of notes, one of which is chosen. */
export function NoteColorField({ label, value, disabled = false, onChange }: NoteColorFieldProps) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => onChange(NOTE_COLORS.find((hex) => hex === chosen) ?? value)}
      readOnly={disabled}
    >
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" verticalSpacing="xs" mt={4}>
        {NOTE_COLORS.map((hex) => (
          <Radio
            key={hex}
            value={hex}
            disabled={disabled}
            label={
              <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
                <ColorSwatch component="span" color={hex} size={16} withShadow aria-hidden />
                {NOTE_COLOR_NAMES[hex]}
              </Group>
            }
          />
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
