import { IconBan, IconCircleCheck, IconClockX, IconPlayerPause, type TablerIcon } from '@tabler/icons-react'
import type { KeyState, Scope } from '#contract'

/** What a scope lets a program do. */
export const scopeWords = {
  'post-sets:write': { title: 'Write drafts', description: 'Create, change and delete drafts.' },
  'post-sets:publish': {
    title: 'Schedule and publish',
    description: 'Schedule posts, and change and delete scheduled ones. Works together with “Write drafts”.',
  },
  'media:write': { title: 'Upload media', description: 'Import images and videos into the media library.' },
  'notes:write': { title: 'Write notes', description: 'Make and change notes on the calendar.' },
} as const satisfies Record<Scope, { title: string; description: string }>

export const SCOPES = Object.keys(scopeWords) as Scope[]

/** "Read, write drafts, upload media". */
export function scopesText(scopes: readonly Scope[]): string {
  const given = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => scopeWords[scope].title.toLowerCase())
  return given.length === 0 ? 'Read only' : ['Read', ...given].join(', ')
}

export const stateLooks = {
  ACTIVE: { word: 'Active', Icon: IconCircleCheck, color: 'green' },
  DISABLED: { word: 'Disabled', Icon: IconPlayerPause, color: 'yellow' },
  EXPIRED: { word: 'Expired', Icon: IconClockX, color: 'orange' },
  REVOKED: { word: 'Revoked', Icon: IconBan, color: 'gray' },
} as const satisfies Record<KeyState, { word: string; Icon: TablerIcon; color: string }>
