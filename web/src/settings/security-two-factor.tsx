import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TwoFactor } from '#contract'
import { change, readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { Section } from './profile-section.tsx'
import { TwoFactorDialog, type TwoFactorTask } from './security-two-factor-dialog.tsx'

const twoFactorQuery = queryOptions({
  queryKey: queryKeys.twoFactor,
  queryFn: ({ signal }) => call('GET /two-factor', { signal }),
})

/** Signing in with a code besides the password: on, off, and new backup codes. */
export function TwoFactorSection() {
  const { data, error, isPending, refetch } = useQuery(twoFactorQuery)
  const confirmPassword = useConfirmPassword()
  const dialog = useDialogState<TwoFactorTask>()
  const remove = () =>
    confirmPassword({
      title: t`Turn off two-factor authentication?`,
      children: (
        <Text>
          <Trans>Your password alone will sign you in. Your backup codes will no longer work.</Trans>
        </Text>
      ),
      confirmLabel: t`Turn off`,
      danger: true,
      run: async (password) => {
        await change('DELETE /two-factor', { body: { password } })
        showDone(t`Two-factor authentication is off.`)
      },
    })
  const close = () => {
    dialog.close()
    // What is shown once comes before what is read.
    void readAgain('POST /two-factor/confirm')
  }
  return (
    <Section
      title={t`Two-factor authentication`}
      description={t`Signing in requires a code from an app on your phone in addition to your password. A stolen password alone is not enough.`}
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
          <Trans>Off</Trans>
        </Badge>
        <Button onClick={onStart}>
          <Trans>Set up</Trans>
        </Button>
      </Group>
    )
  }
  return (
    <Stack gap="sm">
      <Group>
        <Badge color="teal" variant="light" tt="none" size="lg">
          <Trans>On</Trans>
        </Badge>
        <Text size="sm">
          {backupCodesLeft === 0
            ? t`No backup codes are left. Create new ones in case you lose your phone.`
            : plural(backupCodesLeft, { one: '# backup code left.', other: '# backup codes left.' })}
        </Text>
      </Group>
      <Group>
        <Button variant="default" onClick={onRenew}>
          <Trans>New backup codes</Trans>
        </Button>
        <Button variant="default" onClick={onRemove}>
          <Trans>Turn off</Trans>
        </Button>
      </Group>
    </Stack>
  )
}
