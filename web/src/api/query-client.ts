import { QueryClient } from '@tanstack/react-query'
import { isOutage } from './api-error.ts'

const MAX_RETRIES = 2
/** How soon what could not be read is asked for again, on a page that is looked at. */
const RECOVERY_MS = 5_000

/** The cache of everything that was read. A refusal is final; a connection or a server that failed is asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Without a network a request fails at once and is reported, instead of waiting unseen.
      networkMode: 'always',
      retry: (failures, error) => failures < MAX_RETRIES && isOutage(error),
      refetchInterval: ({ state }) => (isOutage(state.error) ? RECOVERY_MS : false),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
