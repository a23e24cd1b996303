import { queryOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewsCause, NewsChoice, NewsChoices } from '#contract'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const newsChoicesQuery = queryOptions({
  queryKey: queryKeys.newsChoices,
  queryFn: ({ signal }) => call('GET /news/choices', { signal }),
})

interface ChosenNews {
  /** Null: for all brands. */
  brand: string | null
  cause: NewsCause
  /** Null takes a choice back. */
  choice: NewsChoice | null
}

interface Outcomes {
  onSaved: (chosen: ChosenNews) => void
  onRefused: (error: unknown) => void
}

/** Choices are saved one after the other. Each is shown at once, and goes back when it is refused. */
export function useChoosing(saved: NewsChoices, { onSaved, onRefused }: Outcomes) {
  const [unsaved, setUnsaved] = useState<readonly ChosenNews[]>([])
  const mutationKey = queryKeys.newsChoices
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'news-choices' },
    mutationFn: ({ brand, cause, choice }: ChosenNews) =>
      call('PUT /news/choices', { body: { socialSetId: brand, choices: { [cause]: choice } } }),
    onSuccess: (_, chosen) => {
      queryClient.setQueryData(newsChoicesQuery.queryKey, (now) => now && withChoice(now, chosen))
      onSaved(chosen)
    },
    onError: (error, chosen) => {
      setUnsaved((all) => all.filter((each) => each !== chosen))
      onRefused(error)
    },
    /** Of several that wait, the last one reads what is so now. */
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey }) > 1) return
      await readAgain('PUT /news/choices')
      if (queryClient.isMutating({ mutationKey }) <= 1) setUnsaved([])
    },
  })
  const choose = (chosen: ChosenNews) => {
    setUnsaved((all) => [...all, chosen])
    mutate(chosen)
  }
  return { choices: unsaved.reduce(withChoice, saved), choose }
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
