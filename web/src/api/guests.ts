import type { GuestEndpoints } from '#contract'
import { makeClient } from './make-client.ts'

const NOT_SHARED = 'shared-calendar:not_found'
let shared = true
const listeners = new Set<() => void>()

/** Whether the calendar is shared with this guest, as far as answers have said. */
export const isShared = () => shared

/** Calls the listener when an answer says that the calendar is not shared any more. Answers how to stop that. */
export function onNotShared(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls an endpoint below the shared calendar that this page is of: `makeClient`. */
export const callAsGuest = makeClient<GuestEndpoints>({
  // The page is at the address of the shared calendar itself, and all that it asks for is below.
  base: () => window.location.pathname.replace(/\/+$/, ''),
  onRefused({ code }) {
    if (code !== NOT_SHARED) return
    shared = false
    for (const listener of listeners) listener()
  },
})
