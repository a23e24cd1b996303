import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'

interface Paged {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Reads the next page of a list; nothing where there is none. */
export function ShowMore({ query }: { query: Paged }) {
  if (!query.hasNextPage) return null
  return (
    <Button variant="default" mt="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      <Trans>Show more</Trans>
    </Button>
  )
}
