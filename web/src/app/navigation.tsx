import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconActivity,
  IconBell,
  IconCalendar,
  IconChecks,
  IconPencil,
  IconPhoto,
  IconPlugConnected,
  IconPlus,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useSession } from '../api/session.ts'
import { WaitingBadge } from '../approvals/waiting-badge.tsx'
import { UnseenBadge } from '../failures/unseen-badge.tsx'
import { useBrandSearch } from '../frame/social-sets.ts'
import { NewsBadge } from '../news/news-badge.tsx'
import { NewsButton } from '../news/news-button.tsx'
import { AccountMenu, MemberAvatar } from './account-menu.tsx'
import classes from './navigation.module.css'
import { SocialSetSwitcher } from './social-set-switcher.tsx'

/** Where the navigation leads, in its order. `below`: the paths on which an entry is the one that is looked at. */
export const ENTRIES = [
  {
    to: '/scheduling/calendar/$view',
    params: { view: 'month' },
    below: '/scheduling',
    label: msg`Calendar`,
    Icon: IconCalendar,
  },
  { to: '/drafts', params: {}, below: '/drafts', label: msg`Drafts`, Icon: IconPencil },
  {
    to: '/approvals',
    params: {},
    below: '/approvals',
    label: msg`Approvals`,
    Icon: IconChecks,
    badge: <WaitingBadge />,
  },
  { to: '/media', params: {}, below: '/media', label: msg`Media`, Icon: IconPhoto },
  { to: '/results', params: {}, below: '/results', label: msg`Results`, Icon: IconActivity, badge: <UnseenBadge /> },
  {
    to: '/connections',
    params: {},
    below: '/connections',
    label: msg`Connections`,
    Icon: IconPlugConnected,
  },
  { to: '/settings', params: {}, below: '/settings', label: msg`Settings`, Icon: IconSettings },
] as const satisfies readonly Entry[]

interface Entry {
  to: string
  params: object
  below: string
  label: MessageDescriptor
  Icon: TablerIcon
  /** How much of it waits for the member. */
  badge?: ReactNode
}

interface NavigationProps {
  onShortcuts: () => void
}

/** The rail at the start of wide screens. */
export function Rail({ onShortcuts }: NavigationProps) {
  const { user, account } = useSession()
  const name = `${user.name || user.email}, ${account.name}`
  return (
    <div className={classes.rail}>
      <SocialSetSwitcher rail />
      <div className={classes.entries}>
        {ENTRIES.map((entry) => (
          <EntryLink key={entry.to} entry={entry} />
        ))}
        <Bell />
      </div>
      <AccountMenu
        onShortcuts={onShortcuts}
        target={
          <UnstyledButton className={classes.account} title={name}>
            <VisuallyHidden>
              <Trans>Account {name}</Trans>
            </VisuallyHidden>
            <MemberAvatar size={32} />
          </UnstyledButton>
        }
      />
    </div>
  )
}

/** The bar at the bottom of narrow screens: what is looked at each day. The rest is in the menu at its end. */
export function BottomBar({ onShortcuts }: NavigationProps) {
  const mayWrite = useMay('post-sets:write')
  const ofBrand = useBrandSearch()
  const [calendar, drafts, approvals, ...rest] = ENTRIES
  return (
    <div className={classes.bar}>
      <EntryLink entry={calendar} />
      <EntryLink entry={drafts} />
      {mayWrite && (
        <Link
          to="/scheduling/calendar/$view"
          params={{ view: 'month' }}
          search={({ draft: _, ...search }) => ({ ...ofBrand, ...search, post: 'new' })}
          activeProps={{ 'aria-current': undefined }}
          className={classes.add}
          aria-label={t`New post`}
        >
          <IconPlus size={22} aria-hidden />
        </Link>
      )}
      <EntryLink entry={approvals} />
      <AccountMenu
        onShortcuts={onShortcuts}
        more={rest}
        target={
          <UnstyledButton className={`${classes.entry} ${classes.more}`}>
            <MemberAvatar size={22} />
            <span className={classes.word}>
              <Trans>More</Trans>
            </span>
            <VisuallyHidden>
              <Trans>, account</Trans>
            </VisuallyHidden>
          </UnstyledButton>
        }
      />
    </div>
  )
}

/** What happened: in the rail, and in the header of narrow screens (`corner`). */
export function Bell({ corner = false }: { corner?: boolean }) {
  return (
    <NewsButton className={corner ? `${classes.entry} ${classes.corner}` : classes.entry}>
      <IconBell size={20} aria-hidden />
      <span className={classes.word}>
        <Trans>News</Trans>
      </span>
      <span className={classes.badge}>
        <NewsBadge />
      </span>
    </NewsButton>
  )
}

function EntryLink({ entry }: { entry: (typeof ENTRIES)[number] }) {
  const { pathname } = useLocation()
  const { to, params, below, label, Icon } = entry
  const ofBrand = useBrandSearch()
  const search = below === '/scheduling' || below === '/drafts' ? ofBrand : {}
  const here = pathname === below || pathname.startsWith(`${below}/`)
  return (
    <Link
      to={to}
      params={params}
      search={search}
      state={{ kept: true }}
      className={classes.entry}
      activeProps={{}}
      aria-current={here ? 'page' : undefined}
      title={i18n._(label)}
    >
      <Icon size={20} aria-hidden />
      <span className={classes.word}>{i18n._(label)}</span>
      {'badge' in entry && <span className={classes.badge}>{entry.badge}</span>}
    </Link>
  )
}
