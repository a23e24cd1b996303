import type { Fixture } from './fixture.ts'
import type { Given } from './row.ts'

export interface PageRow {
  status: number
  given?(fixture: Fixture): Promise<Given> | Given
}

/** Routes that answer every caller alike: with a key, a session or neither, from any site. */
export const PAGES: Readonly<Record<string, PageRow>> = {
  '/': { status: 302 },
  '/dashboard': { status: 200 },
  '/dashboard/*': { status: 200, given: () => ({ params: { '*': 'scheduling' } }) },
  '/dashboard/favicon.svg': { status: 200 },
  '/dashboard/assets/app.js': { status: 200 },
  '/docs': { status: 200 },
  '/docs/': { status: 200 },
  '/docs.md': { status: 200 },
  '/docs/:name': { status: 200, given: () => ({ params: { name: 'errors' } }) },
  '/docs/errors/:name': { status: 200, given: () => ({ params: { name: 'internal:error' } }) },
  '/docs/networks/:name': { status: 200, given: () => ({ params: { name: 'bluesky' } }) },
  '/docs/screens/:name': { status: 200, given: () => ({ params: { name: 'month.png' } }) },
  '/docs/style.css': { status: 200 },
  '/llms.txt': { status: 200 },
  '/clients/almanac-client.tgz': { status: 200 },
  '/clients/almanac-post.tgz': { status: 200 },
  '/clients/n8n-nodes-almanac.tgz': { status: 200 },
  '/openapi.json': { status: 200 },
  '/unsubscribe': { status: 404, given: () => ({ query: { token: 'guessed' } }) },
  '/healthz': { status: 200 },
  '/readyz': { status: 200 },
  // The credential is the signature in the address.
  '/media/:id/:variant': {
    status: 404,
    given: async ({ make }) => ({ params: { id: await make.media(), variant: 'original' } }),
  },
  // The credential is the token in the address.
  '/feeds/:token': { status: 404, given: () => ({ params: { token: `${'a'.repeat(43)}.ics` } }) },
  // The credential is the state, which only the browser of the sign-in has.
  '/connect/:network/callback': {
    status: 400,
    given: () => ({ params: { network: 'threads' }, query: { state: 'guessed', code: 'guessed' } }),
  },
}
