import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PasswordInput, Text, TextInput } from '@mantine/core'
import type { NetworkApp } from '#contract'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { explainPassword, Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { CallbackAddress, HowToGetApp } from './network-apps-origin.tsx'
import { setNetworkApp } from './network-apps-requests.ts'
import { aboutId, aboutSecret, titleOf } from './network-apps-words.ts'

interface NetworkAppFormProps {
  app: NetworkApp
  onSaved: () => void
  onClose: () => void
}

/** Asks for id and secret of an app, which take the place of those before; where there is none, with what is needed to get one. */
export function NetworkAppDialog({ app, onSaved, onClose }: NetworkAppFormProps) {
  const wide = useIsWide()
  const title = titleOf(app)
  const form = useForm({
    initial: { appId: app.appId ?? '', secret: '', password: '' },
    check: {
      appId: filled(t`Enter the id.`),
      ...(app.secretNeeded ? { secret: filled(t`Enter the secret.`) } : {}),
      password: (value) => (value === '' ? t`Enter your password.` : null),
    },
    async send({ appId, secret, password }) {
      await setNetworkApp(app, { appId: appId.trim(), secret: secret.trim() === '' ? null : secret.trim(), password })
      showDone(t`Saved: ${title}`)
      onSaved()
    },
    explain: explainPassword,
  })
  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={t`App on ${title}`}
      size="lg"
      fullScreen={!wide}
      returnFocus={false}
      closeOnClickOutside={false}
    >
      <Form form={form}>
        {app.appId === null && (
          <>
            <HowToGetApp app={app} />
            <CallbackAddress app={app} />
          </>
        )}
        <TextInput
          label={t`Id`}
          description={aboutId(app)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.text('appId')}
        />
        <PasswordInput
          label={app.secretNeeded ? t`Secret` : t`Secret (optional)`}
          description={aboutSecret(app)}
          // A password that the browser knows is not this one.
          autoComplete="new-password"
          {...form.text('secret')}
        />
        <Text size="sm" c="dimmed">
          <Trans>The secret is stored encrypted and is never shown again.</Trans>
        </Text>
        <PasswordInput
          label={t`Your password`}
          description={t`Confirms that it is you.`}
          autoComplete="current-password"
          {...form.text('password')}
        />
        <Failure error={form.rest} />
        <FormButtons form={form} submit={t`Save`} onCancel={onClose} />
      </Form>
    </Modal>
  )
}
