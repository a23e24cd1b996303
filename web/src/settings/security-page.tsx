import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { explainPassword, Form, filled, useForm } from '../design/form.tsx'
import { NewPasswordInput } from '../design/new-password.tsx'
import { focusMainIfLost } from '../design/opener.ts'
import { PageTitle } from '../design/page-title.tsx'
import { showDone } from '../design/toast.tsx'
import { Section } from './profile-section.tsx'
import { SessionsSection } from './security-sessions.tsx'
import { TwoFactorSection } from './security-two-factor.tsx'

/** How the member signs in, and where the member is signed in. */
export function Page(): ReactNode {
  return (
    <Stack gap="lg">
      <PageTitle title={t`Security`} />
      <PasswordSection />
      <TwoFactorSection />
      <SessionsSection />
    </Stack>
  )
}

function PasswordSection() {
  const { user } = useSession()
  const form = useForm({
    summary: true,
    initial: { password: '', newPassword: '' },
    check: {
      password: filled(t`Enter your current password.`),
      newPassword: filled(t`Choose a new password.`),
    },
    async send(body) {
      await call('PUT /profile/password', { body })
      form.reset()
      showDone(t`Your password was changed. Your other sessions have ended.`)
      requestAnimationFrame(focusMainIfLost)
      await readAgain('PUT /profile/password')
    },
    explain: explainPassword,
  })
  return (
    <Section title={t`Password`} description={t`A new password ends your sessions in other browsers.`}>
      <Form form={form}>
        <ErrorSummary problems={form.problems} />
        <Failure error={form.rest} />
        {/* Shows password managers whose password it is. */}
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput label={t`Current password`} autoComplete="current-password" {...form.text('password')} />
        <NewPasswordInput label={t`New password`} {...form.text('newPassword')} />
        <Group>
          <Button type="submit" loading={form.busy}>
            <Trans>Change password</Trans>
          </Button>
        </Group>
      </Form>
    </Section>
  )
}
