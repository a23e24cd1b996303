import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UserSession } from '#contract'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { announce } from '../design/announce.tsx'
import { useConfirmAction } from '../design/confirm.tsx'
import { focusMainIfLost } from '../design/opener.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { deviceText } from './device-text.ts'
import { Section } from './profile-section.tsx'

const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => call('GET /sessions', { signal }),
})

/** Where the member is signed in. */
export function SessionsSection() {
  const { data, error, isPending, refetch } = useQuery(sessionsQuery)
  const confirm = useConfirmAction()
  const others = data?.data.filter(({ current }) => !current).length ?? 0

  const end = async ({ id, ...session }: UserSession) => {
    const device = deviceText(session.device)
    try {
      await call('DELETE /sessions/:id', { params: { id } })
      announce(t`The session in ${device} has ended.`)
      requestAnimationFrame(focusMainIfLost)
    } catch (failure) {
      showError(failure)
    }
    // One that was over already goes from the page too.
    await readAgain('DELETE /sessions/:id')
  }
  const endOthers = () =>
    confirm({
      title: t`Sign out everywhere else?`,
      children: (
        <Text>
          <Plural
            value={others}
            one="# session in another browser will end. You stay signed in here."
            other="# sessions in other browsers will end. You stay signed in here."
          />
        </Text>
      ),
      confirmLabel: t`Sign out everywhere else`,
      danger: true,
      run: async () => {
        await call('DELETE /sessions')
        showDone(t`You are now signed in only here.`)
        await readAgain('DELETE /sessions')
      },
    })
  return (
    <Section title={t`Where you are signed in`} description={t`A session ends when it is not used for 30 days.`}>
      {isPending && <LoadingRows rows={2} height={64} />}
      {error && !data && (
        <ErrorState title={t`Your sessions could not be loaded`} error={error} onRetry={() => void refetch()} />
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
            <Trans>Sign out everywhere else</Trans>
          </Button>
        </Group>
      )}
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: UserSession; onEnd: () => void }) {
  const { address, startedAt, lastUsedAt, current } = session
  const device = deviceText(session.device)
  const from = address === '' ? t`Unknown address` : address
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
                <Trans>This browser</Trans>
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            <Trans>
              {from} · last used <RelativeTime instant={lastUsedAt} /> · signed in <RelativeTime instant={startedAt} />
            </Trans>
          </Text>
        </Stack>
        {!current && (
          <Button size="compact-sm" variant="default" onClick={onEnd} aria-label={t`End the session in ${device}`}>
            <Trans>End</Trans>
          </Button>
        )}
      </Group>
    </Paper>
  )
}
