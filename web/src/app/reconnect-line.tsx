import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconAlertTriangleFilled } from '@tabler/icons-react'
import type { ConnectionsAttention } from '#contract'
import { useMay } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { NoticeLine } from '../design/notice-line.tsx'
import { listOf } from '../design/words.ts'
import { RouterButton } from '../frame/links.tsx'

/** More than these are not named one by one. */
const MOST_NAMED = 3

/** Says which accounts must be reconnected. */
export function ReconnectLine({ connections }: { connections: ConnectionsAttention['connections'] }) {
  const may = useMay('connections:manage')
  const [first] = connections
  if (!first) return null
  const named = connections.slice(0, MOST_NAMED).map(({ name, accountType }) => nameOn(name, networkName(accountType)))
  const more = connections.length - named.length
  const names = listOf(more > 0 ? [...named, plural(more, { one: '# more', other: '# more' })] : named)
  const must = connections.some(({ state }) => state === 'RECONNECT_REQUIRED')
  const { length } = connections
  const what = must
    ? plural(length, {
        one: `# account must be reconnected: ${names}.`,
        other: `# accounts must be reconnected: ${names}.`,
      })
    : plural(length, {
        one: `# account must be reconnected within a week: ${names}.`,
        other: `# accounts must be reconnected within a week: ${names}.`,
      })
  return (
    <NoticeLine
      tone={must ? 'danger' : 'warn'}
      label={t`Accounts to reconnect`}
      Icon={IconAlertTriangleFilled}
      action={
        <RouterButton to="/connections" search={{ set: first.socialSetId }} size="compact-sm" variant="default">
          {may ? t`Reconnect` : t`View`}
        </RouterButton>
      }
    >
      {what}
      {!may && ' '}
      {!may && <Trans>Owners and admins can do it.</Trans>}
    </NoticeLine>
  )
}

const nameOn = (name: string, network: string) => t`${name} on ${network}`
