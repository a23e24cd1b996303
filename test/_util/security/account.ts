import { newId } from '#domain'
import { signInThere, start } from '../api/connecting.ts'
import { sharing } from './fixture.ts'
import type { Row, Table } from './row.ts'

const newSet = (body: object): Row => ({
  given: async ({ make }) => ({ body: { socialSetId: await make.emptySocialSet(), ...body } }),
  outside: 'social-set:not_found',
})
const connection = (more: Partial<Row> = {}): Row => ({
  given: async ({ make }) => ({ params: { id: await make.connection() } }),
  outside: 'connection:not_found',
  ...more,
})
const apiKey = (body: object = {}): Row => ({
  given: async ({ make }, { password }) => ({ params: { id: await make.apiKey() }, body: { ...body, password } }),
  outside: 'api-key:not_found',
})

/** Routes about social sets, labels, connections and API keys. */
export const ACCOUNT: Table = {
  'GET /social-sets': { outside: 'own' },
  'POST /social-sets': { given: () => ({ body: { name: 'Brand', timezone: 'UTC' } }), outside: 'own' },
  'PATCH /social-sets/:id': {
    given: async ({ make }) => ({ params: { id: await make.emptySocialSet() }, body: { name: 'Renamed' } }),
    outside: 'social-set:not_found',
  },
  'GET /social-sets/:id/timezone-change': {
    given: async ({ make }) => ({ params: { id: await make.emptySocialSet() }, query: { timezone: 'UTC' } }),
    outside: 'social-set:not_found',
  },
  'GET /social-sets/:id/saved-times': ofSocialSet(),
  'PUT /social-sets/:id/saved-times': ofSocialSet({ times: [{ weekday: 1, time: '09:00' }] }),
  'GET /social-sets/:id/free-slots': ofSocialSet(),
  'GET /social-sets/:id/calendar-feed': ofSocialSet(),
  'PUT /social-sets/:id/calendar-feed': ofSocialSet(),
  'DELETE /social-sets/:id/calendar-feed': ofSocialSet(),
  'GET /imported-calendars': {
    given: ({ api }) => ({ query: { socialSetId: api.socialSetId } }),
    outside: 'social-set:not_found',
  },
  'POST /imported-calendars': newSet({ name: 'Agency', hexColor: '#e1effc', url: 'https://example.com/calendar.ics' }),
  'PATCH /imported-calendars/:id': importedCalendar({ name: 'Client' }),
  'POST /imported-calendars/:id/fetch': importedCalendar(),
  'GET /imported-calendars/:id/removal': importedCalendar(),
  'DELETE /imported-calendars/:id': importedCalendar(),
  'GET /networks': { outside: 'own' },
  'GET /usage': { outside: 'own' },
  // Only operators get so far; whose account they are in does not matter.
  'GET /network-apps': { outside: 'own' },
  'PUT /network-apps/:id': {
    given: (_, { password }) => ({ params: { id: 'tiktok' }, body: { appId: 'app', secret: 'hush', password } }),
    outside: 'own',
  },
  'DELETE /network-apps/:id': {
    given: (_, { password }) => ({ params: { id: 'tiktok' }, body: { password } }),
    outside: 'own',
  },
  'POST /network-apps/:id/check': {
    given: async ({ api }, { person, password }) => {
      const body = { appId: 'app', secret: 'hush', password }
      // For callers who are no operators there is nothing to be prepared.
      await api.request('PUT', '/internal/network-apps/threads', {
        key: null,
        body,
        headers: { cookie: person.cookie, origin: 'https://almanac.test' },
      })
      return { params: { id: 'threads' } }
    },
    outside: 'own',
  },

  'GET /labels': { outside: 'own' },
  'GET /labels/usage': { outside: 'own' },
  'POST /labels': { given: () => ({ body: { name: newId() } }), outside: 'own' },
  'PATCH /labels/:id': label({ color: '#cb4f0b' }),
  'POST /labels/:id/merge': {
    given: async ({ make }) => ({ params: { id: await make.label() }, body: { into: await make.label() } }),
    outside: 'label:not_found',
    restricted: 'own',
  },
  'DELETE /labels/:id': label(),

  'GET /connections': {
    given: ({ api }) => ({ query: { socialSetId: api.socialSetId } }),
    outside: 'social-set:not_found',
  },
  'GET /connections/attention': { outside: 'own' },
  'POST /connections/authorizations': newSet({ accountType: 'THREADS', sandbox: true }),
  'GET /connections/authorizations/:id': {
    given: async ({ make }, { person }) => {
      const body = { socialSetId: await make.emptySocialSet(), accountType: 'THREADS', sandbox: true }
      return { params: { id: (await start(person, body)).id } }
    },
    outside: 'connection:sign_in_not_found',
  },
  'POST /connections/authorizations/:id/choose': {
    given: async ({ api, make }, { person }) => {
      const body = { socialSetId: await make.emptySocialSet(), accountType: 'FACEBOOK', sandbox: true }
      const { id, accounts } = await signInThere(api, person, body)
      return { params: { id }, body: { externalId: accounts[0]?.externalId } }
    },
    outside: 'connection:sign_in_not_found',
  },
  // No server answers at that address, so a caller with the right is refused for that.
  'POST /connections/password': {
    ...newSet({
      accountType: 'BLUESKY',
      identifier: 'me.example.com',
      password: 'secret',
      service: 'https://pds.invalid',
    }),
    done: [409, 'request:refused'],
  },
  'POST /connections/sandbox': newSet({ accountTypes: ['BLUESKY'] }),
  'GET /connections/:id/defaults': connection(),
  'GET /connections/:id/choices': connection(),
  'GET /connections/:id/capabilities': connection({
    given: async ({ make }) => ({ params: { id: await make.connection('TIKTOK') } }),
  }),
  'PUT /connections/:id/defaults': connection({
    given: async ({ make }) => ({
      params: { id: await make.connection('YOUTUBE') },
      body: { defaults: { madeForKids: true } },
    }),
  }),
  'POST /connections/:id/reconnect': connection(),
  'GET /connections/:id/closing': connection(),
  'DELETE /connections/:id': connection({
    given: async ({ make }, { password }) => ({
      params: { id: await make.connection() },
      body: { password, scheduledSets: 'LEAVE' },
    }),
  }),

  'GET /shared-calendars': { outside: 'own' },
  'POST /shared-calendars': {
    given: async ({ make }) => ({ body: sharing(await make.emptySocialSet()) }),
    outside: 'social-set:not_found',
  },
  'PATCH /shared-calendars/:id': sharedCalendar({ name: 'Renamed' }),
  'POST /shared-calendars/:id/renew': sharedCalendar(),
  'POST /shared-calendars/:id/close': sharedCalendar(),
  'POST /shared-calendars/:id/copy': sharedCalendar(),
  'POST /shared-calendars/:id/look': sharedCalendar(),
  'GET /shared-calendars/:id/visitors': sharedCalendar(),
  'GET /shared-calendars/:id/calendar-feed': sharedCalendar(),
  'PUT /shared-calendars/:id/calendar-feed': sharedCalendar(),
  'DELETE /shared-calendars/:id/calendar-feed': sharedCalendar(),

  // Nothing is held, so that operators are refused for that.
  'GET /held-start/due': { done: [409, 'request:refused'], outside: 'own' },
  'POST /held-start/resume': {
    given: () => ({ body: { late: 'PARK' } }),
    done: [409, 'request:refused'],
    outside: 'own',
  },
  'GET /holds': { outside: 'own' },
  'POST /holds': [
    {
      name: 'a social set',
      given: async ({ make }) => ({
        body: { scope: 'SOCIAL_SET', id: await make.emptySocialSet(), reason: 'Wait' },
      }),
      outside: 'social-set:not_found',
    },
    {
      name: 'a connection',
      given: async ({ make }) => ({ body: { scope: 'CONNECTION', id: await make.connection(), reason: 'Wait' } }),
      outside: 'connection:not_found',
    },
    {
      name: 'the account',
      given: async ({ make }) => {
        await make.noHoldOfAccount()
        return { body: { scope: 'ACCOUNT', reason: 'Wait' } }
      },
      outside: 'own',
      // Others of the account would be held, too.
      restricted: [409, 'request:refused'],
    },
  ],
  'GET /holds/:id/waiting': hold(),
  'POST /holds/:id/release': hold({ late: 'PUBLISH' }),

  'GET /api-keys': { outside: 'own' },
  'GET /api-keys/:id/calls': {
    given: async ({ make }) => ({ params: { id: await make.apiKey() } }),
    outside: 'api-key:not_found',
  },
  'POST /api-keys': {
    given: async ({ make }, { password }) => {
      await make.roomForKey()
      return { body: { name: 'Created by the table', scopes: [], socialSetIds: null, expiresAt: null, password } }
    },
    outside: 'own',
    // The key would see more than the member who creates it.
    restricted: [409, 'request:refused'],
  },
  'PATCH /api-keys/:id': apiKey({ scopes: ['notes:write'] }),
  'POST /api-keys/:id/disable': apiKey(),
  'POST /api-keys/:id/enable': apiKey(),
  'POST /api-keys/:id/rotate': apiKey(),
  'POST /api-keys/:id/revoke': apiKey(),
}

function sharedCalendar(body?: object): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.sharedCalendar() }, ...(body ? { body } : {}) }),
    outside: 'shared-calendar:not_found',
  }
}

function ofSocialSet(body?: object): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.emptySocialSet() }, ...(body ? { body } : {}) }),
    outside: 'social-set:not_found',
  }
}

function importedCalendar(body?: object): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.importedCalendar() }, ...(body ? { body } : {}) }),
    outside: 'imported-calendar:not_found',
  }
}

function hold(body?: object): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.hold() }, ...(body ? { body } : {}) }),
    outside: 'hold:not_found',
  }
}

function label(body?: object): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.label() }, ...(body ? { body } : {}) }),
    outside: 'label:not_found',
    // Labels belong to the account, not to a social set.
    restricted: 'own',
  }
}
