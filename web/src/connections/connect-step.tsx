import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectableType, Connection, SocialSet } from '#contract'
import { basePath } from '../api/base.ts'
import { change } from '../api/change.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { showDone } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { RouterButton } from '../frame/links.tsx'
import { PasswordForm } from './password-form.tsx'
import { offeredSignIns, SignInChoice } from './sign-in-choice.tsx'
import { Step } from './step.tsx'
import { signInThere, useFlow } from './use-flow.ts'
import { whatWeAsk } from './what-we-ask.ts'

interface ConnectStepProps {
  type: ConnectableType
  /** Names of members who can set up what is not. */
  operators: readonly string[]
  /** The account that is connected now; null for none. */
  connection: Connection | null
  socialSet: SocialSet
}

/** What Almanac asks for and why, and the way to the network; or what the operator has to do first. */
export function ConnectStep({ type, operators, connection, socialSet }: ConnectStepProps) {
  const { accountType, title, way } = type
  const { needs, asks } = whatWeAsk[accountType]
  const offered = offeredSignIns(type)
  const [chosen, choose] = useState(connection?.signIn ?? null)
  const signIn = offered.find(({ name }) => name === chosen) ?? offered[0]
  const { configured } = signIn ?? type
  const place = { socialSetId: socialSet.id, accountType, ...(signIn ? { signIn: signIn.name } : {}) }
  const withDemo = type.sandbox && !connection
  const leaves = configured && way === 'SIGN_IN'
  const leaving = useMutation({ mutationFn: () => signInThere({ ...place, sandbox: false }) })
  return (
    <Step
      number={way === 'PASSWORD' ? null : 1}
      title={way === 'PASSWORD' ? t`Enter an app password` : t`Sign in on ${title}`}
    >
      {needs && <Text>{i18n._(needs)}</Text>}
      {signIn && <SignInChoice type={type} offered={offered} chosen={signIn} onChoose={choose} />}
      <div>
        <Text>
          <Trans>Almanac asks to:</Trans>
        </Text>
        <List mt={4} spacing={4} withPadding>
          {asks.map((each) => (
            <List.Item key={each.id}>{i18n._(each)}</List.Item>
          ))}
        </List>
      </div>
      <Anchor href={`${basePath}/docs/networks/${type.network}`} target="_blank" rel="noopener">
        <Trans>More about {title} (opens a new tab)</Trans>
      </Anchor>
      {!configured && <Missing type={type} operators={operators} />}
      {configured && way === 'PASSWORD' && <PasswordForm type={type} socialSet={socialSet} />}
      <Failure error={leaving.error} />
      {(withDemo || leaves) && (
        <Group justify="flex-end">
          {withDemo && <DemoAccountButton type={type} place={place} />}
          {leaves && (
            <Button data-autofocus loading={leaving.isPending} onClick={() => leaving.mutate()}>
              <Trans>Continue to {title}</Trans>
            </Button>
          )}
        </Group>
      )}
    </Step>
  )
}

/** Leads an operator to the app of the network; shows all others whom to ask. */
function Missing({ type, operators }: Pick<ConnectStepProps, 'type' | 'operators'>) {
  const { operator } = useSession()
  const { title, network } = type
  const names = listOf(operators)
  return (
    <Alert color="gray" variant="light" title={t`${title} is not set up on this installation`}>
      {operator ? (
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            <Trans>
              This network requires an app of your own. Create one there, then enter its id and secret here.
            </Trans>
          </Text>
          <RouterButton
            to="/settings/network-apps"
            search={{ app: network }}
            data-autofocus={!type.sandbox || undefined}
          >
            <Trans>Set up {title}</Trans>
          </RouterButton>
        </Stack>
      ) : (
        <Text size="sm">
          {operators.length > 0
            ? t`To connect accounts here, ask ${names} to set up ${title}.`
            : t`To connect accounts here, ask the person who operates this installation to set up ${title}.`}
        </Text>
      )}
    </Alert>
  )
}

type Place = Omit<Parameters<typeof signInThere>[0], 'sandbox'>

/** A demo account: by the simulator's own sign-in where there is one, else at once. */
function DemoAccountButton({ type, place }: { type: ConnectableType; place: Place }) {
  const { go } = useFlow()
  const { accountType, way } = type
  const connecting = useMutation({
    mutationFn: async () => {
      if (way === 'SIGN_IN') return signInThere({ ...place, sandbox: true })
      await change('POST /connections/sandbox', {
        body: {
          socialSetId: place.socialSetId,
          accountTypes: [accountType],
        },
      })
      showDone(t`A demo account is connected.`)
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
        <Trans>Try with a demo account</Trans>
      </Button>
    </>
  )
}
