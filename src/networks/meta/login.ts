import type { Called, Caller, Fruitless } from '../kit/api.ts'
import { addressWith, requestToken, type TokenOutcome } from '../kit/oauth.ts'
import { id, number, record, string, webAddress } from '../kit/read-json.ts'
import type { ConnectContext, Manifest, NetworkIdentity, SignInOutcome } from '../network.ts'
import { parseError } from './errors.ts'
import { call, list } from './graph.ts'

/**
 * The sign-in of networks whose accounts are Pages of the vendor, or hang on one. Such a network has the endpoints
 * `dialog` and `graph` and the settings `API_VERSION`, `CLIENT_ID` and `CLIENT_SECRET`. The dialog and both exchanges:
 * https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow and
 * https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived (read 2026-11-21).
 */
export interface GraphLogin {
  /** Begins the sentences that people read. */
  title: string
  /** Permissions without which nothing can be published. */
  required: readonly string[]
  /** Permissions that are asked for as well, unless the operator leaves them out, and may be declined. */
  optional: readonly string[]
  /** Fields of a Page that are read besides its name, picture, token and tasks. */
  fields: readonly string[]
  /** What can be connected of a Page; words why not. */
  accountOf(page: GraphPage): NetworkIdentity | string
  /** What to do when nothing can be connected. */
  advice: string
}

/** A Page that the person may act for. */
export interface GraphPage {
  id: string
  name: string
  username: string | null
  link: string | null
  picture: string | null
  /**
   * `accessToken` of the Page: derived from a long-lived token of a person it has no end of its own. `userToken` of that
   * person lasts 60 days, and reads what the network refuses to show with the Page's.
   */
  credentials: Readonly<{ accessToken: string; userToken: string }>
  /** As it was answered, for the fields that a network adds. */
  body: Readonly<Record<string, unknown>>
}

/**
 * Settings of the operator's app and of the version of the Graph API.
 *
 * @param versionsPage page of the vendor that tells when versions end, read 2026-11-21
 * @param optional permissions that the operator may leave out
 */
export const graphAppSettings = (versionsPage: string, optional: readonly string[]): Manifest['settings'] => ({
  CLIENT_ID: { description: 'Id of your app at the vendor.', sandbox: 'sandbox-client' },
  CLIENT_SECRET: { description: 'Secret of your app at the vendor.', secret: true, sandbox: 'sandbox-secret' },
  CONFIG_ID: {
    description: "Id of a configuration of the app's login for businesses, which takes the place of permissions.",
  },
  WITHOUT_SCOPES: {
    description: 'Optional permissions that the sign-in does not ask for, separated by commas.',
    listOf: optional,
  },
  API_VERSION: {
    // v26.0 is newer, but says nothing yet of its own end.
    description: `Version of the Graph API. v25.0 works until 29 July 2028 (${versionsPage}).`,
    default: 'v25.0',
    ends: { 'v25.0': '2028-07-29' },
  },
})

/**
 * The address of the dialog. A configuration of the app takes the place of permissions
 * (https://developers.facebook.com/docs/facebook-login/facebook-login-for-business). What a person has declined is asked
 * for again only with `auth_type`.
 */
export function dialogAddress(
  context: Pick<ConnectContext, 'endpoint' | 'setting'>,
  login: Pick<GraphLogin, 'required' | 'optional'>,
  ask: { state: string; redirectUri: string; again?: boolean },
): string {
  const config = context.setting('CONFIG_ID')
  const left = context.setting('WITHOUT_SCOPES').split(',')
  const scopes = [...login.required, ...login.optional.filter((scope) => !left.includes(scope))]
  return addressWith(`${context.endpoint('dialog')}/${context.setting('API_VERSION')}/dialog/oauth`, {
    client_id: context.setting('CLIENT_ID'),
    redirect_uri: ask.redirectUri,
    state: ask.state,
    response_type: 'code',
    ...(config === '' ? { scope: scopes.join(',') } : { config_id: config }),
    auth_type: ask.again ? 'rerequest' : null,
  })
}

