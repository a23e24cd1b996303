import { useState } from 'react'

/** What was written about a post and not sent: kept until this tab is closed, also when the page is loaded again. */
type Kind = 'changes' | 'comment' | 'decision'

const nameOf = (owner: string, kind: Kind, id: string) => `almanac.${owner}.${kind}.${id}`

/** @param owner `guest`, or the id of a member: a tab may see several */
export function writtenOf(owner: string, kind: Kind, id: string): string {
  try {
    return sessionStorage.getItem(nameOf(owner, kind, id)) ?? ''
  } catch {
    return ''
  }
}

/** Nothing is kept of what is empty. */
export function keepWritten(owner: string, kind: Kind, id: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(nameOf(owner, kind, id))
    else sessionStorage.setItem(nameOf(owner, kind, id), text)
  } catch {
    // A browser that keeps nothing has it as long as the field is there.
  }
}

/** The same as the state of a field. Empty once it is sent. */
export function useWritten(owner: string, kind: Kind, id: string): [string, (text: string) => void] {
  const name = nameOf(owner, kind, id)
  const [now, setNow] = useState(() => ({ name, text: writtenOf(owner, kind, id) }))
  const write = (text: string) => {
    setNow({ name, text })
    keepWritten(owner, kind, id, text)
  }
  return [now.name === name ? now.text : writtenOf(owner, kind, id), write]
}
