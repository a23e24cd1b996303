import type { QueryClient } from '@tanstack/react-query'

declare global {
  /** Whether nothing is being read or sent: for those who drive the page from outside, such as tests. */
  var almanacAtRest: (() => boolean) | undefined
}

/** Lets those who drive the page ask whether anything is being read or sent. */
export function sayWhenAtRest(client: QueryClient): void {
  globalThis.almanacAtRest = () => client.isFetching() === 0 && client.isMutating() === 0
}
