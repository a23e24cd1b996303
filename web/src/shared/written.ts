/** What a guest wrote and has not sent, about a post: kept until this tab is closed, also when the page is loaded again. */
type Kind = 'changes' | 'comment'

const nameOf = (kind: Kind, id: string) => `almanac.guest.${kind}.${id}`

export function writtenOf(kind: Kind, id: string): string {
  try {
    return sessionStorage.getItem(nameOf(kind, id)) ?? ''
  } catch {
    return ''
  }
}

/** Nothing is kept of what is empty. */
export function keepWritten(kind: Kind, id: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(nameOf(kind, id))
    else sessionStorage.setItem(nameOf(kind, id), text)
  } catch {
    // A browser that keeps nothing has it as long as the field is there.
  }
}
