import '../design/more-styles.ts'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconInfoCircle, IconMail } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Profile } from '#contract'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { explainPassword, Form, filled, useForm } from '../design/form.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { PreferencesSection } from './profile-preferences.tsx'
import { Section } from './profile-section.tsx'

const profileQuery = queryOptions({
  queryKey: queryKeys.profile.all,
  queryFn: ({ signal }) => call('GET /profile', { signal }),
})

/** What the member is called, and how the dashboard looks to the member. */
export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery(profileQuery)
  return (
    <Stack gap="lg">
      <PageTitle title={t`Profile`} />
      {isPending && <LoadingRows />}
      {error && !data && (
        <ErrorState title={t`Your profile could not be loaded`} error={error} onRetry={() => void refetch()} />
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

function NameSection({ profile }: { profile: Profile }) {
  const form = useForm({
    summary: true,
    initial: { name: profile.name },
    check: { name: filled(t`Enter your name.`) },
    async send(body) {
      await change('PATCH /profile', { body })
      showDone(t`Your name is saved.`)
    },
  })
  return (
    <Section title={t`Name`} description={t`Shown to others next to what you write, and in history.`}>
      <Form form={form}>
        <ErrorSummary problems={form.problems} />
        <Failure error={form.rest} />
        <TextInput label={t`Your name`} autoComplete="name" {...form.text('name')} />
        <Group>
          <Button type="submit" loading={form.busy}>
            <Trans>Save name</Trans>
          </Button>
        </Group>
      </Form>
    </Section>
  )
}

function EmailSection({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false)
  const { email, pendingEmail, refusedEmail, emailConfirmedBy } = profile
  return (
    <Section title={t`Email`} description={t`You sign in with it. Links for a new password are sent there.`}>
      <TextInput label={t`Your email`} value={email} readOnly autoComplete="off" />
      {email.endsWith('.invalid') && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          <Trans>
            This address was generated and receives no mail. Change it to one of yours, so that you can reset your
            password by mail.
          </Trans>
        </Alert>
      )}
      {pendingEmail !== null && (
        <Alert color="teal" icon={<IconMail aria-hidden />} role="status">
          <Stack gap="xs" align="flex-start">
            {emailConfirmedBy === 'LINK'
              ? t`Open the link that we sent to ${pendingEmail}, within an hour, to make it your address. If another person already uses this address, no link was sent.`
              : t`An owner has to confirm ${pendingEmail}. Until then, sign in with ${email}.`}
            <WithdrawButton>
              <Trans>Cancel the change</Trans>
            </WithdrawButton>
          </Stack>
        </Alert>
      )}
      {refusedEmail !== null && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} role="status">
          <Stack gap="xs" align="flex-start">
            {t`${refusedEmail.refusedBy} refused the change to ${refusedEmail.email}. Your address stays ${email}.`}
            <WithdrawButton>
              <Trans>Dismiss</Trans>
            </WithdrawButton>
          </Stack>
        </Alert>
      )}
      {changing ? (
        <EmailForm profile={profile} onDone={() => setChanging(false)} />
      ) : (
        <Group>
          <Button variant="default" onClick={() => setChanging(true)}>
            <Trans>Change email</Trans>
          </Button>
        </Group>
      )}
    </Section>
  )
}

/** Takes back the request for another address, and what was decided about it. */
function WithdrawButton({ children }: { children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const withdraw = async () => {
    setBusy(true)
    try {
      await change('DELETE /profile/email')
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
  LINK: msg`We send a link there. Your address stays until you open it.`,
  OWNER: msg`An owner of the account has to confirm it. Your address stays until then.`,
  PASSWORD: msg`It changes immediately. No mail is sent to check it, so make sure it is correct.`,
} as const satisfies Record<Profile['emailConfirmedBy'], MessageDescriptor>

const REQUESTED = {
  LINK: msg`A link is on its way to the new address.`,
  OWNER: msg`An owner has to confirm the new address.`,
  PASSWORD: msg`Your email is saved.`,
} as const satisfies Record<Profile['emailConfirmedBy'], MessageDescriptor>

function EmailForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const form = useForm({
    summary: true,
    initial: { email: '', password: '' },
    check: { email: filled(t`Enter the new address.`), password: filled(t`Enter your password.`) },
    async send(body) {
      const { emailConfirmedBy } = await change('PUT /profile/email', { body })
      showDone(i18n._(REQUESTED[emailConfirmedBy]))
      onDone()
    },
    explain: explainPassword,
  })
  return (
    <Form form={form}>
      <ErrorSummary problems={form.problems} />
      <Failure error={form.rest} />
      <TextInput
        label={t`New email`}
        description={i18n._(CONFIRMATION[profile.emailConfirmedBy])}
        type="email"
        autoComplete="email"
        autoFocus
        {...form.text('email')}
      />
      <PasswordInput label={t`Your password`} autoComplete="current-password" {...form.text('password')} />
      <Group>
        <Button type="submit" loading={form.busy}>
          <Trans>Change email</Trans>
        </Button>
        <Button variant="default" disabled={form.busy} onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
      </Group>
    </Form>
  )
}
