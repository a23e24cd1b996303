import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { hasCode } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { announce } from '../design/announce.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { Form, filled, useForm } from '../design/form.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { Refused } from './refused.tsx'

/** Asks for a code of the app, or a backup code. */
export function SecondStep({ onPassed, onBack }: { onPassed: () => Promise<void>; onBack: () => void }) {
  const [kind, setKind] = useState<'app' | 'backup'>('app')
  const app = kind === 'app'
  const form = useForm({
    summary: true,
    initial: { code: '' },
    check: { code: filled(app ? t`Enter the code from your app.` : t`Enter one of your backup codes.`) },
    async send(body) {
      await call('POST /session/second-step', { body })
      await onPassed()
    },
    explain: (error) => (hasCode(error, 'auth:wrong_sign_in') ? { code: error.message } : {}),
  })
  const other = () => {
    setKind(app ? 'backup' : 'app')
    form.reset()
    announce(app ? t`Enter one of your backup codes.` : t`Enter the code from your app.`)
  }
  const over = hasCode(form.rest, 'auth:second_step_over')
  return (
    <Form form={form}>
      <PageTitle title={t`Second step`} />
      <ErrorSummary problems={form.problems} />
      <Refused error={form.rest} />
      <Text size="sm">
        {app
          ? t`Open your authenticator app and enter the code that it shows for Almanac.`
          : t`Enter one of the backup codes that you saved. Each works once.`}
      </Text>
      <TextInput
        // Another field: a browser does not offer the codes of one for the other.
        key={kind}
        label={app ? t`Code` : t`Backup code`}
        autoComplete={app ? 'one-time-code' : 'off'}
        inputMode={app ? 'numeric' : 'text'}
        maxLength={50}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.text('code')}
      />
      <Button type="submit" loading={form.busy}>
        <Trans>Sign in</Trans>
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={other}>
        {app ? t`Use a backup code` : t`Use the code of the app`}
      </Anchor>
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {over ? t`Enter the password again` : t`Back to the password`}
      </Anchor>
      {!app && (
        <Text size="xs" c="dimmed">
          <Trans>No codes left? The operator of this installation can remove your second step.</Trans>
        </Text>
      )}
    </Form>
  )
}
