import { type Checks, notTried, type Probe, readProbe } from '../kit/checks.ts'
import { call, parseId } from '../meta/graph.ts'
import { listingProbe, pagesProbe, permissionsProbe, personTokenProbe, quotaProbe } from '../meta/probes.ts'
import { login } from './connect.ts'
import { errors } from './outcomes.ts'
import { isOwnSignIn, ownHost } from './own-sign-in.ts'
import { MEDIA_FIELDS, parseMedia } from './wire.ts'

const MEDIA_KEYS = MEDIA_FIELDS.split(',').map((key) => `data[].${key}${key === 'id' ? '' : '?'}`)

/** Of accounts that signed in through a Page. */
const ofPages = (probe: Probe): Probe => ({
  ...probe,
  ask: async (look) =>
    isOwnSignIn(look.credentials) ? notTried('The account signed in with Instagram, without a Page.') : probe.ask(look),
})

/** Of all accounts, each at the host of its sign-in. */
const ofAll = (probe: Probe): Probe => ({
  ...probe,
  ask: (look) => probe.ask(isOwnSignIn(look.credentials) ? { ...look, ...ownHost(look) } : look),
})

const listing = (name: string, edge: string, whether: string, more: { since?: true } = {}): Probe =>
  listingProbe({
    name,
    settles: `whether ${whether}, by which a lost one is found`,
    path: ({ account }) => `${account.externalId}/${edge}`,
    fields: MEDIA_FIELDS,
    documented: MEDIA_KEYS,
    parse: parseMedia,
    ...more,
  })

/** What only a real account can show. */
export const checks: Checks = {
  errors,
  probes: [
    ...[permissionsProbe(login), personTokenProbe, pagesProbe].map(ofPages),
    ...[
      readProbe({
        name: 'account',
        settles: 'whether the account can be read',
        documented: ['id', 'name?', 'username'],
        read(look) {
          const query = { fields: 'id,name,username' }
          return call(look, { method: 'GET', path: look.account.externalId, query, timeoutMs: 15_000, parse: parseId })
        },
      }),
      quotaProbe(
        'how many posts a day the network takes: pages name 50 and 100',
        ({ account }) => `${account.externalId}/content_publishing_limit`,
      ),
      listing('posts', 'media', 'posts can be listed by time', { since: true }),
      listing('stories', 'stories', 'stories can be listed'),
    ].map(ofAll),
  ],
  byHand: 'Open the post in the Instagram app, open its menu and choose "Delete".',
}