/** Code, short-lived token, long-lived token, permissions, Pages: what can be connected. */
export async function completeGraphLogin(
  context: ConnectContext,
  login: GraphLogin,
  grant: { code: string; redirectUri: string },
): Promise<SignInOutcome> {
  const short = await exchange(context, login, { redirect_uri: grant.redirectUri, code: grant.code })
  if (short.kind !== 'token') return { kind: 'failed', message: short.message }
  const lasting = { grant_type: 'fb_exchange_token', fb_exchange_token: short.token.accessToken }
  const long = await exchange(context, login, lasting)
  if (long.kind !== 'token') return { kind: 'failed', message: long.message }
  const { accessToken } = long.token
  const caller: Caller = { ...context, credentials: { accessToken } }

  const granted = await everything(caller, 'me/permissions', {}, readPermission)
  if (granted.kind !== 'ok') return failed(login, 'which permissions were granted', granted)
  const missing = login.required.filter((scope) => !granted.value.includes(scope))
  if (missing.length > 0) {
    const names = `${login.title} was not granted: ${missing.join(', ')}.`
    const configured = context.setting('CONFIG_ID') === '' ? '' : ' The configuration of the app must have all of them.'
    return { kind: 'failed', message: `${names}${configured} Connect again and leave everything switched on.` }
  }
  const found = await accountsOf(caller, login, granted.value.includes('business_management'))
  if (found.kind === 'failed') return found
  const expiresAt = await consentEnd(context, accessToken)
  const [first, ...others] = found.accounts
  return { kind: 'accounts', accounts: [{ ...first, expiresAt }, ...others.map((each) => ({ ...each, expiresAt }))] }
}

/**
 * When what the person has allowed ends: 90 days after it was allowed, whatever becomes of tokens. Null where it does not
 * end, or is not reported. The vendor takes the token that is asked about in the address alone
 * (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/debugging, read 2026-11-23).
 */
async function consentEnd(context: ConnectContext, userToken: string): Promise<Date | null> {
  const accessToken = `${context.setting('CLIENT_ID')}|${context.setting('CLIENT_SECRET')}`
  const caller = { ...context, credentials: { accessToken, userToken } }
  const asked = await call(caller, {
    method: 'GET',
    path: 'debug_token',
    query: { input_token: userToken },
    timeoutMs: 10_000,
    parse: (body) => number(record(record(body)?.data)?.data_access_expires_at),
  })
  const end = asked.kind === 'ok' ? new Date(asked.value * 1000) : null
  return end !== null && end > context.now() ? end : null
}

