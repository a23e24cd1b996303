import { useQuery } from '@tanstack/react-query'
import type { ConnectionChoices, NetworkDescription, SocialSet } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { isAgreeing } from '../planning/agreements/agreement.ts'

type List = ConnectionChoices['lists'][number]

/** What only the network can tell. */
const OFFERED: ReadonlySet<string> = new Set(['board', 'category', 'audience'])

/** What a network offers the account that a post is for. */
export interface Choices {
  /** The network is being asked. */
  isAsked: boolean
  /** It did not answer. */
  isMissing: boolean
  askAgain: () => void
  list: (picker: List['picker']) => List | null
}

/** Asks a network what it offers an account, if there is anything to choose: not again within minutes. */
export function useChoices({ accounts }: SocialSet, network: NetworkDescription | undefined): Choices {
  const id = accounts.find(({ type }) => type === network?.accountType)?.id ?? ''
  // What people choose for each post is asked by its own form.
  const options = network?.options.filter(({ perPost }) => !perPost || !isAgreeing(network)) ?? []
  const isOffered = [...(network?.fields ?? []), ...options].some(
    ({ picker }) => picker !== null && OFFERED.has(picker),
  )
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: [...queryKeys.connections.one(id), 'choices'],
    queryFn: ({ signal }) => call('GET /connections/:id/choices', { params: { id }, signal }),
    enabled: id !== '' && isOffered,
    staleTime: 5 * MINUTE_MS,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const lists = data?.lists ?? []
  return {
    isAsked: isLoading,
    isMissing: error !== null && !data,
    askAgain: () => void refetch(),
    list: (picker) => lists.find((each) => each.picker === picker) ?? null,
  }
}
