import { Alert, Button, Group, PasswordInput, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ConnectedAnswer, ConnectionSignIn } from '#contract'
import { api } from '../api/client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { count } from '../design/words.ts'
import { connectionsChanged } from './queries.ts'
import { renew, useFlow } from './use-flow.ts'

/** More accounts than these are searched. */
const MANY = 7

/** The accounts that a sign-in gave, to choose one. When another one is connected, it is asked which it shall be. */
export function ChooseAccount({ signIn }: { signIn: ConnectionSignIn }) {
  const { accounts, replaces, message } = signIn
  const [externalId, setExternalId] = useState(accounts.length === 1 ? (accounts[0]?.externalId ?? null) : null)
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const choosing = useMutation({
    mutationFn: (body: { externalId: string; password?: string }) =>
      api.post<ConnectedAnswer>(`/connections/authorizations/${signIn.id}/choose`, body),
    // The sign-in is connected then: the next step shows.
    onSuccess: connectionsChanged,
  })
  const wrong = passwordProblem(choosing.error)
  const picked = accounts.find((account) => account.externalId === externalId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (externalId === null) return setMissing('Choose an account.')
    if (replaces && password === '') return setMissing('Enter your password.')
    setMissing(null)
    choosing.mutate(replaces ? { externalId, password } : { externalId })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {replaces && <Other signIn={signIn} replaces={replaces} message={message} />}
        <Accounts
          accounts={accounts}
          chosen={externalId}
          error={externalId === null ? missing : null}
          onChoose={(id) => {
            setExternalId(id)
            setMissing(null)
          }}
        />
        {replaces && (
          <PasswordInput
            label="Your password"
            description={`To put ${picked?.name ?? 'this account'} in the place of ${replaces.name}.`}
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              setMissing(null)
            }}
            error={wrong ?? (externalId === null ? null : missing)}
          />
        )}
        {!wrong && <Failure error={choosing.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={choosing.isPending} {...(replaces ? { color: 'red' } : {})}>
            {replaces ? `Replace ${replaces.name}` : 'Connect'}
          </Button>
        </Group>
      </Stack>
    </form>
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
  return (
    <Alert role="alert" color="yellow" variant="light" title="Not the account that is connected">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{message}</Text>
        <Text size="sm">
          Sign in again as {replaces.name}, or let the other account take its place
          {replaces.scheduledSets === 0 ? '.' : ` and its ${count(replaces.scheduledSets, 'scheduled post set')}.`}
        </Text>
        <Failure error={again.error} />
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()} key={signIn.id}>
          Sign in again as {replaces.name}
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
  const words = wanted.trim().toLowerCase()
  const found = accounts.filter(({ name, username }) => `${name} ${username ?? ''}`.toLowerCase().includes(words))
  return (
    <Stack gap="xs">
      {many && (
        <TextInput
          label={`Search among ${accounts.length} accounts`}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Radio.Group label="Account" value={chosen} onChange={onChoose} error={error}>
        <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: -1 }}>
          <Stack gap="sm" py="xs" pl={2}>
            {found.map((account) => (
              <Radio
                key={account.externalId}
                value={account.externalId}
                label={account.name}
                description={account.username}
              />
            ))}
            {found.length === 0 && <Text size="sm">No account is called that.</Text>}
          </Stack>
        </ScrollArea.Autosize>
      </Radio.Group>
    </Stack>
  )
}

interface AccountsProps {
  accounts: ConnectionSignIn['accounts']
  chosen: string | null
  error: string | null
  onChoose: (externalId: string) => void
}
