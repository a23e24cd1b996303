import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { HistoryItem, PostChanges } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { actorWords } from '../planning/posts/actor-words.ts'
import { ChangedPost, type TextsOf } from '../planning/posts/changed-post.tsx'
import { changeLines, titleOf } from '../planning/posts/history-words.ts'
import { movedTitle } from '../planning/posts/moved-words.ts'
import { formatDateTime } from '../time/zones.ts'

/** Everything that was done to a post, newest first. */
export function History({ postSetId, zone }: { postSetId: string; zone: string }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...queryKeys.postSets.one(postSetId), 'history'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /post-sets/:id/history', { params: { id: postSetId }, query: { page: pageParam, size: 25 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.page < pagination.totalPages ? pagination.page + 1 : null),
  })
  if (error)
    return <ErrorState title={t`The history could not be loaded`} error={error} onRetry={() => void refetch()} />
  if (isPending) return <LoadingRows label={t`Loading the history…`} />
  const items = data.pages.flatMap((page) => page.data)
  if (items.length === 0)
    return (
      <EmptyState>
        <Trans>Nothing has happened to this post yet.</Trans>
      </EmptyState>
    )
  return (
    <Stack>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((item) => (
          <li key={item.id}>
            <Text size="sm" fw={600}>
              {actorWords(item)}: {movedTitle(item) ?? titleOf(item)}
            </Text>
            {changeLines(item, zone, preferences).map((line) => (
              <Text size="sm" key={line} style={{ overflowWrap: 'anywhere' }}>
                {line}
              </Text>
            ))}
            {changedPosts(item).map((post) => (
              <ChangedPost key={post.id} post={post} texts={textsOf(postSetId, item.id, post.id)} />
            ))}
            <Text size="xs" c="dimmed" component="time" dateTime={item.at}>
              {formatDateTime(item.at, zone, preferences)}
            </Text>
          </li>
        ))}
      </Stack>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show older</Trans>
        </Button>
      )}
    </Stack>
  )
}

function changedPosts({ changes }: HistoryItem): NonNullable<PostChanges['changed']> {
  return ('posts' in changes && changes.posts?.changed) || []
}

/** What an entry changed in a post. */
const textsOf = (postSetId: string, entryId: string, postId: string): TextsOf => ({
  queryKey: [...queryKeys.postSets.one(postSetId), 'history', entryId, postId],
  read: async (signal) => {
    const { posts } = await call('GET /post-sets/:id/history/:entryId', { params: { id: postSetId, entryId }, signal })
    return posts.find(({ id }) => id === postId)?.fields ?? {}
  },
})
