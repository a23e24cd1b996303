import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Center, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { askServer, isReachable, onReachable } from '../api/reachable.ts'
import { messageOf, requestIdOf } from './error-text.ts'
import { OfflineWords, useOnline } from './offline.tsx'
import { useSlow } from './use-slow.ts'

/** Grey rows in the place of a list that is being read. Nothing for the first moment: most lists are there by then. */
export function LoadingRows({ rows = 4, height = 48, label = t`Loading…` }: LoadingRowsProps) {
  const slow = useSlow()
  return (
    <div role="status">
      {slow && (
        <Stack gap="sm">
          <VisuallyHidden>{label}</VisuallyHidden>
          {Array.from({ length: rows }, (_, row) => row).map((row) => (
            <Skeleton key={row} height={height} aria-hidden />
          ))}
        </Stack>
      )}
    </div>
  )
}

interface LoadingRowsProps {
  rows?: number
  /** Pixels of a row. */
  height?: number
  /** What a screen reader says. */
  label?: string
}

/** The place of a list with nothing in it: one sentence, and the one thing to do about it. */
export function EmptyState({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="md" maw={440}>
        {icon && <Text c="dimmed">{icon}</Text>}
        <Text ta="center">{children}</Text>
        {action}
      </Stack>
    </Center>
  )
}

/** What could not be shown, why, the request's id, and another try. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const requestId = requestIdOf(error)
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={title ?? t`This could not be loaded`}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text>{messageOf(error)}</Text>
        {requestId && (
          <Text size="sm">
            <Trans>
              Request <code>{requestId}</code>
            </Trans>
          </Text>
        )}
        {onRetry && (
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            <Trans>Retry</Trans>
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

interface ErrorStateProps {
  /** "The labels could not be loaded". */
  title?: string
  error: unknown
  onRetry?: () => void
}

/** Says that this computer has no network, or that the server does not answer, while it is so; to a screen reader too. */
export function OfflineBanner() {
  useAskWhenOnline()
  return (
    <div role="status">
      <OfflineLine />
    </div>
  )
}

/** Asks the server as soon as this computer has a network again. */
export function useAskWhenOnline(): void {
  useEffect(() => {
    window.addEventListener('online', askServer)
    return () => window.removeEventListener('online', askServer)
  }, [])
}

/** The same for the eyes alone, where something lies over the banner. */
export function OfflineLine() {
  const online = useOnline()
  const reachable = useSyncExternalStore(onReachable, isReachable)
  if (online && reachable) return null
  return (
    <Group
      wrap="nowrap"
      gap="xs"
      px="md"
      py={6}
      bg="var(--mantine-color-yellow-light)"
      c="var(--mantine-color-yellow-light-color)"
    >
      <IconCloudOff size={18} style={{ flex: 'none' }} aria-hidden />
      <Text size="sm">
        <OfflineWords online={online} />
      </Text>
    </Group>
  )
}
