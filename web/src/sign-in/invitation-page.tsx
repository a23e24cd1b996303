import '../design/more-styles.ts'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { InvitationAccepted, InvitationOffer } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { explainPassword, Form, useForm } from '../design/form.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { wordsOfCode } from '../language/server-words.ts'
import { LinkIncomplete } from './link-over.tsx'
import { useLinkSecret } from './link-secret.ts'

/** What the link of an invitation opens. */
export function Page(): ReactNode {
  const token = useLinkSecret('token')
  return token === undefined ? <LinkIncomplete /> : <Opened key={token} token={token} />
}

function Opened({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call('POST /invitations/look', { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [joined, setJoined] = useState<InvitationAccepted | null>(null)
  if (joined) return <SignInToGoOn joined={joined} />
  if (data) return <Offer offer={data} token={token} onJoined={setJoined} />
  if (!error) {
    return (
      <Stack>
        <PageTitle title={t`Invitation`} />
        <LoadingRows rows={3} />
      </Stack>
    )
  }
  const title = error instanceof ApiError ? TITLES[error.code] : undefined
  if (title) return <NotUsable title={i18n._(title)}>{error.message}</NotUsable>
  return (
    <Stack>
      <PageTitle title={t`Invitation`} />
      <ErrorState title={t`The invitation could not be loaded`} error={error} onRetry={() => void refetch()} />
    </Stack>
  )
}

const TITLES: Readonly<Record<string, MessageDescriptor>> = {
  'invitation:not_found': msg`Link not valid`,
  'invitation:expired': msg`Invitation expired`,
  'invitation:used': msg`Invitation already accepted`,
  'invitation:revoked': msg`Invitation withdrawn`,
}

function NotUsable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack>
      <PageTitle title={title} />
      <Alert color="yellow" icon={<IconMailOff aria-hidden />}>
        {children}
      </Alert>
      <RouterButton to="/sign-in" variant="default">
        <Trans>Go to the sign-in</Trans>
      </RouterButton>
    </Stack>
  )
}

function SignInToGoOn({ joined }: { joined: InvitationAccepted }) {
  return (
    <Stack>
      <PageTitle title={t`You joined ${joined.accountName}`} />
      <Text>
        <Trans>Your sign-in has a second step. Sign in with your password and code to continue.</Trans>
      </Text>
      <RouterButton to="/sign-in">
        <Trans>Go to the sign-in</Trans>
      </RouterButton>
    </Stack>
  )
}

interface OfferProps {
  offer: InvitationOffer
  token: string
  onJoined: (joined: InvitationAccepted) => void
}

function Offer({ offer, token, onJoined }: OfferProps) {
  const { accountName, email, role, roleTitle, roleDescription, invitedBy, userExists, signedInAs } = offer
  const navigate = useNavigate()
  const isYou = signedInAs === email
  const form = useForm({
    initial: { name: '', password: '' },
    async send({ name, password }) {
      const body = isYou ? { token } : userExists ? { token, password } : { token, name, password }
      const joined = await call('POST /invitations/accept', { body })
      if (joined.next === 'sign-in') return onJoined(joined)
      // Nothing that was read before is of the one who is signed in now.
      queryClient.clear()
      await navigate({ to: '/', replace: true })
    },
    explain: explainPassword,
  })
  const wrongName = form.wrong.name && (form.values.name.trim() === '' ? t`Enter your name.` : form.wrong.name)
  return (
    <Form form={form}>
      <PageTitle title={t`Join ${accountName}`} />
      <Text>
        <Trans>
          {invitedBy} invites you to {accountName}.
        </Trans>
      </Text>
      <Text>
        <strong>{wordsOfCode(`role:${role}`, roleTitle)}:</strong>{' '}
        {wordsOfCode(`role:${role}:description`, roleDescription)}
      </Text>
      {signedInAs !== null && !isYou && (
        <Alert color="yellow">
          <Trans>
            You are signed in as {signedInAs}. The invitation is for {email}: accepting it signs you out there first.
          </Trans>
        </Alert>
      )}
      {isYou ? (
        <Text size="sm">
          <Trans>You are signed in as {email}.</Trans>
        </Text>
      ) : (
        <>
          <TextInput label={t`Email`} type="email" autoComplete="username" value={email} readOnly />
          {!userExists && (
            <TextInput
              label={t`Your name`}
              description={t`Shown to others next to what you write.`}
              autoComplete="name"
              {...form.text('name')}
              required
              error={wrongName}
            />
          )}
          <PasswordInput
            label={userExists ? t`Your password` : t`New password`}
            description={userExists ? t`There is already an account for this address.` : t`At least 10 characters.`}
            autoComplete={userExists ? 'current-password' : 'new-password'}
            {...form.text('password')}
            required
          />
        </>
      )}
      <Failure error={form.rest} />
      {hasCode(form.rest, 'invitation:member_already') && (
        <RouterButton to="/sign-in" variant="default">
          <Trans>Go to the sign-in</Trans>
        </RouterButton>
      )}
      <Button type="submit" loading={form.busy}>
        <Trans>Join {accountName}</Trans>
      </Button>
    </Form>
  )
}
