import { Trans } from '@lingui/react/macro'
import { Button, Fieldset, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import classes from './composer.module.css'

interface TrackFieldProps {
  label: string
  error: string | null
  onRemove: () => void
}

/** A track of the network that a program chose, by a number: a person can take it out. */
export function TrackField({ label, error, onRemove }: TrackFieldProps) {
  return (
    <Fieldset legend={label} variant="unstyled" className={classes.track}>
      <Text size="sm">
        <Trans>A track of the network</Trans>
      </Text>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={({ currentTarget }) => {
          // The field goes away, and the button with it.
          currentTarget.closest('section')?.querySelector<HTMLElement>('select, input, textarea')?.focus()
          onRemove()
        }}
      >
        <Trans>Remove the track</Trans>
      </Button>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" w="100%">
          {error}
        </Text>
      )}
    </Fieldset>
  )
}
