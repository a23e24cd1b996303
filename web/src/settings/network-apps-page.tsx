import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Code, Paper, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { networkAppsQuery } from './network-apps-requests.ts'
import { NetworkAppRow } from './network-apps-row.tsx'

/** The apps by which this installation reaches the networks. For its operators alone. */
export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery(networkAppsQuery)
  const { app: wanted } = useSearch({ from: '/member/settings/network-apps' })
  const [open, setOpen] = useState(wanted ?? null)
  return (
    <Stack gap="lg">
      <PageTitle title={t`Network apps`} />
      <Text c="dimmed">
        <Trans>
          Most networks let people connect accounts only through an app that you create there. Enter its id and secret
          here. They apply to the whole installation, at once and without a restart.
        </Trans>
      </Text>
      {data && !data.secure && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={t`Networks may not send people back here`}
        >
          <Trans>
            This installation’s address is <Code>{data.publicUrl}</Code>, and most networks only accept addresses with
            https. Set <Code>ALMANAC_PUBLIC_URL</Code>.
          </Trans>
        </Alert>
      )}
      {isPending ? (
        <LoadingRows rows={8} height={52} />
      ) : data ? (
        <Paper withBorder component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Network apps`}>
          {data.apps.map((app) => (
            <NetworkAppRow
              key={app.id}
              app={app}
              open={app.id === open}
              asked={app.id === wanted}
              onToggle={() => setOpen(app.id === open ? null : app.id)}
            />
          ))}
        </Paper>
      ) : (
        <ErrorState title={t`The apps could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  )
}
