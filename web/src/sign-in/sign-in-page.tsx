import '../design/more-styles.ts'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { SetupState, SignInAnswer } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { RouterAnchor } from '../shell/links.tsx'
import { useEnter } from './entering.ts'
import { Refused } from './refused.tsx'
import { SecondStep } from './second-step.tsx'
import { useTextForm } from './text-form.ts'

/** By address and password, and with a code where one is asked for. */
export function Page(): ReactNode {
  const wanted = useSearch({ strict: false, select: (search) => ('return' in search ? search.return : undefined) })
  const ended = useSearch({ strict: false, select: (search) => 'ended' in search })
  const enter = useEnter()
  const [step, setStep] = useState<'password' | 'code'>('password')
  const { data: setup } = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => api.get<SetupState>('/setup', { signal }),
    staleTime: 60_000,
  })
  // Nobody can sign in yet.
  if (setup?.needed) return <Navigate to="/setup" replace />
  if (step === 'code') return <SecondStep onPassed={() => enter(wanted)} onBack={() => setStep('password')} />
  return <Password ended={ended} onSignedIn={() => enter(wanted)} onSecondStep={() => setStep('code')} />
}

interface PasswordProps {
  /** Somebody was signed in here until just now. */
  ended: boolean
  onSignedIn: () => Promise<void>
  onSecondStep: () => void
}

function Password({ ended, onSignedIn, onSecondStep }: PasswordProps) {
  const password = useRef<HTMLInputElement>(null)
  const form = useTextForm({
    initial: { email: '', password: '' },
    required: { email: 'Enter your email address.', password: 'Enter your password.' },
    async send(body) {
      try {
        const { next } = await api.post<SignInAnswer>('/session', body)
        if (next === 'second-step') onSecondStep()
        else await onSignedIn()
      } catch (error) {
        if (hasCode(error, 'auth:wrong_sign_in')) password.current?.select()
        throw error
      }
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <PageTitle title="Sign in" />
        {ended && (
          <Alert color="blue" icon={<IconLogout aria-hidden />} role="status">
            Your session has ended. Sign in to go on where you were.
          </Alert>
        )}
        <ErrorSummary problems={form.problems} />
        <Refused error={form.rest} />
        <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.field('email')} />
        <PasswordInput ref={password} label="Password" autoComplete="current-password" {...form.field('password')} />
        <Button type="submit" loading={form.busy}>
          Sign in
        </Button>
        <RouterAnchor to="/forgot-password" size="sm" ta="center">
          Forgot your password?
        </RouterAnchor>
      </Stack>
    </form>
  )
}
