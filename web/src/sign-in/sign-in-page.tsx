import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { hasCode } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { Form, filled, useForm } from '../design/form.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { useEnter } from './entering.ts'
import { Refused } from './refused.tsx'
import { SecondStep } from './second-step.tsx'

/** By address and password, and with a code where one is asked for. */
export function Page(): ReactNode {
  const wanted = useSearch({ strict: false, select: (search) => ('return' in search ? search.return : undefined) })
  const ended = useSearch({ strict: false, select: (search) => 'ended' in search })
  const enter = useEnter()
  const [step, setStep] = useState<'password' | 'code'>('password')
  const { data: setup } = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => call('GET /setup', { signal }),
    staleTime: 60_000,
  })
  // No one can sign in yet.
  if (setup?.needed) return <Navigate to="/setup" replace />
  if (step === 'code') return <SecondStep onPassed={() => enter(wanted)} onBack={() => setStep('password')} />
  return <Password ended={ended} onSignedIn={() => enter(wanted)} onSecondStep={() => setStep('code')} />
}

interface PasswordProps {
  /** A person was signed in here until just now. */
  ended: boolean
  onSignedIn: () => Promise<void>
  onSecondStep: () => void
}

function Password({ ended, onSignedIn, onSecondStep }: PasswordProps) {
  const password = useRef<HTMLInputElement>(null)
  const form = useForm({
    summary: true,
    initial: { email: '', password: '' },
    check: { email: filled(t`Enter your email address.`), password: filled(t`Enter your password.`) },
    async send(body) {
      try {
        const { next } = await call('POST /session', { body })
        if (next === 'second-step') onSecondStep()
        else await onSignedIn()
      } catch (error) {
        if (hasCode(error, 'auth:wrong_sign_in')) password.current?.select()
        throw error
      }
    },
  })
  return (
    <Form form={form}>
      <PageTitle title={t`Sign in`} />
      {ended && (
        <Alert icon={<IconLogout aria-hidden />} role="status">
          <Trans>Your session has ended. Sign in to continue where you were.</Trans>
        </Alert>
      )}
      <ErrorSummary problems={form.problems} />
      <Refused error={form.rest} />
      <TextInput label={t`Email`} type="email" autoComplete="username" autoFocus {...form.text('email')} />
      <PasswordInput ref={password} label={t`Password`} autoComplete="current-password" {...form.text('password')} />
      <Button type="submit" loading={form.busy}>
        <Trans>Sign in</Trans>
      </Button>
      <RouterAnchor to="/forgot-password" size="sm" ta="center">
        <Trans>Forgot your password?</Trans>
      </RouterAnchor>
    </Form>
  )
}
