import { daysTo, differs, type Look, type Probe, readProbe } from '../kit/checks.ts'
import { id, number, record, string } from '../kit/read-json.ts'
import { readQuota } from './containers.ts'
import { call, list } from './graph.ts'
import type { GraphLogin } from './login.ts'

/** Questions to the Graph API that do not depend on the network behind it. */

const NO_PERSON =
  "The connection holds the Page's token alone: connect the account again, then the person's is kept beside it."

const asPerson = (look: Look): Look | null => {
  const { userToken } = look.credentials
  return userToken ? { ...look, credentials: { accessToken: userToken } } : null
}

/** https://developers.facebook.com/docs/graph-api/reference/user/permissions (read 2026-11-21) */
export const permissionsProbe = ({ required }: Pick<GraphLogin, 'required'>): Probe =>
  readProbe({
    name: 'permissions',
    settles: 'which permissions were granted',
    documented: ['data[].permission', 'data[].status', 'paging.*'],
    read(look) {
      const person = asPerson(look)
      if (!person) return NO_PERSON
      return list(person, { path: 'me/permissions', query: { limit: '100' }, parse: readPermission })
    },
    says: ({ entries }) => entries.map(({ name, status }) => `${name} ${status}`).join(', '),
    differs({ entries }) {
      const granted = entries.filter(({ status }) => status === 'granted').map(({ name }) => name)
      const missing = required.filter((name) => !granted.includes(name))
      return missing.length > 0 ? `Not granted: ${missing.join(', ')}.` : null
    },
  })

function readPermission(entry: unknown) {
  const { permission, status } = record(entry) ?? {}
  const name = string(permission)
  return name === undefined ? undefined : { name, status: string(status) ?? '' }
}

const TOKEN_KEYS = [
  'data.app_id?',
  'data.application?',
  'data.type?',
  'data.data_access_expires_at?',
  'data.expires_at',
  'data.is_valid',
  'data.issued_at?',
  'data.metadata.*',
  'data.scopes',
  'data.scopes[]',
  'data.granular_scopes.*',
  'data.granular_scopes[].scope?',
  'data.granular_scopes[].target_ids?',
  'data.granular_scopes[].target_ids[]',
  'data.profile_id?',
  'data.user_id?',
]

/**
 * What the network says of the token: its end, that of the access to data (90 days from the consent), and what it allows. The
 * token that is looked at goes into the address, as documented; the header holds the one of `asker`:
 * https://developers.facebook.com/docs/graph-api/reference/debug_token (read 2026-11-21).
 */
export function tokenProbe(inspection: (look: Look) => { asker: Look; path: string; token: string }): Probe {
  return readProbe({
    name: 'token',
    settles: 'when the token and the access to data end, and what the token allows',
    documented: TOKEN_KEYS,
    read(look) {
      const { asker, path, token } = inspection(look)
      return call(asker, { method: 'GET', path, query: { input_token: token }, timeoutMs: 15_000, parse: readToken })
    },
    says({ expiresAt, dataEndsAt, scopes }, { now }) {
      const inDays = (at: number | undefined) =>
        at === undefined ? 'has no named end' : at === 0 ? 'has no end' : `ends in ${daysTo(at, now())} d`
      const allowed = scopes.join(', ') || 'none named'
      return `The token ${inDays(expiresAt)}. The access to data ${inDays(dataEndsAt)}. Scopes: ${allowed}.`
    },
    differs: ({ isValid }) => (isValid ? null : 'The network calls the token invalid.'),
  })
}

/** The person's token, or the Page's where there is no other, asked about by the app. */
export const personTokenProbe: Probe = tokenProbe((look) => {
  const { credentials, setting } = look
  const app = { accessToken: `${setting('CLIENT_ID')}|${setting('CLIENT_SECRET')}` }
  const token = credentials.userToken ?? credentials.accessToken ?? ''
  return { asker: { ...look, credentials: app }, path: 'debug_token', token }
})

function readToken(body: unknown) {
  const data = record(record(body)?.data)
  if (!data) return undefined
  return {
    isValid: data.is_valid === true,
    expiresAt: number(data.expires_at),
    dataEndsAt: number(data.data_access_expires_at),
    scopes: Array.isArray(data.scopes) ? data.scopes.map(String) : [],
  }
}

/** How Pages are listed to the person: whether tokens come with them, and what the tasks are called. */
export const pagesProbe: Probe = readProbe({
  name: 'pages',
  settles: 'whether Pages come with a token, and what their tasks are called',
  documented: ['data[].id', 'data[].name', 'data[].access_token?', 'data[].tasks?', 'paging.*'],
  read(look) {
    const person = asPerson(look)
    if (!person) return NO_PERSON
    const query = { fields: 'id,name,access_token,tasks', limit: '25' }
    return list(person, { path: 'me/accounts', query, most: 1, parse: readPage })
  },
  says({ entries }) {
    const without = entries.filter(({ hasToken }) => !hasToken).length
    const tasks = [...new Set(entries.flatMap((each) => each.tasks))]
    return `${entries.length} Pages, ${without} without a token. Tasks: ${tasks.join(', ') || 'none named'}.`
  },
})

function readPage(entry: unknown) {
  const page = record(entry)
  if (!page || id(page.id) === undefined) return undefined
  const tasks = Array.isArray(page.tasks) ? page.tasks.map(String) : []
  return { hasToken: string(page.access_token) !== undefined, tasks }
}

/** How many posts of 24 hours are left. */
export const quotaProbe = (settles: string, path: (look: Look) => string): Probe =>
  readProbe({
    name: 'quota',
    settles,
    documented: ['data[].quota_usage', 'data[].config.quota_total', 'data[].config.quota_duration'],
    read: (look) => readQuota(look, path(look)),
  })

/** Reads an edge of the account, in the connector's fields. `whenRefused`: what such a refusal is known to mean. */
export function listingProbe<T>(probe: {
  name: string
  settles: string
  path(look: Look): string
  fields: string
  documented: readonly string[]
  parse(entry: unknown): T | undefined
  since?: true
  whenRefused?: string
}): Probe {
  const { name, settles, path, fields, documented, parse, since, whenRefused } = probe
  return readProbe({
    name,
    settles,
    documented: [...documented, 'paging.*'],
    read(look) {
      const from = Math.floor(look.now().getTime() / 1000) - 7 * 86_400
      const query = { fields, limit: '5', ...(since ? { since: String(from) } : {}) }
      return list(look, { path: path(look), query, most: 1, parse })
    },
    says: ({ entries }) =>
      entries.length === 0 ? 'The listing is empty.' : `${entries.length} entries could be read.`,
    refused: ({ status }) =>
      whenRefused === undefined ? null : differs(`The network refuses (status ${status}). ${whenRefused}`),
  })
}
