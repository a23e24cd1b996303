import { type Checks, readProbe } from '../kit/checks.ts'
import { call } from './api.ts'
import { errors } from './outcomes.ts'
import { parseAccount, parseLocalPost, parseLocation, parsePage } from './wire.ts'

/** What only a real profile can tell. Keys: the vendor's clients of the two v1 APIs, and the pages of v4 (read 2026-11-21). */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'accounts',
      settles: 'whether the accounts of the person can be listed',
      documented: [
        'accounts[].name',
        'accounts[].accountName?',
        'accounts[].primaryOwner?',
        'accounts[].type?',
        'accounts[].role?',
        'accounts[].verificationState?',
        'accounts[].vettedState?',
        'accounts[].accountNumber?',
        'accounts[].permissionLevel?',
        'accounts[].organizationInfo.*',
        'nextPageToken?',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: `${look.endpoint('accounts')}/v1/accounts`,
          query: { pageSize: '20' },
          timeoutMs: 15_000,
          parse: (body) => parsePage(body, 'accounts', parseAccount),
        }),
      says: ({ entries }) => `${entries.length} accounts could be read.`,
    }),
    readProbe({
      name: 'locations',
      settles: 'whether the locations of the account can be listed, and whether they take posts',
      documented: [
        'locations[].name',
        'locations[].title?',
        'locations[].storefrontAddress.*',
        'locations[].metadata.*',
        'nextPageToken?',
        'totalSize?',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: `${look.endpoint('locations')}/v1/${look.credentials.account}/locations`,
          query: { readMask: 'name,title,storefrontAddress,metadata', pageSize: '100' },
          timeoutMs: 15_000,
          parse: (body) => parsePage(body, 'locations', parseLocation),
        }),
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
      documented: [
        'localPosts[].name',
        'localPosts[].languageCode?',
        'localPosts[].summary?',
        'localPosts[].state?',
        'localPosts[].topicType?',
        'localPosts[].callToAction.*',
        'localPosts[].event.*',
        'localPosts[].offer.*',
        'localPosts[].media.*',
        'localPosts[].media[].*',
        'localPosts[].createTime?',
        'localPosts[].updateTime?',
        'localPosts[].searchUrl?',
        'localPosts[].alertType?',
        'localPosts[].scheduledTime?',
        'localPosts[].recurrenceInfo.*',
        'nextPageToken?',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: `${look.endpoint('posts')}/v4/${look.credentials.account}/${look.account.externalId}/localPosts`,
          query: { pageSize: '10' },
          timeoutMs: 15_000,
          parse: (body) => parsePage(body, 'localPosts', parseLocalPost),
        }),
      says: ({ entries }) =>
        entries.length === 0 ? 'The listing is empty.' : `${entries.length} posts could be read.`,
    }),
  ],
  fields: () => ({ ctaType: 'NONE' }),
  /** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/delete (read 2026-11-21) */
  remove: (look, providerId) =>
    call(look, {
      method: 'DELETE',
      path: `${look.endpoint('posts')}/v4/${look.credentials.account}/${providerId}`,
      timeoutMs: 15_000,
      parse: () => true,
    }),
  byHand: 'Open business.google.com, choose the profile and "Add update", find the post and delete it.',
}
