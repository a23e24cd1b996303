import type { QueryClient } from '@tanstack/react-query'

declare global {
  /** Whether nothing is being read or sent, for those who drive the page from outside, such as tests. */
  var almanacAtRest: (() => boolean) | undefined
}

let held = 0

/** Lets those who drive the page ask whether anything is being read or sent, or is about to be. */
export function sayWhenAtRest(client: QueryClient): void {
  globalThis.almanacAtRest = () => client.isFetching() === 0 && client.isMutating() === 0 && held === 0
}

/** Something is about to be read, as soon as a pause is over: until the function that is given is called. */
export function holdRest(): () => void {
  held++
  return () => {
    held--
  }
}
