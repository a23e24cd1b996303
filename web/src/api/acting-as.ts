import type { Session } from '#contract'
import { basePath, dashboardPath } from './base.ts'

// All pages of a browser share its session: a sign-in or a switch of account in one of them changes for whom the others
// ask. Pages hear of it from each other, and tell the server with each request for whom they were drawn.

const channel = new BroadcastChannel(`almanac.session${basePath}`)
/** `<user id>.<account id>`; null on pages that need no sign-in. */
let acting: string | null = null

/** Whom this page acts for, in the form that the server reads; null before the person is known. */
export function actingAs(): string | null {
  return acting
}

/** The page is drawn for this session from now on; null: for no one. */
export function actAs(session: Pick<Session, 'user' | 'account'> | null): void {
  acting = session && `${session.user.id}.${session.account.id}`
  if (acting !== null) channel.postMessage(acting)
}

/** Draws the dashboard again, for who is at work in this browser now. */
export function startAnew(): void {
  window.location.replace(dashboardPath)
}

channel.addEventListener('message', ({ data }) => {
  if (acting !== null && data !== acting) startAnew()
})
