import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface StepProps {
  /** 1 to 3; null where there is one step only. */
  number: 1 | 2 | 3 | null
  title: string
  children: ReactNode
}

/** One step of connecting: signing in, choosing the account, choosing its defaults. */
export function Step({ number, title, children }: StepProps) {
  return (
    <Stack>
      <div>
        {number !== null && (
          <Text size="sm" c="dimmed">
            <Trans>Step {number} of 3</Trans>
          </Text>
        )}
        <Text fw={600}>{title}</Text>
      </div>
      {children}
    </Stack>
  )
}
