import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { announce } from '../design/announce.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { Drawer } from '../design/dialogs.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showError } from '../design/toast.tsx'
import { ClockLine } from '../frame/clock-line.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { useClockJump } from '../frame/stops.ts'
import { useIsWide } from '../frame/use-is-wide.ts'
import classes from './news.module.css'
import { NewsLine } from './news-line.tsx'
import { markAllRead, newsQuery, useUnreadNews } from './queries.ts'

/** What happened, newest first, each with the way to it. */
export function NewsDrawer({ onClose }: { onClose: () => void }) {
  const wide = useIsWide()
  const clock = useClockJump()
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(newsQuery)
  const items = data?.pages.flatMap((page) => page.data) ?? []
  const list = useRef<HTMLUListElement>(null)
  /** How many there were when more was asked for; null: nothing was. */
  const before = useRef<number | null>(null)
  const { length } = items
  useEffect(() => {
    if (before.current === null || length <= before.current) return
    const count = length - before.current
    announce(plural(count, { one: '# more', other: '# more' }))
    // The first of those that came; the button may be gone.
    list.current?.querySelectorAll('a')[before.current]?.focus()
    before.current = null
  }, [length])
  const more = () => {
    before.current = length
    void fetchNextPage()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t`News`}
      position={wide ? 'left' : 'right'}
      size={wide ? 440 : '100%'}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" mih={32}>
          <RouterAnchor to="/settings/notifications" size="sm" onClick={onClose}>
            <Trans>Choose what you get</Trans>
          </RouterAnchor>
          {items[0] && <ReadAll until={items[0].at} onRead={() => list.current?.querySelector('a')?.focus()} />}
        </Group>
        {clock && <ClockLine clock={clock} within />}
        {isPending ? (
          <LoadingRows height={64} label={t`Loading the news…`} />
        ) : !data ? (
          <ErrorState title={t`The news could not be loaded`} error={error} onRetry={() => void refetch()} />
        ) : items.length === 0 ? (
          <EmptyState icon={<IconBell size={40} stroke={1.5} aria-hidden />}>
            <Trans>Nothing yet. Failed posts, comments, approvals and accounts to reconnect will appear here.</Trans>
          </EmptyState>
        ) : (
          <ul ref={list} className={classes.list} aria-label={t`News`}>
            {items.map((item) => (
              <NewsLine key={item.id} item={item} onLeave={onClose} />
            ))}
          </ul>
        )}
        {isFetchNextPageError && <Failure error={error} />}
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={more}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </Stack>
    </Drawer>
  )
}

function ReadAll({ until, onRead }: { until: string; onRead: () => void }) {
  const unread = useUnreadNews()
  const [busy, setBusy] = useState(false)
  if (unread === 0 && !busy) return null
  const read = async () => {
    setBusy(true)
    try {
      await markAllRead(until)
      announce(t`All news are read.`)
      // This button goes.
      onRead()
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void read()}>
      <Trans>Mark all as read</Trans>
    </Button>
  )
}
