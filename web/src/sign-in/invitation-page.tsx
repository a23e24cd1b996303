import '../design/more-styles.ts'
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { InvitationAccepted, InvitationOffer } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { fieldErrors, restOfError } from '../design/field-errors.ts'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../shell/links.tsx'
import { LinkIncomplete } from './link-over.tsx'
import { useLinkSecret } from './link-secret.ts'

/** What somebody sees who opens the link of an invitation. */
export function Page(): ReactNode {
  const token = useLinkSecret('token')
  return token === undefined ? <LinkIncomplete /> : <Opened key={token} token={token} />
}

function Opened({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.post<InvitationOffer>('/invitations/look', { token }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [joined, setJoined] = useState<InvitationAccepted | null>(null)
  if (joined) return <SignInToGoOn joined={joined} />
  if (data) return <Offer offer={data} token={token} onJoined={setJoined} />
  if (!error) {
    return (
      <Stack>
        <PageTitle title="Invitation" />
        <LoadingRows rows={3} />
      </Stack>
    )
  }
  const title = error instanceof ApiError ? TITLES[error.code] : undefined
  if (title) return <NotUsable title={title}>{error.message}</NotUsable>
  return (
    <Stack>
      <PageTitle title="Invitation" />
      <ErrorState title="The invitation could not be loaded" error={error} onRetry={() => void refetch()} />
    </Stack>
  )
}

const TITLES: Readonly<Record<string, string>> = {
  'invitation:not_found': 'Link not valid',
  'invitation:expired': 'Invitation expired',
  'invitation:used': 'Invitation already accepted',
  'invitation:revoked': 'Invitation taken back',
}

function NotUsable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack>
      <PageTitle title={title} />
      <Alert color="yellow" icon={<IconMailOff aria-hidden />}>
        {children}
      </Alert>
      <RouterButton to="/sign-in" variant="default">
        Go to the sign-in
      </RouterButton>
    </Stack>
  )
}

function SignInToGoOn({ joined }: { joined: InvitationAccepted }) {
  return (
    <Stack>
      <PageTitle title={`You joined ${joined.accountName}`} />
      <Text>Your sign-in has a second step. Sign in with your password and your code to go on.</Text>
      <RouterButton to="/sign-in">Go to the sign-in</RouterButton>
    </Stack>
  )
}

interface OfferProps {
  offer: InvitationOffer
  token: string
  onJoined: (joined: InvitationAccepted) => void
}

function Offer({ offer, token, onJoined }: OfferProps) {
  const { accountName, email, roleTitle, roleDescription, invitedBy, userExists, signedInAs } = offer
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const isYou = signedInAs === email
  const wrong = fieldErrors(error)
  const wrongPassword = wrong.password ?? passwordProblem(error) ?? undefined

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const body = isYou ? { token } : userExists ? { token, password } : { token, name, password }
      const joined = await api.post<InvitationAccepted>('/invitations/accept', body)
      if (joined.next === 'sign-in') return onJoined(joined)
      // Nothing that was read before is of the one who is signed in now.
      queryClient.clear()
      await navigate({ to: '/', replace: true })
    } catch (failure) {
      setError(failure)
      setBusy(false)
      const field = fieldErrors(failure).name ? nameField : passwordField
      field.current?.focus()
    }
  }
  const rest = passwordProblem(error) ? null : restOfError(error, ['name', 'password'])
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <PageTitle title={`Join ${accountName}`} />
        <Text>
          {invitedBy} invites you to {accountName}.
        </Text>
        <Text>
          <strong>{roleTitle}:</strong> {roleDescription}
        </Text>
        {signedInAs !== null && !isYou && (
          <Alert color="yellow">
            You are signed in as {signedInAs}. The invitation is for {email}: accepting it signs you out there first.
          </Alert>
        )}
        {isYou ? (
          <Text size="sm">You are signed in as {email}.</Text>
        ) : (
          <>
            <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
            {!userExists && (
              <TextInput
                ref={nameField}
                label="Your name"
                description="As others see it beside what you write."
                autoComplete="name"
                required
                withAsterisk={false}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                error={wrong.name && (name.trim() === '' ? 'Enter your name.' : wrong.name)}
              />
            )}
            <PasswordInput
              ref={passwordField}
              label={userExists ? 'Your password' : 'New password'}
              description={userExists ? 'You have an account of that address already.' : 'At least 10 characters.'}
              autoComplete={userExists ? 'current-password' : 'new-password'}
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={wrongPassword}
            />
          </>
        )}
        <Failure error={rest} />
        {hasCode(error, 'invitation:member_already') && (
          <RouterButton to="/sign-in" variant="default">
            Go to the sign-in
          </RouterButton>
        )}
        <Button type="submit" loading={busy}>
          Join {accountName}
        </Button>
      </Stack>
    </form>
  )
}
