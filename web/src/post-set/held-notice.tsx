import { useLingui } from '@lingui/react/macro'
import { Alert } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { HoldShown, PostSet, SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { whoWords } from '../holds/hold-words.ts'
import { formatDateTime } from '../time/zones.ts'

interface Held {
  hold: HoldShown
  /** Nothing of the post goes out; else that of some networks does. */
  whole: boolean
  /** What waits, by name. */
  networks: string[]
}

/** Why a scheduled post waits at its time; null when it does not. */
export function heldOf({ hold, accounts }: SocialSet, { status, posts }: PostSet): Held | null {
  if (status !== 'SCHEDULED') return null
  if (hold) return { hold, whole: true, networks: [] }
  const waiting = accounts.filter(
    (account) => account.hold && posts.some(({ accountType }) => accountType === account.type),
  )
  const [first] = waiting
  if (!first?.hold) return null
  const networks = waiting.map(({ type }) => networkName(type))
  return {
    hold: first.hold,
    whole: posts.every(({ accountType }) => waiting.some(({ type }) => type === accountType)),
    networks,
  }
}

/** Says that a scheduled post waits, and why. */
export function HeldNotice({ held: { hold, whole, networks }, zone }: { held: Held; zone: string }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const where = listOf(networks)
  const what = whole
    ? t`Publishing is stopped, so this post waits.`
    : t`On ${where} this post waits: publishing there is stopped.`
  return (
    <Alert color="orange" icon={<IconPlayerPause aria-hidden />} p="sm">
      {what} <span dir="auto">{whoWords(hold, formatDateTime(hold.since, zone, preferences))}</span>
    </Alert>
  )
}
