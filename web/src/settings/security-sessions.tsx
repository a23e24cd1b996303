import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UserSession, UserSessions } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { announce } from '../design/announce.tsx'
import { useConfirmAction } from '../design/confirm.tsx'
import { focusMainIfLost } from '../design/opener.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { count } from '../design/words.ts'
import { Section } from './profile-section.tsx'

const sessionsQuery = queryOptions({
  queryKey: queryKeys.security.list({ of: 'sessions' }),
  queryFn: ({ signal }) => api.get<UserSessions>('/sessions', { signal }),
})
const reload = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })

/** Where the member is signed in. */
export function SessionsSection() {
  const { data, error, isPending, refetch } = useQuery(sessionsQuery)
  const confirm = useConfirmAction()
  const others = data?.data.filter(({ current }) => !current).length ?? 0

  const end = async ({ id, device }: UserSession) => {
    try {
      await api.delete(`/sessions/${id}`)
      announce(`The session in ${device} has ended.`)
      requestAnimationFrame(focusMainIfLost)
    } catch (failure) {
      showError(failure)
    }
    await reload()
  }
  const endOthers = () =>
    confirm({
      title: 'Sign out everywhere else?',
      children: <Text>{count(others, 'session')} in other browsers will end. You stay signed in here.</Text>,
      confirmLabel: 'Sign out everywhere else',
      danger: true,
      run: async () => {
        await api.delete('/sessions')
        showDone('You are signed in here alone.')
        await reload()
      },
    })
  return (
    <Section title="Where you are signed in" description="A session ends by itself when it is not used for 30 days.">
      {isPending && <LoadingRows rows={2} height={64} />}
      {error && !data && (
        <ErrorState title="Your sessions could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {data && (
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {data.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
          ))}
        </Stack>
      )}
      {others > 0 && (
        <Group>
          <Button variant="default" onClick={() => void endOthers()}>
            Sign out everywhere else
          </Button>
        </Group>
      )}
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: UserSession; onEnd: () => void }) {
  const { device, address, startedAt, lastUsedAt, current } = session
  const Icon = /iPhone|iPad|Android/.test(device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Paper component="li" withBorder p="sm">
      <Group wrap="nowrap" align="flex-start">
        <Icon size={24} aria-hidden style={{ flexShrink: 0 }} />
        <Stack gap={2} flex={1} miw={0}>
          <Group gap="xs">
            <Text fw={500}>{device}</Text>
            {current && (
              <Badge variant="light" tt="none">
                This browser
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {address === '' ? 'Address not known' : address}
            {' · last used '}
            <RelativeTime instant={lastUsedAt} />
            {' · signed in '}
            <RelativeTime instant={startedAt} />
          </Text>
        </Stack>
        {!current && (
          <Button size="compact-sm" variant="default" onClick={onEnd} aria-label={`End the session in ${device}`}>
            End
          </Button>
        )}
      </Group>
    </Paper>
  )
}
