import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ConnectableType, ConnectedAnswer, SocialSet } from '#contract'
import { api } from '../api/client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { showDone } from '../design/toast.tsx'
import { connectionsChanged } from './queries.ts'
import { useFlow } from './use-flow.ts'

interface Fields {
  identifier: string
  password: string
  service: string
}

/** Connects an account with a password that its owner made for this. */
export function PasswordForm({ type, socialSet }: { type: ConnectableType; socialSet: SocialSet }) {
  const { go } = useFlow()
  const [failure, setFailure] = useState<unknown>(null)
  const { register, handleSubmit, formState } = useForm<Fields>({
    defaultValues: { identifier: '', password: '', service: '' },
  })
  const { errors, isSubmitting } = formState
  const connect = handleSubmit(async ({ identifier, password, service }) => {
    setFailure(null)
    try {
      const { accountType } = type
      const place = { socialSetId: socialSet.id, accountType }
      const named = service.trim()
      const body = { ...place, identifier: identifier.trim(), password, service: named === '' ? null : named }
      const connected = await api.post<ConnectedAnswer>('/connections/password', body)
      await connectionsChanged()
      showDone(`${connected.name} is ${connected.renewed ? 'connected again' : 'connected'}.`)
      go(connected.missingDefaults.length > 0 ? { defaults: connected.id } : {})
    } catch (error) {
      setFailure(error)
    }
  })
  return (
    <form onSubmit={(event) => void connect(event)} noValidate>
      <Stack>
        <TextInput
          label="Handle"
          placeholder="name.bsky.social"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          error={errors.identifier?.message}
          data-autofocus
          {...register('identifier', { required: 'Enter the handle of the account.' })}
        />
        <PasswordInput
          label="App password"
          description="Never the main password of the account."
          autoComplete="off"
          required
          withAsterisk={false}
          error={errors.password?.message}
          {...register('password', { required: 'Enter the app password.' })}
        />
        <TextInput
          label="Server (optional)"
          description="Only for accounts that a server of their own holds."
          placeholder="https://example.com"
          autoComplete="off"
          inputMode="url"
          {...register('service')}
        />
        <Failure error={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={isSubmitting}>
            Connect
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
