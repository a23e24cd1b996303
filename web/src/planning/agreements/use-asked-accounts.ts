import { useQueries } from '@tanstack/react-query'
import type { AccountType, ConnectionCapabilities, SocialSet } from '#contract'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** An account whose network was asked what it may do now. */
export interface AskedAccount {
  /** Undefined while it is not known. */
  data: ConnectionCapabilities | undefined
  error: unknown
  isAsked: boolean
  askAgain: () => void
}

/** Asks the networks what these accounts may do now: each time that a form opens, and not again while it is open. */
export function useAskedAccounts(
  { accounts }: SocialSet,
  types: readonly AccountType[],
): ReadonlyMap<AccountType, AskedAccount> {
  const connected = accounts.filter(({ type }) => types.includes(type))
  const answers = useQueries({
    queries: connected.map(({ id }) => ({
      queryKey: [...queryKeys.connections.one(id), 'capabilities'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('GET /connections/:id/capabilities', { params: { id }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      refetchOnWindowFocus: false,
      retry: false,
    })),
  })
  return new Map(
    connected.map(({ type }, index) => {
      const answer = answers[index]
      const askAgain = () => void answer?.refetch()
      return [type, { data: answer?.data, error: answer?.error, isAsked: answer?.isFetching ?? false, askAgain }]
    }),
  )
}
