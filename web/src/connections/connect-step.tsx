import { Alert, Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ConnectableType, ConnectedSandbox, Connection, SocialSet } from '#contract'
import { basePath } from '../api/base.ts'
import { api } from '../api/client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { showDone } from '../design/toast.tsx'
import { PasswordForm } from './password-form.tsx'
import { connectionsChanged } from './queries.ts'
import { Step } from './step.tsx'
import { signInThere, useFlow } from './use-flow.ts'
import { whatWeAsk } from './what-we-ask.ts'

interface ConnectStepProps {
  type: ConnectableType
  /** The account that is connected now; null for none. */
  connection: Connection | null
  socialSet: SocialSet
}

/** What Almanac asks for and why, and the way to the network; or what the operator has to do first. */
export function ConnectStep({ type, connection, socialSet }: ConnectStepProps) {
  const { accountType, title, way, configured } = type
  const { needs, asks } = whatWeAsk[accountType]
  const place = { socialSetId: socialSet.id, accountType }
  const pretend = type.sandbox && !connection
  const leaves = configured && way === 'SIGN_IN'
  const leaving = useMutation({ mutationFn: () => signInThere({ ...place, sandbox: false }) })
  return (
    <Step
      number={way === 'PASSWORD' ? null : 1}
      title={way === 'PASSWORD' ? 'Give an app password' : `Sign in on ${title}`}
    >
      {needs && <Text>{needs}</Text>}
      <div>
        <Text>Almanac asks to:</Text>
        <List mt={4} spacing={4} withPadding>
          {asks.map((each) => (
            <List.Item key={each}>{each}</List.Item>
          ))}
        </List>
      </div>
      <Anchor href={`${basePath}/docs/networks/${type.network}`} target="_blank" rel="noopener">
        More about {title} (opens a new tab)
      </Anchor>
      {!configured && <Missing type={type} />}
      {configured && way === 'PASSWORD' && <PasswordForm type={type} socialSet={socialSet} />}
      <Failure error={leaving.error} />
      {(pretend || leaves) && (
        <Group justify="flex-end">
          {pretend && <PretendButton type={type} socialSet={socialSet} />}
          {leaves && (
            <Button data-autofocus loading={leaving.isPending} onClick={() => leaving.mutate()}>
              Go on to {title}
            </Button>
          )}
        </Group>
      )}
    </Step>
  )
}

function Missing({ type }: { type: ConnectableType }) {
  return (
    <Alert color="gray" variant="light" title={`${type.title} is not set up on this installation`}>
      <Stack gap="xs">
        <Text size="sm">
          The network wants an app of your own. Whoever operates this installation makes one and sets these environment
          variables:
        </Text>
        <List size="sm" spacing={4} withPadding>
          {type.missingSettings.map(({ name, description }) => (
            <List.Item key={name}>
              <Code>{name}</Code> {description}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  )
}

/** A pretend account: by the pretend network's own sign-in where there is one, else at once. */
function PretendButton({ type, socialSet }: { type: ConnectableType; socialSet: SocialSet }) {
  const { go } = useFlow()
  const { accountType, way } = type
  const connecting = useMutation({
    mutationFn: async () => {
      const place = { socialSetId: socialSet.id, accountType }
      if (way === 'SIGN_IN') return signInThere({ ...place, sandbox: true })
      await api.post<ConnectedSandbox>('/connections/sandbox', {
        socialSetId: place.socialSetId,
        accountTypes: [accountType],
      })
      await connectionsChanged()
      showDone('A pretend account is connected.')
      go({})
    },
  })
  return (
    <>
      <Failure error={connecting.error} />
      <Button
        variant="default"
        leftSection={<IconFlask size={18} aria-hidden />}
        loading={connecting.isPending}
        onClick={() => connecting.mutate()}
        {...(type.configured ? {} : { 'data-autofocus': true })}
      >
        Try with a pretend account
      </Button>
    </>
  )
}
