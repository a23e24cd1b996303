import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'

/** That an agent brought something, by the key of that name; nothing of what others brought. */
export function AgentLine({ agent }: { agent: string | null | undefined }) {
  if (!agent) return null
  return (
    <Text size="sm" c="dimmed">
      <Trans>Agent, by the key “{agent}”</Trans>
    </Text>
  )
}
