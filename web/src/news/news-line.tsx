import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCalendarX,
  IconCheck,
  IconChecks,
  IconClockExclamation,
  IconGauge,
  IconHourglass,
  IconInbox,
  IconKey,
  IconMessage,
  IconMessageReport,
  IconNotes,
  IconPlugConnectedX,
  IconRepeat,
  IconWebhookOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useRef } from 'react'
import type { NewsItem, NewsKind } from '#contract'
import { basePath } from '../api/base.ts'
import { usePreferences } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { showError } from '../design/toast.tsx'
import { useViewerZone } from '../time/viewer.ts'
import classes from './news.module.css'
import { newsTitle } from './news-words.ts'
import { markRead } from './queries.ts'

const ICONS: Readonly<Record<NewsKind, TablerIcon>> = {
  POST_FAILED: IconAlertTriangle,
  POST_UNKNOWN: IconAlertTriangle,
  POST_INCOMPLETE: IconAlertTriangle,
  CONNECTION_DEAD: IconPlugConnectedX,
  CONNECTION_ENDING: IconPlugConnectedX,
  REVIEW_REQUESTED: IconHourglass,
  APPROVED: IconChecks,
  CHANGES_REQUESTED: IconMessageReport,
  COMMENTED: IconMessage,
  REVIEW_REMINDER: IconHourglass,
  STILL_WAITING: IconClockExclamation,
  IN_INBOX: IconInbox,
  INBOX_ENDED: IconInbox,
  CALENDAR_FAILING: IconCalendarX,
  WEBHOOK_FAILING: IconWebhookOff,
  KEY_ENDING: IconKey,
  WEBHOOK_LOOP: IconRepeat,
  PLAN_USED: IconGauge,
}

/** One of the news: it leads to what it is about, and is read then. */
export function NewsLine({ item, onLeave }: { item: NewsItem; onLeave: () => void }) {
  const { history } = useRouter()
  const link = useRef<HTMLAnchorElement>(null)
  const zone = useViewerZone()
  const preferences = usePreferences()
  const title = newsTitle(item, { zone, preferences })
  const { id, kind, at, read, postSet, words, note } = item
  const Icon = note === null ? ICONS[kind] : IconNotes
  const address = `${basePath}${item.link}`

  const follow = (event: MouseEvent) => {
    // What does not become read stays in the list as unread: nothing is lost by it.
    if (!read) void markRead(id).catch(() => {})
    // In a tab of its own the browser opens it.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onLeave()
    history.push(address)
  }
  const mark = async () => {
    // The button goes.
    link.current?.focus()
    await markRead(id).catch(showError)
  }
  return (
    <li className={classes.line} data-unread={!read || undefined}>
      <a ref={link} href={address} className={classes.link} onClick={follow}>
        <Icon size={18} aria-hidden />
        <span className={classes.what}>
          <span className={classes.title}>
            {!read && (
              <VisuallyHidden>
                <Trans>Unread:</Trans>{' '}
              </VisuallyHidden>
            )}
            {title}
          </span>
          {words && (
            <span className={classes.words} dir="auto">
              {words}
            </span>
          )}
          {messageOf(item) && (
            <span className={classes.words} dir="auto">
              {messageOf(item)}
            </span>
          )}
          {postSet?.excerpt && (
            <span className={classes.excerpt} dir="auto">
              {postSet.excerpt}
            </span>
          )}
          <span className={classes.meta}>
            <Place item={item} />
            <RelativeTime instant={at} />
          </span>
        </span>
      </a>
      {!read && (
        <ActionIcon variant="subtle" color="gray" aria-label={t`Mark as read: ${title}`} onClick={() => void mark()}>
          <IconCheck size={18} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

/** What the network said. Why a calendar cannot be read, its screen says in the reader's language. */
function messageOf({ kind, message }: NewsItem): string | null {
  return kind.startsWith('POST_') ? message : null
}

/** Brand and network. */
function Place({ item: { socialSet, accountType, kind } }: { item: NewsItem }) {
  const network = accountType && kind.startsWith('POST_') ? networkName(accountType) : null
  return (
    <>
      {socialSet && <span dir="auto">{socialSet.name}</span>}
      {network && <span>{network}</span>}
    </>
  )
}
