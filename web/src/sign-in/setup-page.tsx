import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasCode } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { Form, filled, useForm } from '../design/form.tsx'
import { NewPasswordInput } from '../design/new-password.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { ZoneSelect } from '../time/zone-select.tsx'
import { viewerZone } from '../time/zones.ts'
import { useEnter } from './entering.ts'
import { useLinkSecret } from './link-secret.ts'
import { Refused } from './refused.tsx'

/** The first account of an installation. */
export function Page(): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => call('GET /setup', { signal }),
    staleTime: 60_000,
  })
  const code = useLinkSecret('code') ?? ''
  if (data?.needed) return <FirstAccount key={code} code={code} />
  return (
    <Stack>
      <PageTitle title={t`Set up Almanac`} />
      {data && (
        <>
          <Text>
            <Trans>Almanac is already set up.</Trans>
          </Text>
          <RouterButton to="/sign-in">
            <Trans>Sign in</Trans>
          </RouterButton>
        </>
      )}
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={3} />)}
    </Stack>
  )
}

function FirstAccount({ code }: { code: string }) {
  const enter = useEnter()
  const form = useForm({
    summary: true,
    initial: { code, name: '', email: '', password: '', accountName: '', socialSetName: '', timezone: viewerZone() },
    check: {
      code: filled(t`Enter the code that was printed when Almanac started.`),
      name: filled(t`Enter your name.`),
      email: filled(t`Enter your email address.`),
      password: filled(t`Choose a password.`),
      accountName: filled(t`Enter the name of your company or team.`),
      socialSetName: filled(t`Enter the name of your first brand.`),
    },
    async send(values) {
      await call('POST /setup', { body: { ...values, code: values.code.trim() } })
      await enter()
    },
    explain: (error) => (hasCode(error, 'auth:wrong_setup_code') ? { code: error.message } : {}),
  })
  return (
    <Form form={form}>
      <PageTitle title={t`Set up Almanac`} />
      <Text>
        <Trans>Create the first account and become its owner. You can invite others later.</Trans>
      </Text>
      <ErrorSummary problems={form.problems} />
      <Refused error={form.rest} />
      {(code === '' || form.wrong.code) && (
        <>
          <Alert icon={<IconTerminal2 aria-hidden />}>
            <Trans>
              When Almanac started, it printed the address of this page with a code. Open that address, or enter the
              code here: it shows that the installation is yours.
            </Trans>
          </Alert>
          <TextInput label={t`Code`} autoComplete="off" spellCheck={false} {...form.text('code')} />
        </>
      )}
      <Divider label={t`You`} labelPosition="left" />
      <TextInput label={t`Your name`} autoComplete="name" {...form.text('name')} />
      <TextInput label={t`Email`} type="email" autoComplete="username" {...form.text('email')} />
      <NewPasswordInput label={t`Password`} {...form.text('password')} />
      <Divider label={t`Your account`} labelPosition="left" />
      <TextInput
        label={t`Name of the account`}
        description={t`Your company or team.`}
        autoComplete="organization"
        {...form.text('accountName')}
      />
      <TextInput
        label={t`First brand`}
        description={t`The brand whose calendar you plan. You can add more.`}
        autoComplete="off"
        {...form.text('socialSetName')}
      />
      <ZoneSelect
        label={t`Time zone`}
        description={t`The calendar shows times in it, and posts are published by it.`}
        value={form.values.timezone}
        onChange={(next) => form.set('timezone', next)}
        error={form.wrong.timezone}
      />
      <Button type="submit" loading={form.busy}>
        <Trans>Create account</Trans>
      </Button>
    </Form>
  )
}
