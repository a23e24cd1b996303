import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ProblemEntry } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { count } from '../design/words.ts'

/** Everything that the check says, with the network that says it. */
export function ProblemList({
  problems,
  warnings,
}: {
  problems: readonly ProblemEntry[]
  warnings: readonly ProblemEntry[]
}) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <Alert
          color="red"
          mb="xs"
          icon={<IconAlertTriangle aria-hidden />}
          title={`${count(problems.length, 'thing')} to put right before this can be scheduled`}
        >
          <Entries entries={problems} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title="Worth knowing">
          <Entries entries={warnings} />
        </Alert>
      )}
    </div>
  )
}

function Entries({ entries }: { entries: readonly ProblemEntry[] }) {
  return (
    <List size="sm" spacing={4}>
      {entries.map(({ code, message, path, accountType }) => (
        <List.Item key={`${path} ${code} ${message}`}>
          {accountType && (
            <Text span fw={600}>
              {networkName(accountType)}:{' '}
            </Text>
          )}
          {message}
        </List.Item>
      ))}
    </List>
  )
}
