import { Trans } from '@lingui/react/macro'
import { Input, Text } from '@mantine/core'
import { type CSSProperties, useId } from 'react'
import { LABEL_COLORS, labelColorName } from '../../design/label-colors.ts'
import classes from './label-colors.module.css'

const styleOf = (color: string | null) => (color === null ? {} : ({ '--label-color': color } as CSSProperties))

/** The color of a label, as a dot. Its name stands beside it wherever it means something. */
export function LabelMark({ color }: { color: string | null }) {
  return (
    <span className={classes.mark} style={styleOf(color)} data-none={color === null || undefined} aria-hidden="true" />
  )
}

interface ColorChoiceProps {
  value: string | null
  /** The color that the label has, offered too where it is none of ours. */
  present?: string | null
  /** It may have none. */
  none?: boolean
  onChange: (color: string | null) => void
}

/** Asks for one of our colors, or none where it may have none. */
export function ColorChoice({ value, present = null, none = true, onChange }: ColorChoiceProps) {
  const name = useId()
  const own = present !== null && !LABEL_COLORS.some((color) => color === present) ? [present] : []
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Input.Label component="legend" p={0}>
        <Trans>Color</Trans>{' '}
        <Text span c="dimmed" size="sm">
          {labelColorName(value)}
        </Text>
      </Input.Label>
      <div className={classes.options}>
        {[...(none ? [null] : []), ...LABEL_COLORS, ...own].map((color) => (
          <input
            key={color ?? 'none'}
            type="radio"
            name={name}
            className={classes.option}
            style={styleOf(color)}
            data-none={color === null || undefined}
            aria-label={labelColorName(color)}
            title={labelColorName(color)}
            checked={value === color}
            onChange={() => onChange(color)}
          />
        ))}
      </div>
    </fieldset>
  )
}
