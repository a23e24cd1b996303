import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Alert, Button, PasswordInput, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectionSignIn } from '#contract'
import { change } from '../api/change.ts'
import { Failure } from '../design/confirm-action.tsx'
import { explainPassword, Form, FormButtons, useForm } from '../design/form.tsx'
import { has } from '../design/searched.ts'
import { wordsOfReason } from '../language/server-words.ts'
import { connectionsChanged } from './queries.ts'
import { renew, useFlow } from './use-flow.ts'

/** More accounts than these are searched. */
const MANY = 7

/** The accounts that a sign-in gave, to choose one. When another one is connected, it asks which one to keep. */
export function ChooseAccount({ signIn }: { signIn: ConnectionSignIn }) {
  const { accounts, replaces } = signIn
  const initial: { externalId: string | null; password: string } = {
    externalId: accounts.length === 1 ? (accounts[0]?.externalId ?? null) : null,
    password: '',
  }
  const form = useForm({
    initial,
    check: {
      externalId: (value) => (value === null ? t`Choose an account.` : null),
      password: (value) => (replaces && value === '' ? t`Enter your password.` : null),
    },
    async send({ externalId, password }) {
      if (externalId === null) return
      const body = replaces ? { externalId, password } : { externalId }
      // The sign-in is connected then: the next step shows.
      await change('POST /connections/authorizations/:id/choose', { params: { id: signIn.id }, body })
    },
    explain: explainPassword,
  })
  const picked = accounts.find((account) => account.externalId === form.values.externalId)
  return (
    <Form form={form}>
      {replaces && <Other signIn={signIn} replaces={replaces} message={wordsOfReason(signIn)} />}
      <Accounts
        accounts={accounts}
        chosen={form.values.externalId}
        error={form.wrong.externalId}
        onChoose={(id) => form.set('externalId', id)}
      />
      {replaces && (
        <PasswordInput
          label={t`Your password`}
          description={
            picked
              ? t`To replace ${replaces.name} with ${picked.name}.`
              : t`To replace ${replaces.name} with this account.`
          }
          autoComplete="current-password"
          {...form.text('password')}
        />
      )}
      <Failure error={form.rest} />
      <FormButtons
        form={form}
        submit={replaces ? t`Replace ${replaces.name}` : t`Connect`}
        danger={replaces !== null}
      />
    </Form>
  )
}

function Other({ signIn, replaces, message }: OtherProps) {
  const { go } = useFlow()
  const again = useMutation({
    mutationFn: async () => {
      if (await renew(replaces.id)) await connectionsChanged()
      go({})
    },
  })
  const { name } = replaces
  return (
    <Alert role="alert" color="yellow" variant="light" title={t`This is a different account`}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{message}</Text>
        <Text size="sm">
          <Plural
            value={replaces.scheduledSets}
            _0={`Sign in again as ${name}, or replace it with the other account.`}
            one={`Sign in again as ${name}, or let the other account take over its # scheduled post.`}
            other={`Sign in again as ${name}, or let the other account take over its # scheduled posts.`}
          />
        </Text>
        <Failure error={again.error} />
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()} key={signIn.id}>
          <Trans>Sign in again as {replaces.name}</Trans>
        </Button>
      </Stack>
    </Alert>
  )
}

interface OtherProps {
  signIn: ConnectionSignIn
  replaces: NonNullable<ConnectionSignIn['replaces']>
  message: string | null
}

function Accounts({ accounts, chosen, error, onChoose }: AccountsProps) {
  const [wanted, setWanted] = useState('')
  const many = accounts.length > MANY
  const found = accounts.filter(({ name, username }) => has(`${name} ${username ?? ''}`, wanted.trim()))
  return (
    <Stack gap="xs">
      {many && (
        <TextInput
          label={plural(accounts.length, { one: 'Search # account', other: 'Search # accounts' })}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Radio.Group label={t`Account`} value={chosen} onChange={onChoose} error={error}>
        <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: -1 }}>
          <Stack gap="sm" py="xs" ps={2}>
            {found.map((account) => (
              <Radio
                key={account.externalId}
                value={account.externalId}
                label={account.name}
                description={account.username}
              />
            ))}
            {found.length === 0 && (
              <Text size="sm">
                <Trans>No account has this name.</Trans>
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      </Radio.Group>
    </Stack>
  )
}

interface AccountsProps {
  accounts: ConnectionSignIn['accounts']
  chosen: string | null
  error: string | undefined
  onChoose: (externalId: string) => void
}