function exchange(
  context: ConnectContext,
  { title }: GraphLogin,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenOutcome> {
  const url = addressWith(`${context.endpoint('graph')}/${context.setting('API_VERSION')}/oauth/access_token`, {
    client_id: context.setting('CLIENT_ID'),
    client_secret: context.setting('CLIENT_SECRET'),
    ...parameters,
  })
  return requestToken(context, title, { method: 'GET', url })
}

const PAGE_FIELDS = ['id', 'name', 'username', 'link', 'access_token', 'picture{url}']
/**
 * Any of them lets a person publish: https://developers.facebook.com/docs/pages-api/overview (read 2026-11-21). On Pages of
 * the new experience names begin with `PROFILE_PLUS_`. The list is not complete anywhere, so a Page without one of them is
 * connected all the same, with a warning.
 */
const PUBLISHING_TASK = /(^|_)(CREATE_CONTENT|MANAGE|FULL_CONTROL)$/

/** A Page as it was listed: `page` where its token was there, `tasks` null where the network does not tell. */
type Candidate = Pick<GraphPage, 'id' | 'name' | 'body'> & { page: GraphPage | null; tasks: readonly string[] | null }
type ReadCandidate = (body: unknown) => Candidate | undefined

/** Pages of the person, and those that are reached through a business alone: these are in no list of the person's. */
async function accountsOf(caller: Caller, login: GraphLogin, businesses: boolean): Promise<SignInOutcome> {
  const fields = [...PAGE_FIELDS, ...login.fields].join(',')
  const { accessToken: userToken = '' } = caller.credentials
  const readCandidate = candidateReader(userToken)
  const own = await everything(caller, 'me/accounts', { fields: `${fields},tasks` }, readCandidate)
  if (own.kind !== 'ok') return failed(login, 'which Pages there are', own)
  const found = new Map(own.value.map((candidate) => [candidate.id, candidate]))
  const none = { pages: [], fault: null }
  const through = businesses ? await pagesOfBusinesses(caller, login, fields, readCandidate) : none
  for (const page of through.pages) {
    const known = found.get(page.id)
    if (!known?.page) found.set(page.id, { ...page, tasks: known?.tasks ?? page.tasks })
  }

  const accounts: NetworkIdentity[] = []
  const reasons: string[] = []
  let left = MOST_ASKED
  for (const { id: pageId, name, page: listed, body, tasks } of found.values()) {
    const page = listed ?? (left-- > 0 ? await readPage(caller, pageId, body, readCandidate) : null)
    const account = page ? login.accountOf(page) : `it gave no access to ${name}`
    if (typeof account === 'string') {
      reasons.push(account)
      continue
    }
    const mayPublish = tasks === null || tasks.some((task) => PUBLISHING_TASK.test(task))
    const warnings = [mayPublish ? null : withoutTask(login, name), through.fault && incomplete(through.fault)]
    const warning = warnings.filter((each) => each !== null).join(' ')
    accounts.push(warning === '' ? account : { ...account, warning })
  }
  const [first, ...others] = accounts
  if (first) return { kind: 'accounts', accounts: [first, ...others] }
  if (through.fault) return through.fault
  const why = reasons.length === 0 ? 'no Page was chosen in the dialog' : reasons.slice(0, 5).join('; ')
  return { kind: 'failed', message: `${login.title} gave no account that could publish: ${why}. ${login.advice}` }
}

/**
 * Pages that a person has through a business alone. A person may have no right to look into one; its Pages are then not
 * theirs to connect. `fault`: why there may be more.
 */
async function pagesOfBusinesses(
  caller: Caller,
  login: GraphLogin,
  fields: string,
  parse: ReadCandidate,
): Promise<{ pages: Candidate[]; fault: Fault | null }> {
  const pages: Candidate[] = []
  const owners = await everything(caller, 'me/businesses', { fields: 'id,name' }, (body) => id(record(body)?.id))
  if (owners.kind !== 'ok') {
    return { pages, fault: isNotAllowed(owners) ? null : failed(login, 'which businesses there are', owners) }
  }
  for (const business of owners.value) {
    for (const edge of ['owned_pages', 'client_pages']) {
      const listed = await everything(caller, `${business}/${edge}`, { fields }, parse)
      if (listed.kind === 'ok') pages.push(...listed.value)
      else if (!isNotAllowed(listed)) return { pages, fault: failed(login, 'which Pages a business has', listed) }
    }
  }
  return { pages, fault: null }
}

type Fault = Extract<SignInOutcome, { kind: 'failed' }>

const incomplete = ({ message }: Fault) =>
  `${message} Pages that are reached through a business may be missing from the list: to see them, connect again.`

/** Pages that are asked for their tokens one by one. */
const MOST_ASKED = 50

/** A Page whose token no listing holds, as those of a business may be: the Page itself may tell it. */
async function readPage(
  caller: Caller,
  pageId: string,
  body: Candidate['body'],
  parse: ReadCandidate,
): Promise<GraphPage | null> {
  const query = { fields: 'access_token' }
  const asked = await call(caller, { method: 'GET', path: pageId, query, timeoutMs: 15_000, parse: record })
  return asked.kind === 'ok' ? (parse({ ...body, ...asked.value })?.page ?? null) : null
}

const withoutTask = ({ title }: GraphLogin, page: string) =>
  `${title} lists no task by which the person who signed in may create content on ${page}. If posts are refused, have someone who manages the Page grant it, then connect again.`

/** Permission codes of https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21). */
function isNotAllowed(answer: Fruitless): boolean {
  if (answer.kind === 'failed' || answer.answer.status >= 500) return false
  const { code } = parseError(answer.answer)
  return code !== null && (code === 10 || code === 100 || (code >= 200 && code <= 299))
}

const candidateReader =
  (userToken: string): ReadCandidate =>
  (body) => {
    const page = record(body)
    const pageId = id(page?.id)
    if (!page || pageId === undefined) return undefined
    const name = string(page.name) ?? pageId
    const accessToken = string(page.access_token)
    const facts = { id: pageId, name, body: page }
    const read = {
      username: string(page.username) ?? null,
      link: webAddress(page.link),
      // `{"data":{"url":"https://…"}}`
      picture: webAddress(record(record(page.picture)?.data)?.url),
    }
    return {
      ...facts,
      page: accessToken === undefined ? null : { ...facts, ...read, credentials: { accessToken, userToken } },
      tasks: Array.isArray(page.tasks) ? page.tasks.map(String) : null,
    }
  }

function readPermission(body: unknown): string | undefined {
  const { permission, status } = record(body) ?? {}
  return status === 'granted' ? string(permission) : undefined
}

/** So many entries are far more than a person has. */
const MAX_PAGES = 20

async function everything<T>(
  caller: Caller,
  path: string,
  query: Readonly<Record<string, string>>,
  parse: (entry: unknown) => T | undefined,
): Promise<Called<readonly T[]>> {
  const listed = await list(caller, { path, query: { ...query, limit: '100' }, parse, most: MAX_PAGES })
  if (listed.kind !== 'ok') return listed
  // With a part of the Pages, another one than was meant would be connected.
  if (!listed.value.whole) return { kind: 'failed', sent: true, message: 'There are more than can be read.' }
  return { kind: 'ok', value: listed.value.entries }
}

function failed({ title }: GraphLogin, what: string, answer: Fruitless): Fault {
  const words = answer.kind === 'failed' ? answer.message : parseError(answer.answer).message
  return { kind: 'failed', message: `${title} did not say ${what}. ${words || 'Try again.'}`.trim() }
}
