import '../design/more-styles.ts'
import { Alert, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SetupState, SignInAnswer } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../shell/links.tsx'
import { ZoneSelect } from '../time/zone-select.tsx'
import { viewerZone } from '../time/zones.ts'
import { useEnter } from './entering.ts'
import { useLinkSecret } from './link-secret.ts'
import { NewPasswordInput } from './new-password.tsx'
import { Refused } from './refused.tsx'
import { useTextForm } from './text-form.ts'

/** The first account of an installation. */
export function Page(): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => api.get<SetupState>('/setup', { signal }),
    staleTime: 60_000,
  })
  const code = useLinkSecret('code') ?? ''
  if (data?.needed) return <FirstAccount key={code} code={code} />
  return (
    <Stack>
      <PageTitle title="Set up Almanac" />
      {data && (
        <>
          <Text>Almanac is set up already: there is an account here.</Text>
          <RouterButton to="/sign-in">Sign in</RouterButton>
        </>
      )}
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={3} />)}
    </Stack>
  )
}

function FirstAccount({ code }: { code: string }) {
  const enter = useEnter()
  const form = useTextForm({
    initial: { code, name: '', email: '', password: '', accountName: '', socialSetName: '', timezone: viewerZone() },
    required: {
      code: 'Enter the code that was printed at the start.',
      name: 'Enter your name.',
      email: 'Enter your email address.',
      password: 'Choose a password.',
      accountName: 'Enter the name of your company or team.',
      socialSetName: 'Enter the name of your first brand.',
    },
    async send(values) {
      await api.post<SignInAnswer>('/setup', { ...values, code: values.code.trim() })
      await enter()
    },
    explain: (error) => (hasCode(error, 'auth:wrong_setup_code') ? { code: error.message } : {}),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <PageTitle title="Set up Almanac" />
        <Text>You make the first account and become its owner. Others come by invitation.</Text>
        <ErrorSummary problems={form.problems} />
        <Refused error={form.rest} />
        {(code === '' || form.field('code').error) && (
          <>
            <Alert icon={<IconTerminal2 aria-hidden />}>
              When Almanac started, it printed the address of this page with a code. Open that address, or enter the
              code here: it shows that the installation is yours.
            </Alert>
            <TextInput label="Code" autoComplete="off" spellCheck={false} {...form.field('code')} />
          </>
        )}
        <Divider label="You" labelPosition="left" />
        <TextInput label="Your name" autoComplete="name" {...form.field('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...form.field('email')} />
        <NewPasswordInput label="Password" {...form.field('password')} />
        <Divider label="Your account" labelPosition="left" />
        <TextInput
          label="Name of the account"
          description="Your company or team."
          autoComplete="organization"
          {...form.field('accountName')}
        />
        <TextInput
          label="First social set"
          description="The brand whose calendar you plan. You can add more."
          autoComplete="off"
          {...form.field('socialSetName')}
        />
        <ZoneSelect
          label="Timezone"
          description="The calendar shows its times, and posts go out by it."
          value={form.values.timezone}
          onChange={(next) => form.set('timezone', next)}
          error={form.field('timezone').error}
        />
        <Button type="submit" loading={form.busy}>
          Make the account
        </Button>
      </Stack>
    </form>
  )
}
