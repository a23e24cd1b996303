import '../design/more-styles.ts'
import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconInfoCircle, IconMail } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Profile } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { refreshSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { useTextForm } from '../sign-in/text-form.ts'
import { PreferencesSection } from './profile-preferences.tsx'
import { Section } from './profile-section.tsx'

const profileQuery = queryOptions({
  queryKey: queryKeys.profile.all,
  queryFn: ({ signal }) => api.get<Profile>('/profile', { signal }),
})

/** What the member is called, and how the dashboard looks to the member. */
export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery(profileQuery)
  return (
    <Stack gap="lg" maw={640}>
      <PageTitle title="Profile" />
      {isPending && <LoadingRows />}
      {error && !data && (
        <ErrorState title="Your profile could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {data && (
        <>
          <NameSection profile={data} />
          <EmailSection key={data.email} profile={data} />
        </>
      )}
      {!isPending && <PreferencesSection />}
    </Stack>
  )
}

async function keep(profile: Profile): Promise<void> {
  queryClient.setQueryData(profileQuery.queryKey, profile)
  await refreshSession()
}

function NameSection({ profile }: { profile: Profile }) {
  const form = useTextForm({
    initial: { name: profile.name },
    required: { name: 'Enter your name.' },
    async send(body) {
      await keep(await api.patch<Profile>('/profile', body))
      showDone('Your name is saved.')
    },
  })
  return (
    <Section title="Name" description="As others see it beside what you write, and in history.">
      <form onSubmit={form.submit} noValidate>
        <Stack>
          <ErrorSummary problems={form.problems} />
          <Failure error={form.rest} />
          <TextInput label="Your name" autoComplete="name" {...form.field('name')} />
          <Group>
            <Button type="submit" loading={form.busy}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function EmailSection({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false)
  const { email, pendingEmail, refusedEmail, emailConfirmedBy } = profile
  return (
    <Section title="Email" description="You sign in with it, and links for a new password go there.">
      <TextInput label="Your email" value={email} readOnly autoComplete="off" />
      {email.endsWith('.invalid') && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          This address was made for you and receives no mail. Change it to one of yours, so that you can get a new
          password by mail.
        </Alert>
      )}
      {pendingEmail !== null && (
        <Alert color="teal" icon={<IconMail aria-hidden />} role="status">
          <Stack gap="xs" align="flex-start">
            {emailConfirmedBy === 'LINK'
              ? `Open the link that we sent to ${pendingEmail}, within an hour, to make it your address. If another person already uses this address, no link was sent.`
              : `An owner has to confirm ${pendingEmail}. Until then, sign in with ${email}.`}
            <WithdrawButton>Cancel the change</WithdrawButton>
          </Stack>
        </Alert>
      )}
      {refusedEmail !== null && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} role="status">
          <Stack gap="xs" align="flex-start">
            {`${refusedEmail.refusedBy} refused the change to ${refusedEmail.email}. Your address stays ${email}.`}
            <WithdrawButton>Dismiss</WithdrawButton>
          </Stack>
        </Alert>
      )}
      {changing ? (
        <EmailForm profile={profile} onDone={() => setChanging(false)} />
      ) : (
        <Group>
          <Button variant="default" onClick={() => setChanging(true)}>
            Change email
          </Button>
        </Group>
      )}
    </Section>
  )
}

/** Takes back the request for another address, and what was decided about it. */
function WithdrawButton({ children }: { children: string }) {
  const [busy, setBusy] = useState(false)
  const withdraw = async () => {
    setBusy(true)
    try {
      await keep(await api.delete<Profile>('/profile/email'))
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <Button size="compact-sm" variant="default" loading={busy} onClick={() => void withdraw()}>
      {children}
    </Button>
  )
}

const CONFIRMATION = {
  LINK: 'We send a link there. Your address stays until you open it.',
  OWNER: 'An owner of the account has to confirm it. Your address stays until then.',
  PASSWORD: 'It changes immediately. No mail is sent to check it, so make sure that it is right.',
} as const satisfies Record<Profile['emailConfirmedBy'], string>

const REQUESTED = {
  LINK: 'A link is on its way to the new address.',
  OWNER: 'An owner has to confirm the new address.',
  PASSWORD: 'Your email is saved.',
} as const satisfies Record<Profile['emailConfirmedBy'], string>

function EmailForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const form = useTextForm({
    initial: { email: '', password: '' },
    required: { email: 'Enter the new address.', password: 'Enter your password.' },
    async send(body) {
      const changed = await api.put<Profile>('/profile/email', body)
      await keep(changed)
      showDone(REQUESTED[changed.emailConfirmedBy])
      onDone()
    },
    explain: (error) => {
      const words = passwordProblem(error)
      return words ? { password: words } : {}
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <ErrorSummary problems={form.problems} />
        <Failure error={form.rest} />
        <TextInput
          label="New email"
          description={CONFIRMATION[profile.emailConfirmedBy]}
          type="email"
          autoComplete="email"
          autoFocus
          {...form.field('email')}
        />
        <PasswordInput label="Your password" autoComplete="current-password" {...form.field('password')} />
        <Group>
          <Button type="submit" loading={form.busy}>
            Change email
          </Button>
          <Button variant="default" disabled={form.busy} onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
