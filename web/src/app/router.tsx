import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { unreachable } from '../api/api-error.ts'
import { dashboardPath } from '../api/base.ts'
import { queryClient } from '../api/query-client.ts'
import { askServer } from '../api/reachable.ts'
import { sessionQuery } from '../api/session.ts'
import { LoadingRows } from '../design/states.tsx'
import { safeReturnPath } from '../frame/return-path.ts'
import { optionalTexts, parseSearch, stringifySearch } from '../frame/search.ts'
import { lastBrandSearch, socialSetsQuery } from '../frame/social-sets.ts'
import { withWords } from '../language/language.ts'
import { isCalendarView } from '../planning/dates/calendar-views.ts'
import { ErrorPage, NotFoundPage, PlainErrorPage, PlainNotFoundPage } from './error-pages.tsx'
import { openAccountOf } from './open-account.ts'
import { PublicLayout } from './public-layout.tsx'
import { Shell } from './shell.tsx'

/** A screen that is loaded with its words when it is first gone to: a file that exports `Page`. */
const screen = (load: () => Promise<{ Page: FunctionComponent }>) => firstScreen(() => withWords(load()))

/** The screen whose words come with those of the page. */
function firstScreen(load: () => Promise<{ Page: FunctionComponent }>) {
  return lazyRouteComponent<{ Page: FunctionComponent }, 'Page'>(() => load().catch(reportOffline), 'Page')
}

/** Code that is not there makes the router load the whole page again. Without the server, that would end in nothing. */
async function reportOffline(error: unknown): Promise<never> {
  throw (await askServer()) ? error : unreachable()
}

const root = createRootRoute({
  component: Outlet,
  errorComponent: PlainErrorPage,
  notFoundComponent: PlainNotFoundPage,
})

const publicPages = createRoute({
  getParentRoute: () => root,
  id: 'public',
  component: PublicLayout,
  errorComponent: PlainErrorPage,
})
// By themselves: inside of a route their types are lost.
const readReturn = optionalTexts('return', 'ended')
const readConnections = optionalTexts('set', 'connect', 'authorization', 'defaults')
const readResults = optionalTexts('brand', 'days', 'net', 'group')
const readNotifications = optionalTexts('brand')
const readCalendars = optionalTexts('set')
const readNetworkApps = optionalTexts('app')
const readSharedCalendars = optionalTexts('share')
const readDrafts = optionalTexts('set', 'q', 'label', 'approval', 'sort', 'post')
const readBrands = optionalTexts('new')
const readMedia = optionalTexts('set', 'q', 'kind', 'shape', 'shown', 'month', 'label', 'sort', 'file')
const readApprovals = optionalTexts('tab', 'brand', 'post')
const readCalendar = optionalTexts(
  'set',
  'post',
  'draft',
  'note',
  'at',
  'date',
  'brand',
  'label',
  'status',
  'net',
  'author',
  'q',
)

const signIn = createRoute({
  getParentRoute: () => publicPages,
  path: '/sign-in',
  validateSearch: readReturn,
  beforeLoad: async ({ search }) => {
    // A person who is signed in wants the dashboard. Signed out looks like an error here: the page finds out.
    const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null)
    if (session) throw redirect({ href: dashboardPath + safeReturnPath(search.return), replace: true })
  },
  component: screen(() => import('../sign-in/sign-in-page.tsx')),
})
const setup = createRoute({
  getParentRoute: () => publicPages,
  path: '/setup',
  component: screen(() => import('../sign-in/setup-page.tsx')),
})
const forgotPassword = createRoute({
  getParentRoute: () => publicPages,
  path: '/forgot-password',
  component: screen(() => import('../sign-in/forgot-password-page.tsx')),
})
const resetPassword = createRoute({
  getParentRoute: () => publicPages,
  path: '/reset-password',
  component: screen(() => import('../sign-in/reset-password-page.tsx')),
})
const confirmEmail = createRoute({
  getParentRoute: () => publicPages,
  path: '/confirm-email',
  component: screen(() => import('../sign-in/confirm-email-page.tsx')),
})
const invitation = createRoute({
  getParentRoute: () => publicPages,
  path: '/invitation',
  component: screen(() => import('../sign-in/invitation-page.tsx')),
})

/** The pages of those who are signed in. */
export const memberPages = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { return: location.href }, replace: true })
    await openAccountOf(location, session)
  },
  component: Shell,
  // Below the shell, screens have the page with the navigation.
  errorComponent: PlainErrorPage,
})
const home = createRoute({
  getParentRoute: () => memberPages,
  path: '/',
  beforeLoad: async () => {
    // Unknown brands are found out by the calendar.
    const sets = await queryClient.ensureQueryData(socialSetsQuery).catch(() => [])
    const search = lastBrandSearch(sets)
    throw redirect({
      ...{ to: '/scheduling/calendar/$view', params: { view: 'month' }, search, state: { kept: true }, replace: true },
    })
  },
})

