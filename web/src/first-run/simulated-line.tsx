import { Trans, useLingui } from '@lingui/react/macro'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { NoticeLine } from '../design/notice-line.tsx'
import { RouterButton } from '../frame/links.tsx'
import { connectionsQuery } from '../planning/brands/connections-query.ts'
import { useDismissed } from './dismissed.ts'

/** Says of a brand whose accounts are demo accounts that its networks are simulated, with the way to a real one. */
export function SimulatedLine({ socialSet }: { socialSet: SocialSet }) {
  const { t } = useLingui()
  const mayConnect = useMay('connections:manage')
  const [hidden, hide] = useDismissed(`simulated.${socialSet.id}`)
  const asked = !hidden && socialSet.accounts.length > 0
  const { data } = useQuery({ ...connectionsQuery(socialSet.id), enabled: asked })
  const demo = data?.connections.filter(({ sandbox }) => sandbox) ?? []
  if (!asked || demo.length === 0 || !data) return null
  return (
    <NoticeLine
      tone="quiet"
      label={t`Demo accounts`}
      Icon={IconInfoCircle}
      action={
        mayConnect && (
          <RouterButton to="/connections" search={{ set: socialSet.id }} variant="subtle" size="compact-sm">
            <Trans>Connect your own accounts</Trans>
          </RouterButton>
        )
      }
      hide={{ label: t`Hide this line`, run: hide }}
    >
      {demo.length === data.connections.length ? (
        <Trans>The networks are simulated: posts stay on this computer, no one else sees them.</Trans>
      ) : (
        <Trans>Some networks are simulated: posts to demo accounts stay on this computer.</Trans>
      )}
    </NoticeLine>
  )
}
