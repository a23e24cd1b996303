import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AccountType, ConnectionOverview, ConnectionSignIn, SocialSet } from '#contract'
import { Modal } from '../design/dialogs.tsx'
import { networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../shell/links.tsx'
import { useSocialSet } from '../shell/social-sets.ts'
import { ChooseAccount } from './choose-account.tsx'
import { ConnectStep } from './connect-step.tsx'
import { DefaultsStep } from './defaults-step.tsx'
import { connectionsChanged, signInQuery } from './queries.ts'
import { Step } from './step.tsx'
import { type Flow, isOpen, returnFocus, useFlow } from './use-flow.ts'

interface FlowDialogProps {
  socialSet: SocialSet
  overview: ConnectionOverview
}

/** Connecting from its first word to the publishing defaults. What is open stands in the address. */
export function FlowDialog({ socialSet, overview }: FlowDialogProps) {
  const { flow, go } = useFlow()
  const opened = isOpen(flow)
  // What was open stays in sight while the dialog closes.
  const last = useRef<Flow>({})
  if (opened) last.current = flow
  const shown = last.current
  const title = useTitle(shown, overview)
  return (
    <Modal
      opened={opened}
      onClose={() => go({})}
      onExitTransitionEnd={() => {
        returnFocus()
        last.current = {}
      }}
      returnFocus={false}
      title={title}
      centered
      size="lg"
    >
      <Steps flow={shown} socialSet={socialSet} overview={overview} />
    </Modal>
  )
}

function useTitle({ connect, authorization, defaults }: Flow, overview: ConnectionOverview): string {
  const { data: signIn } = useQuery({ ...signInQuery(authorization ?? ''), enabled: authorization !== undefined })
  if (authorization !== undefined) return signIn ? `Connect ${networkName(signIn.accountType)}` : 'Connect an account'
  if (connect !== undefined) {
    const type = overview.accountTypes.find(({ accountType }) => accountType === connect)
    return type ? `Connect ${networkName(type.accountType)}` : 'Connect an account'
  }
  const connection = overview.connections.find(({ id }) => id === defaults)
  return connection ? `Publishing defaults of ${connection.name}` : 'Publishing defaults'
}

function Steps({ flow, socialSet, overview }: FlowDialogProps & { flow: Flow }) {
  const { go } = useFlow()
  if (flow.authorization !== undefined) {
    return <SignInStep key={flow.authorization} id={flow.authorization} overview={overview} />
  }
  if (flow.connect !== undefined) {
    const type = overview.accountTypes.find(({ accountType }) => accountType === flow.connect)
    if (!type) return <NotThere />
    const connection = overview.connections.find(({ accountType }) => accountType === type.accountType) ?? null
    return <ConnectStep type={type} connection={connection} socialSet={socialSet} />
  }
  const connection = overview.connections.find(({ id }) => id === flow.defaults)
  if (connection) return <DefaultsStep connection={connection} onDone={() => go({})} closeLabel="Cancel" />
  return flow.defaults === undefined ? null : <NotThere />
}

/** A sign-in that came back from the network: what it came to, and what comes next. */
function SignInStep({ id, overview }: { id: string; overview: ConnectionOverview }) {
  const { go } = useFlow()
  const { data, error, refetch } = useQuery(signInQuery(id))
  const connectionId = data?.connectionId ?? null
  const connection = overview.connections.find((each) => each.id === connectionId)
  const [readAgain, setReadAgain] = useState(false)
  // The screen may have been read before the sign-in ended.
  useEffect(() => {
    if (connectionId !== null && !connection) void connectionsChanged().then(() => setReadAgain(true))
  }, [connectionId, connection])
  if (error && !data) {
    return <ErrorState title="What became of the sign-in is not known" error={error} onRetry={() => void refetch()} />
  }
  if (data?.status === 'CONNECTED' && !connection && readAgain) return <NotHere signIn={data} />
  if (!data || data.status === 'WORKING' || (data.status === 'CONNECTED' && !connection)) {
    return <LoadingRows label="Asking the network…" />
  }
  if (data.status === 'CHOOSING') {
    return (
      <Step number={2} title="Choose the account">
        <ChooseAccount signIn={data} />
      </Step>
    )
  }
  if (data.status === 'CONNECTED' && connection) {
    return <ConnectedStep connection={connection} />
  }
  return <Failed signIn={data} onAgain={(accountType) => go({ connect: accountType })} onClose={() => go({})} />
}

function ConnectedStep({ connection }: { connection: ConnectionOverview['connections'][number] }) {
  const { go } = useFlow()
  const done = (
    <>
      <Alert color="teal" variant="light" role="status">
        {connection.name} is connected.
      </Alert>
      {connection.warning && (
        <Alert color="yellow" variant="light" role="alert">
          {connection.warning}
        </Alert>
      )}
    </>
  )
  if (connection.hasDefaults) {
    return (
      <Step number={3} title="Choose what its posts have in common">
        {done}
        <DefaultsStep connection={connection} onDone={() => go({})} closeLabel="Later" />
      </Step>
    )
  }
  return (
    <Stack>
      {done}
      <Text>Posts for {networkName(connection.accountType)} go out through it from now on.</Text>
      <Group justify="flex-end">
        <Button data-autofocus onClick={() => go({})}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

function Failed({ signIn, onAgain, onClose }: FailedProps) {
  const waiting = signIn.status === 'STARTED'
  return (
    <Stack>
      <Alert color={waiting ? 'yellow' : 'red'} role="alert" title={waiting ? undefined : 'Nothing was connected'}>
        {waiting ? 'Nobody has come back from the network yet.' : signIn.message}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button data-autofocus onClick={() => onAgain(signIn.accountType)}>
          Try again
        </Button>
      </Group>
    </Stack>
  )
}

interface FailedProps {
  signIn: ConnectionSignIn
  onAgain: (accountType: AccountType) => void
  onClose: () => void
}

/** It was disconnected since, or is of another social set. */
function NotHere({ signIn: { id, socialSetId } }: { signIn: ConnectionSignIn }) {
  const { socialSet } = useSocialSet()
  if (socialSet?.id === socialSetId) return <NotThere />
  return (
    <Stack align="flex-start">
      <Text>This account was connected to another social set.</Text>
      <RouterButton to="/connections" search={{ set: socialSetId, authorization: id }}>
        Show that social set
      </RouterButton>
    </Stack>
  )
}

function NotThere() {
  return <Text>This is not there any more. Close this and choose again.</Text>
}
