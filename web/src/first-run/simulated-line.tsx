import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon } from '@mantine/core'
import { IconInfoCircle, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import type { SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { RouterButton } from '../frame/links.tsx'
import { connectionsQuery } from '../planning/connections-query.ts'
import { useDismissed } from './dismissed.ts'
import classes from './first-run.module.css'
import { SetUpMenu } from './set-up-menu.tsx'

// Most brands are shared with no one.
const ClientLook = lazy(() => import('./client-look.tsx').then(({ ClientLook }) => ({ default: ClientLook })))

/**
 * Says of a brand whose accounts are demo accounts that its networks are simulated, with the way to a real one. In a few
 * words (`short`) where more important things are beside it.
 */
export function SimulatedLine({ socialSet, short }: { socialSet: SocialSet; short: boolean }) {
  const { t } = useLingui()
  const mayConnect = useMay('connections:manage')
  const mayShare = useMay('shared-calendars:manage')
  const [hidden, hide] = useDismissed(`simulated.${socialSet.id}`)
  const [real, setReal] = useDismissed(`real.${socialSet.id}`)
  const asked = !hidden && socialSet.accounts.length > 0
  const { data, isPending } = useQuery({ ...connectionsQuery(socialSet.id), enabled: asked })
  const demo = data?.connections.filter(({ sandbox }) => sandbox) ?? []
  const isReal = data !== undefined && demo.length === 0
  useEffect(() => {
    if (isReal) setReal()
  }, [isReal, setReal])
  // Its place is kept, so that the calendar does not jump when it comes; not where it did not come the last time.
  if (asked && isPending && !real) return <div className={classes.line} data-short={short || undefined} />
  if (!asked || demo.length === 0 || !data) return null
  return (
    <section className={classes.line} data-short={short || undefined} aria-label={t`Demo accounts`}>
      <IconInfoCircle size={16} aria-hidden />
      <p>
        {short ? (
          <Trans>The networks are simulated.</Trans>
        ) : demo.length === data.connections.length ? (
          <Trans>The networks are simulated: posts stay on this computer, no one else sees them.</Trans>
        ) : (
          <Trans>Some networks are simulated: posts to demo accounts stay on this computer.</Trans>
        )}
      </p>
      {mayShare && (
        <Suspense fallback={null}>
          <ClientLook socialSet={socialSet} />
        </Suspense>
      )}
      {mayConnect && (
        <>
          {!short && <SetUpMenu types={data.accountTypes} />}
          <RouterButton to="/connections" search={{ set: socialSet.id }} variant="subtle" size="compact-sm">
            <Trans>Connect a real one</Trans>
          </RouterButton>
        </>
      )}
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={t`Hide this line`} onClick={hide}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </section>
  )
}
