import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Group, Text } from '@mantine/core'

interface KeptNoticeProps {
  kept: 'none' | 'restored' | 'older'
  changed: boolean
  onUse: () => void
  onDiscard: () => void
}

/** Offers what was written here before and never saved. */
export function KeptNotice({ kept, changed, onUse, onDiscard }: KeptNoticeProps) {
  const { t } = useLingui()
  if (kept === 'none' || (kept === 'restored' && !changed)) return null
  const older = kept === 'older'
  return (
    <Alert role="status" color="blue" p="sm" title={t`What you wrote before was kept`}>
      <Group justify="space-between">
        <Text size="sm">
          {older ? <Trans>You see the post as it is now.</Trans> : <Trans>It is not saved yet.</Trans>}
        </Text>
        <Group gap="xs">
          {older && (
            <Button variant="default" size="compact-sm" onClick={onUse}>
              <Trans>Use what I wrote</Trans>
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={onDiscard}>
            <Trans>Discard it</Trans>
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
