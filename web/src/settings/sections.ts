import { msg } from '@lingui/core/macro'
import { useSession } from '../api/session.ts'

const SECTIONS = [
  { to: '/settings/profile', label: msg`Profile` },
  { to: '/settings/security', label: msg`Security` },
  { to: '/settings/notifications', label: msg`Notifications` },
  { to: '/settings/social-sets', label: msg`Brands` },
  { to: '/settings/calendars', label: msg`Calendars` },
  { to: '/settings/shared-calendars', label: msg`Shared calendars` },
  { to: '/settings/labels', label: msg`Labels` },
  { to: '/settings/team', label: msg`Team` },
  { to: '/settings/plan', label: msg`Plan and usage` },
  // For operators of the installation, beside any role in the account.
  { to: '/settings/network-apps', label: msg`Network apps`, ofOperators: true },
  { to: '/settings/api-keys', label: msg`API keys` },
  { to: '/settings/webhooks', label: msg`Webhooks` },
] as const

/** The sections of the settings that the person sees, in their order. */
export function useSections() {
  const { operator } = useSession()
  return SECTIONS.filter((section) => operator || !('ofOperators' in section))
}
