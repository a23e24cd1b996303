import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey, ApiKeyCalls } from '#contract'
import { Modal } from '../design/dialogs.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { bytesText } from '../planning/files/bytes-text.ts'
import { keyCallsQuery } from './api-keys-requests.ts'

/** The tools that the agent of a key has called lately, and what of its budget is used. */
export function KeyCallsDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const wide = useIsWide()
  const { data, error, isPending, refetch } = useQuery(keyCallsQuery(id))
  return (
    <Modal opened onClose={onClose} title={t`Last calls of “${name}”`} size="lg" fullScreen={!wide}>
      {isPending ? (
        <LoadingRows />
      ) : data ? (
        <Stack>
          {data.today && <Today {...data.today} />}
          <Calls calls={data.data} />
        </Stack>
      ) : (
        <ErrorState title={t`The calls could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
    </Modal>
  )
}

function Today({ postSets, uploadBytes, freeAt }: NonNullable<ApiKeyCalls['today']>) {
  const { used: posts, limit: mostPosts } = postSets
  const media = bytesText(uploadBytes.used)
  const mostMedia = bytesText(uploadBytes.limit)
  return (
    <Text size="sm">
      <Trans>
        Today: {posts} of {mostPosts} posts, {media} of {mostMedia} of media.
      </Trans>{' '}
      <Trans>
        The next day begins <RelativeTime instant={freeAt} />.
      </Trans>
    </Text>
  )
}

function Calls({ calls }: { calls: ApiKeyCalls['data'] }) {
  if (calls.length === 0) return <EmptyState>{t`No agent has used this key yet.`}</EmptyState>
  return (
    <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Last calls`}>
      {calls.map(({ at, tool, problem }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call has nothing else that is its own
        <Group component="li" key={index} justify="space-between" wrap="nowrap" align="flex-start">
          <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm" ff="monospace">
              {tool}
            </Text>
            {problem !== null && (
              <Text size="sm" c="var(--mantine-color-error)">
                <Trans>Refused: {problem}</Trans>
              </Text>
            )}
          </Stack>
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <RelativeTime instant={at} />
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
