import { queryOptions } from '@tanstack/react-query'
import type { NewsCause, NewsChoice, NewsChoices } from '#contract'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const newsChoicesQuery = queryOptions({
  queryKey: queryKeys.newsChoices,
  queryFn: ({ signal }) => call('GET /news/choices', { signal }),
})

export interface ChosenNews {
  /** Null: for all brands. */
  brand: string | null
  cause: NewsCause
  /** Null takes a choice back. */
  choice: NewsChoice | null
}

/** Choices are saved one after the other, each shown before it is. */
export const choosing = {
  mutationKey: queryKeys.newsChoices,
  scope: { id: 'news-choices' },
  mutationFn: ({ brand, cause, choice }: ChosenNews) =>
    call('PUT /news/choices', { body: { socialSetId: brand, choices: { [cause]: choice } } }),
  async onMutate(chosen: ChosenNews) {
    const cancelled = queryClient.cancelQueries(newsChoicesQuery)
    queryClient.setQueryData(newsChoicesQuery.queryKey, (now) => now && withChoice(now, chosen))
    await cancelled
  },
  /** Of several that wait, the last one reads what is so now. */
  async onSettled() {
    if (queryClient.isMutating({ mutationKey: queryKeys.newsChoices }) > 1) return
    await queryClient.invalidateQueries(newsChoicesQuery)
  },
}

function withChoice(now: NewsChoices, { brand, cause, choice }: ChosenNews): NewsChoices {
  const changed = (rows: NewsChoices['account']) =>
    rows.map((row) => (row.cause === cause ? { cause: row.cause, choice } : row))
  if (brand === null) return { ...now, account: changed(now.account) }
  const socialSets = now.socialSets.map((set) =>
    set.socialSetId === brand ? { ...set, choices: changed(set.choices) } : set,
  )
  return { ...now, socialSets }
}
