import '../design/more-styles.ts'
import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { focusMainIfLost } from '../design/opener.ts'
import { PageTitle } from '../design/page-title.tsx'
import { showDone } from '../design/toast.tsx'
import { NewPasswordInput } from '../sign-in/new-password.tsx'
import { useTextForm } from '../sign-in/text-form.ts'
import { Section } from './profile-section.tsx'
import { SessionsSection } from './security-sessions.tsx'
import { TwoFactorSection } from './security-two-factor.tsx'

/** How the member signs in, and where the member is signed in. */
export function Page(): ReactNode {
  return (
    <Stack gap="lg" maw={640}>
      <PageTitle title="Security" />
      <PasswordSection />
      <TwoFactorSection />
      <SessionsSection />
    </Stack>
  )
}

function PasswordSection() {
  const { user } = useSession()
  const form = useTextForm({
    initial: { password: '', newPassword: '' },
    required: { password: 'Enter the password that you have now.', newPassword: 'Choose a new password.' },
    async send(body) {
      await api.put('/profile/password', body)
      form.reset()
      showDone('Your password is changed. Your other sessions have ended.')
      requestAnimationFrame(focusMainIfLost)
      await queryClient.invalidateQueries({ queryKey: queryKeys.security.all })
    },
    explain: (error) => {
      const words = passwordProblem(error)
      return words ? { password: words } : {}
    },
  })
  return (
    <Section title="Password" description="A new password ends your sessions in other browsers.">
      <form onSubmit={form.submit} noValidate>
        <Stack>
          <ErrorSummary problems={form.problems} />
          <Failure error={form.rest} />
          {/* Tells password managers whose password it is. */}
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput label="Current password" autoComplete="current-password" {...form.field('password')} />
          <NewPasswordInput label="New password" {...form.field('newPassword')} />
          <Group>
            <Button type="submit" loading={form.busy}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
