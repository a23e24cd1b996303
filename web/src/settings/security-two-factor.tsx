import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TwoFactor } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { refreshSession } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { count } from '../design/words.ts'
import { Section } from './profile-section.tsx'
import { TwoFactorDialog, type TwoFactorTask } from './security-two-factor-dialog.tsx'

const twoFactorQuery = queryOptions({
  queryKey: queryKeys.security.list({ of: 'two-factor' }),
  queryFn: ({ signal }) => api.get<TwoFactor>('/two-factor', { signal }),
})

/** Signing in with a code besides the password: on, off, and new backup codes. */
export function TwoFactorSection() {
  const { data, error, isPending, refetch } = useQuery(twoFactorQuery)
  const confirmPassword = useConfirmPassword()
  const dialog = useDialogState<TwoFactorTask>()
  const remove = () =>
    confirmPassword({
      title: 'Switch off two-factor authentication?',
      children: <Text>From then on your password alone signs you in. Your backup codes will not work any more.</Text>,
      confirmLabel: 'Switch off',
      danger: true,
      run: async (password) => {
        await api.delete('/two-factor', { body: { password } })
        await reload()
        showDone('Two-factor authentication is off.')
      },
    })
  const close = () => {
    dialog.close()
    void reload()
  }
  return (
    <Section
      title="Two-factor authentication"
      description="Besides your password, signing in takes a code of an app on your phone. Whoever learns your password alone stays outside."
    >
      {isPending && <LoadingRows rows={1} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <State
          data={data}
          onStart={() => dialog.open('set-up')}
          onRenew={() => dialog.open('renew-codes')}
          onRemove={() => void remove()}
        />
      )}
      {dialog.asked && <TwoFactorDialog task={dialog.asked} onClose={close} />}
    </Section>
  )
}

async function reload(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: queryKeys.security.all }), refreshSession()])
}

interface StateProps {
  data: TwoFactor
  onStart: () => void
  onRenew: () => void
  onRemove: () => void
}

function State({ data: { enabled, backupCodesLeft }, onStart, onRenew, onRemove }: StateProps) {
  if (!enabled) {
    return (
      <Group>
        <Badge color="gray" variant="light" tt="none" size="lg">
          Off
        </Badge>
        <Button onClick={onStart}>Set up</Button>
      </Group>
    )
  }
  return (
    <Stack gap="sm">
      <Group>
        <Badge color="teal" variant="light" tt="none" size="lg">
          On
        </Badge>
        <Text size="sm">
          {backupCodesLeft === 0
            ? 'No backup codes are left. Make new ones, in case you lose your phone.'
            : `${count(backupCodesLeft, 'backup code')} left.`}
        </Text>
      </Group>
      <Group>
        <Button variant="default" onClick={onRenew}>
          New backup codes
        </Button>
        <Button variant="default" onClick={onRemove}>
          Switch off
        </Button>
      </Group>
    </Stack>
  )
}
