import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AccountType, ConnectionOverview, ConnectionSignIn, SocialSet } from '#contract'
import { Modal } from '../design/dialogs.tsx'
import { networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { useSocialSet } from '../frame/social-sets.ts'
import { wordsOfReason } from '../language/server-words.ts'
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

/** Connecting from its first word to the publishing defaults. What is open is in the address. */
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
  if (authorization !== undefined) return signIn ? t`Connect ${networkName(signIn.accountType)}` : t`Connect an account`
  if (connect !== undefined) {
    const type = overview.accountTypes.find(({ accountType }) => accountType === connect)
    return type ? t`Connect ${networkName(type.accountType)}` : t`Connect an account`
  }
  const connection = overview.connections.find(({ id }) => id === defaults)
  return connection ? t`Publishing defaults of ${connection.name}` : t`Publishing defaults`
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
    return <ConnectStep type={type} operators={overview.operators} connection={connection} socialSet={socialSet} />
  }
  const connection = overview.connections.find(({ id }) => id === flow.defaults)
  if (connection) return <DefaultsStep connection={connection} onDone={() => go({})} closeLabel={t`Cancel`} />
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
    return <ErrorState title={t`The result of the sign-in is not known`} error={error} onRetry={() => void refetch()} />
  }
  if (data?.status === 'CONNECTED' && !connection && readAgain) return <NotHere signIn={data} />
  if (!data || data.status === 'WORKING' || (data.status === 'CONNECTED' && !connection)) {
    return <LoadingRows label={t`Waiting for the network…`} />
  }
  if (data.status === 'CHOOSING') {
    return (
      <Step number={2} title={t`Choose the account`}>
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
        <Trans>{connection.name} is connected.</Trans>
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
      <Step number={3} title={t`Choose the defaults for its posts`}>
        {done}
        <DefaultsStep connection={connection} onDone={() => go({})} closeLabel={t`Later`} />
      </Step>
    )
  }
  return (
    <Stack>
      {done}
      <Text>
        <Trans>Posts for {networkName(connection.accountType)} will be published through it from now on.</Trans>
      </Text>
      <Group justify="flex-end">
        <Button data-autofocus onClick={() => go({})}>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

function Failed({ signIn, onAgain, onClose }: FailedProps) {
  const waiting = signIn.status === 'STARTED'
  return (
    <Stack>
      <Alert color={waiting ? 'yellow' : 'red'} role="alert" title={waiting ? undefined : t`Nothing was connected`}>
        {waiting ? t`The sign-in on the network is not finished yet.` : wordsOfReason(signIn)}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
        <Button data-autofocus onClick={() => onAgain(signIn.accountType)}>
          <Trans>Try again</Trans>
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
      <Text>
        <Trans>This account was connected to another brand.</Trans>
      </Text>
      <RouterButton to="/connections" search={{ set: socialSetId, authorization: id }}>
        <Trans>Show that brand</Trans>
      </RouterButton>
    </Stack>
  )
}

function NotThere() {
  return (
    <Text>
      <Trans>This no longer exists. Close this dialog and choose again.</Trans>
    </Text>
  )
}
