import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Code, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconChevronDown, IconCircleDashed, IconLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { NetworkApp } from '#contract'
import { useConfirmPassword } from '../design/confirm.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { showDone } from '../design/toast.tsx'
import { RouterButton } from '../frame/links.tsx'
import classes from './network-apps.module.css'
import { NetworkAppDialog } from './network-apps-form.tsx'
import { CallbackAddress, HowToGetApp } from './network-apps-origin.tsx'
import { checkNetworkApp, removeNetworkApp } from './network-apps-requests.ts'
import { resultWords, titleOf } from './network-apps-words.ts'

interface NetworkAppRowProps {
  app: NetworkApp
  open: boolean
  /** By the link that leads here: it is asked for id and secret at once. */
  asked: boolean
  onToggle: () => void
}

/** One app in a line: whether it is set. Open, by whom, the address that it has to list, and what can be done. */
export function NetworkAppRow({ app, open, asked, onToggle }: NetworkAppRowProps) {
  const title = titleOf(app)
  const id = useId()
  const dialog = useDialogState<true>()
  const [linked, setLinked] = useState(asked && app.source !== 'ENVIRONMENT')
  const confirmPassword = useConfirmPassword()
  const checking = useMutation({ mutationFn: () => checkNetworkApp(app) })
  const complete = app.appId !== null && app.missingVariables.length === 0
  const close = () => {
    setLinked(false)
    dialog.close()
  }
  const saved = () => {
    close()
    if (app.checkable) checking.mutate()
  }
  const remove = () =>
    confirmPassword({
      title: t`Remove the app on ${title}?`,
      children: (
        <Text size="sm">
          <Trans>
            No more accounts can be connected on {title}. Connected accounts stay, but end when their access has to be
            renewed.
          </Trans>
        </Text>
      ),
      confirmLabel: t`Remove`,
      danger: true,
      run: async (password) => {
        await removeNetworkApp(app, password)
        checking.reset()
        showDone(t`Removed: ${title}`)
      },
    })
  const content = () => (
    <Stack component="section" gap="sm" className={classes.content} aria-label={title}>
      {!app.needed && (
        <Text size="sm" c="dimmed">
          <Trans>Optional: accounts can be connected without it.</Trans>
        </Text>
      )}
      <State app={app} />
      {app.appId !== null && (
        <Text size="sm">
          <Trans>
            Id <Code>{app.appId}</Code>
          </Trans>
          {' · '}
          {app.secretSet ? t`Secret set, never shown` : t`No secret`}
        </Text>
      )}
      <CallbackAddress app={app} />
      <div role="status">
        {checking.isPending && <Text size="sm">{t`Asking ${title}…`}</Text>}
        {checking.data && <Result works={checking.data === 'WORKS'}>{resultWords(checking.data, title)}</Result>}
      </div>
      <Failure error={checking.error} />
      <Group gap="sm">
        {app.source !== 'ENVIRONMENT' && (
          <Button
            variant={complete ? 'default' : 'filled'}
            onClick={() => dialog.open(true)}
            aria-label={complete ? t`Replace id and secret of ${title}` : t`Enter id and secret of ${title}`}
          >
            {complete ? t`Replace` : t`Enter id and secret`}
          </Button>
        )}
        {complete && app.checkable && (
          <Button
            variant="default"
            loading={checking.isPending}
            onClick={() => checking.mutate()}
            aria-label={t`Check ${title}`}
          >
            <Trans>Check</Trans>
          </Button>
        )}
        {complete && (
          <RouterButton to="/connections" variant="default" aria-label={t`Connect an account on ${title}`}>
            <Trans>Connect an account</Trans>
          </RouterButton>
        )}
        {(app.source === 'STORED' || app.source === 'UNREADABLE') && (
          <Button variant="subtle" color="red" onClick={() => void remove()} aria-label={t`Remove the app on ${title}`}>
            <Trans>Remove…</Trans>
          </Button>
        )}
        <HowToGetApp app={app} />
      </Group>
    </Stack>
  )
  return (
    <li className={classes.item}>
      <Title order={2} className={classes.title}>
        <UnstyledButton className={classes.row} aria-expanded={open} aria-controls={id} onClick={onToggle}>
          {app.accountTypes[0] && <NetworkIcon accountType={app.accountTypes[0]} size={22} decorative />}
          <span className={classes.name}>{title}</span>
          <InShort app={app} />
          <IconChevronDown size={16} className={classes.chevron} aria-hidden />
        </UnstyledButton>
      </Title>
      <div id={id}>{open && content()}</div>
      {(linked || dialog.asked) && <NetworkAppDialog app={app} onSaved={saved} onClose={close} />}
    </li>
  )
}

/** Whether an app is set, in a word or two. */
function InShort({ app: { source, missingVariables, needed } }: { app: NetworkApp }) {
  const [tone, Icon, words] =
    source === 'UNREADABLE'
      ? (['danger', IconAlertTriangle, t`Cannot be read`] as const)
      : missingVariables.length > 0 && source === 'ENVIRONMENT'
        ? (['warn', IconAlertTriangle, t`Set only in part`] as const)
        : source === 'NONE'
          ? (['dim', null, needed ? t`Not set up` : t`Not needed`] as const)
          : (['ok', IconCheck, t`Configured`] as const)
  return (
    <span className={classes.state} data-tone={tone}>
      {Icon && <Icon size={16} aria-hidden />}
      {words}
    </span>
  )
}

function State({ app }: { app: NetworkApp }) {
  const { source, setAt, setBy, idVariable, secretVariable, missingVariables } = app
  if (source === 'ENVIRONMENT') {
    return (
      <Stack gap="xs">
        <Line icon={<IconLock size={18} aria-hidden />}>
          <Trans>
            Set in the environment, by <Code>{idVariable}</Code> and <Code>{secretVariable}</Code>. It wins over what is
            entered here, and can only be changed there.
          </Trans>
        </Line>
        {missingVariables.length > 0 && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t`Set only in part`}>
            <Trans>
              Also set <Code>{missingVariables.join(', ')}</Code>, then restart Almanac.
            </Trans>
          </Alert>
        )}
      </Stack>
    )
  }
  if (source === 'UNREADABLE') {
    return (
      <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t`Cannot be read`}>
        <Trans>
          Id and secret were encrypted with a secret key that is not set any more. Set that key behind the new one (
          <Code>ALMANAC_SECRET_KEY=new,old</Code>) and restart Almanac. If the key is lost, enter id and secret again.
        </Trans>
      </Alert>
    )
  }
  if (source === 'NONE') {
    return (
      <Line icon={<IconCircleDashed size={18} aria-hidden />}>
        <Trans>Not set up.</Trans>
      </Line>
    )
  }
  return (
    <Line icon={<IconCheck size={18} aria-hidden />}>
      <Trans>Entered by {setBy}</Trans>
      {setAt && (
        <>
          {', '}
          <RelativeTime instant={setAt} />
        </>
      )}
    </Line>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <span style={{ flex: 'none', marginTop: 1 }}>{icon}</span>
      <Text size="sm">{children}</Text>
    </Group>
  )
}

function Result({ works, children }: { works: boolean; children: ReactNode }) {
  return (
    <Alert
      color={works ? 'green' : 'yellow'}
      variant="light"
      icon={works ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
    >
      {children}
    </Alert>
  )
}
