import type { Page } from 'playwright-core'
import type { Dashboard } from './dashboard.ts'

/** What happens while a page is open, and is said in the one place of notices. */
export interface CalmState {
  /** Of its notice. */
  name: string
  begin: (page: Page) => Promise<unknown>
  /** So that the next one is the first. */
  end?: (page: Page) => Promise<unknown>
}

/** Where a notice is said. */
export const notice = (page: Page, name: string) => page.locator(`main section[aria-label="${name}"]`)

/** What failed, or will, at once. */
export async function publish({ seed }: Dashboard, caption: string, accountType: string): Promise<void> {
  const fields = accountType === 'FACEBOOK' ? { type: 'TEXT', richCaption: [caption] } : {}
  const posts = [{ accountType, caption, media: [], ...fields }]
  const { id } = await seed.postSet({ status: 'SCHEDULED', scheduledAt: new Date().toISOString(), posts })
  await seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
}

/** The states of a dashboard by name, the ones that end first. */
export function calmStates(dashboard: Dashboard): Record<string, CalmState> {
  const { member, socialSetId } = dashboard
  return {
    'a failed post': {
      name: 'Failed posts',
      begin: () => publish(dashboard, 'Far too long [[fault:caption-too-long]]', 'BLUESKY'),
      end: async () => {
        const { newestFailureAt: until } = await member('GET', '/internal/results')
        await member('PUT', '/internal/results/seen', { until })
      },
    },
    'publishing is stopped': {
      name: 'Publishing is stopped',
      begin: () => member('POST', '/internal/holds', { scope: 'SOCIAL_SET', id: socialSetId, reason: 'A test' }),
      end: async () => {
        const { data } = await member('GET', '/internal/holds')
        await member('POST', `/internal/holds/${data[0].id}/release`, { late: 'PUBLISH' })
      },
    },
    'no connection': {
      name: 'No connection',
      begin: (page) => page.context().setOffline(true),
      end: (page) => page.context().setOffline(false),
    },
    'an account to reconnect': {
      name: 'Accounts to reconnect',
      // Once it is so, it stays: what follows begins with it.
      begin: async () => {
        const { connections } = await member('GET', '/internal/connections/attention')
        if (connections.length === 0) await publish(dashboard, 'Stale [[fault:token-expired]]', 'FACEBOOK')
      },
    },
  }
}
