import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Group, Loader, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { QueryObserver } from '@tanstack/react-query'
import type { PostDelivery } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { announce } from '../design/announce.tsx'
import { changeMessage, hideMessage, showMessage } from '../design/messages.tsx'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { isIncomplete, isLive, isOfInbox } from '../planning/posts/inbox-words.ts'
import { areFailuresListed, onFailuresListed } from './failures-listed.ts'
import { failedWords, keptWords, liveWords, outcomeWords } from './outcome-words.ts'

export interface Followed {
  /** Of the post set. */
  id: string
  name: string
  /** Those of its posts that are being sent; absent: all. */
  postIds?: readonly string[]
  /** Shows the post, where something failed. */
  see: () => void
}

/** Events say when there is news. Should they not come, it is asked for this often. */
const ASK_MS = 5_000
/** What takes longer is on its card and on the screen of results. */
const FOLLOWED_MS = 10 * MINUTE_MS
const LIVE_SHOWN_MS = 15_000

/** Shows what becomes of a post until it is known of each network, or the message is closed. */
export function showOutcome({ id, name, postIds, see }: Followed): void {
  const observer = new QueryObserver(queryClient, {
    queryKey: [...queryKeys.postSets.one(id), 'outcome'],
    queryFn: ({ signal }) => call('GET /post-sets/:id/deliveries', { params: { id }, signal }),
    refetchInterval: ASK_MS,
    staleTime: 0,
  })
  const startedInList = areFailuresListed()
  const common = { role: 'status', withCloseButton: true, closeButtonProps: { 'aria-label': t`Close this message` } }
  const message = showMessage({ ...common, message: <Publishing name={name} />, autoClose: false, onClose: stop })
  announce(t`“${name}” is being published.`)
  const timer = window.setTimeout(() => {
    stop()
    hideMessage(message)
  }, FOLLOWED_MS)
  const unsubscribe = observer.subscribe(({ data, isFetching }) => {
    // What was read before the post was sent says nothing.
    if (!data || isFetching) return
    const followed = data.data.filter(({ postId }) => !postIds || postIds.includes(postId))
    if (followed.length === 0 || followed.some(({ result }) => !result)) {
      const unsure = followed.filter(({ state, result }) => !result && state === 'looking-up')
      if (unsure.length > 0) changeMessage(message, { ...common, message: notConfirmedWords(unsure), autoClose: false })
      return
    }
    stop()
    const failed = followed.filter(({ result }) => result?.status === 'FAILED')
    const isWhole = failed.length === 0 && !followed.some(({ result }) => isIncomplete(result))
    announce(outcomeWords(followed))
    // It was on its way when the list was opened that says the same, and would cover it.
    if (failed.length > 0 && areFailuresListed() && !startedInList) return hideMessage(message)
    const stopListening = failed.length > 0 ? onFailuresListed(() => hideMessage(message)) : () => {}
    changeMessage(message, {
      ...common,
      color: failed.length > 0 ? 'red' : isWhole ? 'teal' : 'yellow',
      autoClose: isWhole ? LIVE_SHOWN_MS : false,
      onClose: stopListening,
      message: (
        <Outcome
          followed={followed}
          see={() => {
            hideMessage(message)
            see()
          }}
        />
      ),
    })
  })
  function stop() {
    window.clearTimeout(timer)
    unsubscribe()
  }
}

function Publishing({ name }: { name: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader size={16} aria-hidden />
      <span>
        <Trans>Publishing “{name}”…</Trans>
      </span>
    </Group>
  )
}

function Outcome({ followed, see }: { followed: readonly PostDelivery[]; see: () => void }) {
  const live = followed.filter(({ result }) => isLive(result))
  const kept = followed.filter(({ result }) => isOfInbox(result))
  const failed = followed.filter(({ result }) => result?.status === 'FAILED')
  const links = live.filter(({ result }) => result?.permalink)
  const isWhole = failed.length === 0 && !live.some(({ result }) => isIncomplete(result))
  return (
    <Stack gap={6} align="flex-start">
      {live.length > 0 && <span>{liveWords(live)}</span>}
      {links.length > 0 && (
        <Group gap="sm">
          {links.map((delivery) => (
            <Open key={delivery.postId} delivery={delivery} alone={links.length === 1} />
          ))}
        </Group>
      )}
      {kept.map((delivery) => (
        <span key={delivery.postId}>{keptWords(delivery)}</span>
      ))}
      {failed.map((delivery) => (
        <span key={delivery.postId}>{failedWords(delivery)}</span>
      ))}
      {!isWhole && (
        <Button size="compact-sm" variant="default" onClick={see}>
          <Trans>See what to do</Trans>
        </Button>
      )}
    </Stack>
  )
}

function Open({ delivery: { accountType, result }, alone }: { delivery: PostDelivery; alone: boolean }) {
  const network = networkName(accountType)
  return (
    <Anchor
      href={result?.permalink}
      target="_blank"
      rel="noopener noreferrer"
      size="sm"
      aria-label={t`Open on ${network} (new tab)`}
    >
      {alone ? <Trans>Open</Trans> : network} <IconExternalLink size={14} aria-hidden />
    </Anchor>
  )
}

function notConfirmedWords(unsure: readonly PostDelivery[]): string {
  const networks = listOf(unsure.map(({ accountType }) => networkName(accountType)))
  return t`Not confirmed by ${networks} yet. Almanac looks whether it is there before it does anything.`
}
