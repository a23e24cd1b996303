import { SCOPES, type Scope } from './states.ts'

/** The roles of members. The first may do everything. */
export const ROLES = ['owner', 'admin', 'editor', 'author', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_TITLES: Readonly<Record<Role, { title: string; description: string }>> = {
  owner: { title: 'Owner', description: 'Does everything, and is the only role that appoints and removes owners.' },
  admin: { title: 'Admin', description: 'Runs the account: people, keys, connections, brands.' },
  editor: { title: 'Editor', description: 'Plans, schedules, approves and locks.' },
  author: { title: 'Author', description: 'Writes drafts and notes; an editor schedules them.' },
  reviewer: { title: 'Reviewer', description: 'Reads the calendar, and approves or requests changes.' },
}

/**
 * Who may do what. Scopes of keys are rights too: a key has those that it was granted, a member those of the role.
 * Reading needs none.
 */
export const RIGHTS = {
  'notes:write': { title: 'Write and change notes', roles: ['owner', 'admin', 'editor', 'author'] },
  'post-sets:write': { title: 'Write and change drafts', roles: ['owner', 'admin', 'editor', 'author'] },
  'post-sets:publish': { title: 'Schedule and publish', roles: ['owner', 'admin', 'editor'] },
  'post-sets:publish-unapproved': {
    title: 'Schedule without the approval that a brand requires',
    roles: ['owner', 'admin'],
  },
  'media:write': { title: 'Add to and change the media library', roles: ['owner', 'admin', 'editor', 'author'] },
  'post-sets:review': { title: 'Approve and request changes', roles: ['owner', 'admin', 'editor', 'reviewer'] },
  'post-sets:approve-alone': {
    title: 'Approve with a reason when no other reviewer is left',
    roles: ['owner', 'admin'],
  },
  'post-sets:lock': { title: 'Lock and unlock posts', roles: ['owner', 'admin', 'editor'] },
  'labels:apply': { title: 'Put labels on posts', roles: ['owner', 'admin', 'editor', 'author'] },
  'labels:manage': { title: 'Create, rename and remove labels', roles: ['owner', 'admin', 'editor'] },
  'connections:manage': { title: 'Connect and disconnect network accounts', roles: ['owner', 'admin'] },
  'social-sets:manage': { title: 'Create and change brands', roles: ['owner', 'admin'] },
  'calendars:manage': {
    title: 'Import calendars and share calendar addresses',
    roles: ['owner', 'admin', 'editor'],
  },
  'members:read': { title: 'See mail addresses and last activity of members', roles: ['owner', 'admin', 'editor'] },
  'members:manage': { title: 'Invite people and change their roles', roles: ['owner', 'admin'] },
  'member-sign-in:manage': {
    title: 'Confirm new email addresses of members, and remove a lost second step',
    roles: ['owner'],
  },
  'owners:manage': { title: 'Appoint and remove owners', roles: ['owner'] },
  'api-keys:manage': { title: 'Create, change and revoke API keys', roles: ['owner', 'admin'] },
  'webhooks:write': { title: 'Manage webhooks', roles: ['owner', 'admin'] },
  'shared-calendars:manage': {
    title: 'Share calendars with people outside the team',
    roles: ['owner', 'admin', 'editor'],
  },
  'account:manage': { title: 'Rename the account', roles: ['owner'] },
} as const satisfies Record<string, { title: string; roles: readonly Role[] }>

export type Right = keyof typeof RIGHTS

export const RIGHT_NAMES = Object.keys(RIGHTS) as Right[]

/** What a member of that role may do. */
export function rightsOf(role: Role): Right[] {
  return RIGHT_NAMES.filter((right) => (RIGHTS[right].roles as readonly Role[]).includes(role))
}

/** The roles that include a right. */
export function rolesWith(right: Right): Role[] {
  return [...RIGHTS[right].roles]
}

/** Whether a right is also a scope of keys. */
export function isScope(right: Right): right is Scope {
  return (SCOPES as readonly string[]).includes(right)
}
