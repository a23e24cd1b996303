import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { IconBan, IconCircleCheck, IconClockX, IconPlayerPause, type TablerIcon } from '@tabler/icons-react'
import type { KeyState, Scope } from '#contract'

/** What a scope lets a program do. */
export const scopeWords: Readonly<Record<Scope, { title: MessageDescriptor; description: MessageDescriptor }>> = {
  'post-sets:write': {
    title: msg`Write drafts`,
    description: msg`Create, change and delete drafts, and turn scheduled posts back into drafts.`,
  },
  'post-sets:publish': {
    title: msg`Schedule and publish`,
    description: msg`Schedule posts, and change and delete scheduled ones. Works together with “Write drafts”.`,
  },
  'media:write': { title: msg`Upload media`, description: msg`Import images and videos into the media library.` },
  'webhooks:write': {
    title: msg`Manage webhooks`,
    description: msg`Have what happens sent to addresses of its own, and read what was sent.`,
  },
  'notes:write': { title: msg`Write notes`, description: msg`Create and change notes on the calendar.` },
}

export const SCOPES = Object.keys(scopeWords) as Scope[]

/** "Read · Write drafts · Upload media". */
export function scopesText(scopes: readonly Scope[]): string {
  const given = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => i18n._(scopeWords[scope].title))
  return given.length === 0 ? t`Read only` : [t`Read`, ...given].join(' · ')
}

export const stateLooks = {
  ACTIVE: { word: msg`Active`, Icon: IconCircleCheck, color: 'green' },
  DISABLED: { word: msg`Disabled`, Icon: IconPlayerPause, color: 'yellow' },
  EXPIRED: { word: msg`Expired`, Icon: IconClockX, color: 'orange' },
  REVOKED: { word: msg`Revoked`, Icon: IconBan, color: 'gray' },
} as const satisfies Record<KeyState, { word: MessageDescriptor; Icon: TablerIcon; color: string }>
