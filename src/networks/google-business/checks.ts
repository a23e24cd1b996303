import { type Checks, readProbe } from '../kit/checks.ts'
import { accountsOf, call, locationsOf, postsApi, postsOf, readPage } from './api.ts'
import { errors } from './outcomes.ts'

/** Keys of the entries of a list. */
const listed = (list: string, names: string) => [
  ...names.split(/\s+/).map((name) => `${list}[].${name}`),
  'nextPageToken?',
]

/** What only a real profile can show. Keys: the vendor's clients of the two v1 APIs, and the pages of v4 (read 2026-11-21). */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'accounts',
      settles: 'whether the accounts of the person can be listed',
      documented: listed(
        'accounts',
        `name accountName? primaryOwner? type? role? verificationState? vettedState? accountNumber? permissionLevel?
        organizationInfo.*`,
      ),
      read: (look) => readPage(look, accountsOf(look)),
      says: ({ entries }) => `${entries.length} accounts could be read.`,
    }),
    readProbe({
      name: 'locations',
      settles: 'whether the locations of the account can be listed, and whether they take posts',
      documented: [...listed('locations', 'name title? storefrontAddress.* metadata.*'), 'totalSize?'],
      read: (look) => readPage(look, locationsOf(look, look.credentials.account)),
      says: ({ entries }) =>
        `${entries.length} locations, ${entries.filter(({ canPost }) => canPost === false).length} without posts by programs.`,
      differs: ({ entries, next }, { account }) =>
        next === null && !entries.some(({ name }) => name === account.externalId)
          ? 'The location that is connected is not listed.'
          : null,
    }),
    readProbe({
      name: 'posts',
      settles: 'whether the posts of the location can be listed, by which a lost one is found',
      documented: listed(
        'localPosts',
        `name languageCode? summary? state? topicType? callToAction.* event.* offer.* media.* media[].* createTime?
        updateTime? searchUrl? alertType? scheduledTime? recurrenceInfo.*`,
      ),
      read: (look) => readPage(look, { ...postsOf(look), query: { pageSize: '10' } }),
      says: ({ entries }) =>
        entries.length === 0 ? 'The listing is empty.' : `${entries.length} posts could be read.`,
    }),
  ],
  fields: () => ({ ctaType: 'NONE' }),
  /** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/delete (read 2026-11-21) */
  remove: (look, providerId) =>
    call(look, { method: 'DELETE', path: postsApi(look, providerId), timeoutMs: 15_000, parse: () => true }),
  byHand: 'Open business.google.com, choose the profile and "Add update", find the post and delete it.',
}