const calendar = createRoute({
  getParentRoute: () => memberPages,
  path: '/scheduling/calendar/$view',
  validateSearch: readCalendar,
  beforeLoad: ({ params, search }) => {
    if (isCalendarView(params.view)) return
    throw redirect({ to: '/scheduling/calendar/$view', params: { view: 'month' }, search, replace: true })
  },
  component: firstScreen(() => import('../calendar/calendar-page.tsx')),
})
const connections = createRoute({
  getParentRoute: () => memberPages,
  path: '/connections',
  validateSearch: readConnections,
  component: screen(() => import('../connections/connections-page.tsx')),
})

const results = createRoute({
  getParentRoute: () => memberPages,
  path: '/results',
  validateSearch: readResults,
  component: screen(() => import('../results/results-page.tsx')),
})
const drafts = createRoute({
  getParentRoute: () => memberPages,
  path: '/drafts',
  validateSearch: readDrafts,
  component: screen(() => import('../drafts/drafts-page.tsx')),
})
const approvals = createRoute({
  getParentRoute: () => memberPages,
  path: '/approvals',
  validateSearch: readApprovals,
  component: screen(() => import('../approvals/approvals-page.tsx')),
})

const media = createRoute({
  getParentRoute: () => memberPages,
  path: '/media',
  validateSearch: readMedia,
  component: screen(() => import('../media/media-page.tsx')),
})

const settings = createRoute({
  getParentRoute: () => memberPages,
  path: '/settings',
  component: lazyRouteComponent(
    () => withWords(import('../settings/settings-layout.tsx'), 'settings').catch(reportOffline),
    'SettingsLayout',
  ),
})
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true })
  },
})
const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: screen(() => import('../settings/api-keys-page.tsx')),
})
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: screen(() => import('../settings/webhooks-page.tsx')),
})
const socialSets = createRoute({
  getParentRoute: () => settings,
  path: '/social-sets',
  validateSearch: readBrands,
  component: screen(() => import('../settings/social-sets-page.tsx')),
})
const brand = createRoute({
  getParentRoute: () => settings,
  path: '/social-sets/$id',
  component: screen(() => import('../settings/brand-page.tsx')),
})
const labels = createRoute({
  getParentRoute: () => settings,
  path: '/labels',
  component: screen(() => import('../settings/labels-page.tsx')),
})
const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  component: screen(() => import('../settings/team-page.tsx')),
})
const plan = createRoute({
  getParentRoute: () => settings,
  path: '/plan',
  component: screen(() => import('../settings/plan-page.tsx')),
})
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: screen(() => import('../settings/profile-page.tsx')),
})
const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: screen(() => import('../settings/security-page.tsx')),
})
const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  validateSearch: readNotifications,
  component: screen(() => import('../settings/notifications-page.tsx')),
})
const calendars = createRoute({
  getParentRoute: () => settings,
  path: '/calendars',
  validateSearch: readCalendars,
  component: screen(() => import('../settings/calendars-page.tsx')),
})
const sharedCalendars = createRoute({
  getParentRoute: () => settings,
  path: '/shared-calendars',
  validateSearch: readSharedCalendars,
  component: screen(() => import('../settings/shared-calendars-page.tsx')),
})
const networkApps = createRoute({
  getParentRoute: () => settings,
  path: '/network-apps',
  validateSearch: readNetworkApps,
  loader: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (!session?.operator) throw notFound()
  },
  component: screen(() => import('../settings/network-apps-page.tsx')),
})

/** Below the shell, so that the way on is there. */
const nowhere = createRoute({
  getParentRoute: () => memberPages,
  path: '$',
  component: NotFoundPage,
})

const routeTree = root.addChildren([
  publicPages.addChildren([signIn, setup, forgotPassword, resetPassword, confirmEmail, invitation]),
  memberPages.addChildren([
    home,
    calendar,
    connections,
    results,
    drafts,
    approvals,
    media,
    settings.addChildren([
      settingsHome,
      apiKeys,
      webhooks,
      socialSets,
      brand,
      labels,
      team,
      plan,
      profile,
      security,
      notifications,
      calendars,
      sharedCalendars,
      networkApps,
    ]),
    nowhere,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: dashboardPath,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <LoadingRows />,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
})

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** It was come to by the navigation: what was chosen last on the screen is so again. */
    kept?: boolean
  }
  interface Register {
    router: typeof router
  }
}
