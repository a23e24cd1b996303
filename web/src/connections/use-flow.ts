import { useNavigate, useSearch } from '@tanstack/react-router'
import type { AccountType } from '#contract'
import { call } from '../api/client.ts'
import { focusMainIfLost, rememberOpener } from '../design/opener.ts'

/** Which dialog of the screen is open is in the address: coming back from a network is an address, too. */
export interface Flow {
  /** An account type that is to be connected. */
  connect?: string
  /** A sign-in that came back. */
  authorization?: string
  /** A connection whose defaults are chosen. */
  defaults?: string
}

/** Where the focus was when the dialog was opened from this page. */
let opener: (() => void) | null = null

/** Gives the focus back to what has opened the dialog. Call it when the dialog has gone. */
export function returnFocus(): void {
  opener?.()
  focusMainIfLost()
  opener = null
}

/** Whether a dialog is open. */
export const isOpen = (flow: Flow) => Object.values(flow).some((value) => value !== undefined)

/** The open dialog, and a way to another one: `go({})` closes it. */
export function useFlow(): { flow: Flow; go: (next: Flow) => void } {
  const { connect, authorization, defaults } = useSearch({ from: '/member/connections' })
  const navigate = useNavigate({ from: '/connections' })
  const flow = {
    ...(connect === undefined ? {} : { connect }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(defaults === undefined ? {} : { defaults }),
  }
  const go = (next: Flow) => {
    if (!isOpen(flow) && isOpen(next)) opener = rememberOpener()
    void navigate({ search: ({ set }) => ({ ...(set === undefined ? {} : { set }), ...next }), resetScroll: false })
  }
  return { flow, go }
}

/** Leaves for the network's own pages, which lead back here. */
export async function signInThere(wanted: {
  socialSetId: string
  accountType: AccountType
  sandbox: boolean
  /** Which way, where the network has several. */
  signIn?: string
}): Promise<void> {
  const { address } = await call('POST /connections/authorizations', { body: wanted })
  await leaveFor(address)
}

/** Renews a connection: leaves for the network's own pages, or answers true when it is done already. */
export async function renew(connectionId: string): Promise<boolean> {
  const { signIn } = await call('POST /connections/:id/reconnect', { params: { id: connectionId } })
  if (signIn === null) return true
  await leaveFor(signIn.address)
  return false
}

/** Never resolves: the page is left. */
function leaveFor(address: string): Promise<never> {
  window.location.assign(address)
  return new Promise(() => {})
}
