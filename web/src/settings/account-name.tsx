import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, TextInput } from '@mantine/core'
import { change } from '../api/change.ts'
import { useMay, useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Form, filled, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { Section } from './profile-section.tsx'

/** What the account is called; for owners, with another name. */
export function AccountName() {
  const { account } = useSession()
  const manages = useMay('account:manage')
  return (
    <Section
      title={t`Account`}
      description={t`People you invite see this name, and so do people with several accounts.`}
    >
      {manages ? (
        <NameForm key={account.name} name={account.name} />
      ) : (
        <TextInput
          label={t`Name of the account`}
          description={t`Owners can change it.`}
          value={account.name}
          readOnly
        />
      )}
    </Section>
  )
}

function NameForm({ name }: { name: string }) {
  const form = useForm({
    initial: { name },
    check: { name: filled(t`Enter a name.`) },
    async send(body) {
      await change('PATCH /account', { body })
      showDone(t`The account is renamed.`)
    },
  })
  return (
    <Form form={form}>
      <TextInput label={t`Name of the account`} autoComplete="organization" {...form.text('name')} />
      <Failure error={form.rest} />
      <Group>
        <Button type="submit" variant="default" loading={form.busy}>
          <Trans>Rename</Trans>
        </Button>
      </Group>
    </Form>
  )
}
