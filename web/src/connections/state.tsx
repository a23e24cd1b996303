import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Group, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconClockExclamation,
  IconListCheck,
  IconPlayerPause,
  IconPlugConnectedX,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Connection, ConnectionState, HoldShown } from '#contract'
import { useSession } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { whoWords } from '../holds/hold-words.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDate } from '../time/zones.ts'

const LOOKS: Record<ConnectionState, { color: string; Icon: TablerIcon; word: MessageDescriptor }> = {
  CONNECTED: { color: 'teal', Icon: IconCircleCheckFilled, word: msg`Connected` },
  EXPIRES_SOON: { color: 'orange', Icon: IconClockExclamation, word: msg`Reconnect soon` },
  DEFAULTS_MISSING: { color: 'orange', Icon: IconListCheck, word: msg`Not ready` },
  RECONNECT_REQUIRED: { color: 'red', Icon: IconAlertTriangleFilled, word: msg`Must be reconnected` },
}

/** How a connection stands: an icon, a word and a sentence. */
export function StateLine({ connection }: { connection: Connection }) {
  const { state } = connection
  const { color, Icon, word } = LOOKS[state]
  const by = useDay(connection.expiresAt)
  const title = state === 'EXPIRES_SOON' && by ? t`Reconnect by ${by}` : i18n._(word)
  return (
    <Line color={color} Icon={Icon} title={title}>
      {sentenceOf(connection, by)}
    </Line>
  )
}

/** What its state means. Why it must be connected again, the server knows alone. */
function sentenceOf({ state, message, warning, accountType, missingDefaults }: Connection, by: string | null): string {
  const network = networkName(accountType)
  switch (state) {
    case 'CONNECTED':
      if (warning) return warning
      return by ? t`It works until ${by}.` : ''
    case 'EXPIRES_SOON':
      return t`${network} allows it only until then.`
    case 'DEFAULTS_MISSING': {
      const names = listOf(missingDefaults.map(({ title }) => `“${title}”`))
      return t`Choose ${names} before you schedule posts.`
    }
    case 'RECONNECT_REQUIRED':
      return message
  }
}

/** Of an account type without an account. */
export function NotConnectedLine() {
  return <Line color="dimmed" Icon={IconPlugConnectedX} title={t`Not connected`} />
}

/** That publishing to it is stopped. */
export function StoppedLine({ hold, timezone }: { hold: HoldShown; timezone: string }) {
  const since = useDay(hold.since, timezone) ?? ''
  return (
    <Line color="orange" Icon={IconPlayerPause} title={t`Publishing is stopped`}>
      {whoWords(hold, since)}
    </Line>
  )
}

function Line({ color, Icon, title, children }: { color: string; Icon: TablerIcon; title: string; children?: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text c={color} component="span" lh={0} mt={2}>
        <Icon size={18} aria-hidden />
      </Text>
      <Stack gap={2}>
        <Text size="sm" fw={600} c={color}>
          {title}
        </Text>
        {children && <Text size="sm">{children}</Text>}
      </Stack>
    </Group>
  )
}

/** "3 December 2026" where the member is; null for no time. */
export function useDay(instant: string | null, timezone?: string): string | null {
  const { preferences } = useSession()
  const yours = useViewerZone()
  const zone = timezone ?? yours
  return instant === null ? null : formatDate(instant, zone, preferences)
}
