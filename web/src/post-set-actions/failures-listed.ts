let listed = false
const listeners = new Set<() => void>()

/** Whether the screen is open that lists every failure: what it says needs no message over it. */
export const areFailuresListed = () => listed

/** Calls the listener when that screen is opened. Answers how to stop that. */
export function onFailuresListed(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** That screen is open now. Answers how to say that it has been left. */
export function listFailures(): () => void {
  listed = true
  for (const listener of listeners) listener()
  return () => {
    listed = false
  }
}
