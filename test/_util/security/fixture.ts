import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccountType, ROLES, type Role, SCOPES, type Scope } from '#contract'
import { newId } from '#domain'
import { loadNetworks } from '#networks'
import { createKey } from '#operations'
import { type Api, startApi } from '../api/api.ts'
import { startSimulators } from '../api/connections.ts'
import { type Person, signInAs, signInAsOperator } from '../api/members.ts'
import { tusClient } from '../api/tus-client.ts'
import { anyRate, done } from '../browser/dashboard-api.ts'

/** One server with two accounts and all kinds of callers. */
export interface Fixture {
  api: Api
  /** Members of the account, by role. */
  members: Readonly<Record<Role, Person>>
  /** An admin who sees another social set only. */
  restricted: Person
  /** The owner of another account. */
  stranger: Person
  /** Was an owner of the account, and is in no other one. */
  leaver: Person
  /** With all scopes; it was revoked when the leaver was removed. */
  leaverKey: string
  /** Operates the installation, and is a reviewer of the account. */
  operator: Person
  /** Of another account, with all scopes. */
  strangerKey: string
  /** With all scopes, for another social set only. */
  restrictedKey: string
  /** A key with exactly these scopes. */
  keyWith(scopes: readonly Scope[]): Promise<string>
  /** Creates resources of the account. */
  make: ReturnType<typeof makers>
  close(): Promise<void>
}

export async function openFixture(): Promise<Fixture> {
  const dashboardDir = await builtDashboard()
  const simulators = await startSimulators(await loadNetworks())
  const api = await startApi({ rate: anyRate, connections: simulators, dashboardDir })
  const other = await api.newSocialSet({ name: 'Other brand' })
  const accountId = await api.newAccount()
  const people = await Promise.all(ROLES.map(async (role) => [role, await signInAs(api, role)] as const))
  const members = Object.fromEntries(people) as Record<Role, Person>
  const keys = new Map<string, Promise<string>>()
  const leaver = await signInAs(api, 'owner')
  const keyOfLeaver = { name: 'Key', scopes: SCOPES, socialSetIds: null, expiresAt: null, password: leaver.password }
  const { key: leaverKey } = await done(leaver.request('POST', '/api-keys', { body: keyOfLeaver }), 201)
  const removal = { password: members.owner.password, revokeApiKeys: true }
  await done(members.owner.request('DELETE', `/members/${leaver.userId}`, { body: removal }))
  return {
    api,
    members,
    leaver,
    leaverKey,
    restricted: await signInAs(api, 'admin', { socialSetIds: [other] }),
    stranger: await signInAs(api, 'owner', { accountId }),
    operator: await signInAsOperator(api, 'reviewer'),
    strangerKey: await api.newKey({ accountId }),
    restrictedKey: await api.newKey({ socialSetIds: [other] }),
    keyWith(scopes) {
      const name = SCOPES.filter((scope) => scopes.includes(scope)).join()
      const key = keys.get(name) ?? newKeyBeyondTheLimit(api, scopes)
      keys.set(name, key)
      return key
    },
    make: makers(api, members.owner, () => keys.clear()),
    async close() {
      await api.close()
      await simulators.close()
      await rm(dashboardDir, { recursive: true })
    },
  }
}

const BEYOND_THE_LIMIT = 'Beyond the limit'

/** An account has at most ten active keys, so this one is created in another account and moved. */
async function newKeyBeyondTheLimit(api: Api, scopes: readonly Scope[]): Promise<string> {
  const accountId = await api.newAccount()
  const { id, key } = await createKey({ db: api.db }, { accountId, name: BEYOND_THE_LIMIT, scopes, socialSetIds: null })
  await api.db.updateTable('api_keys').set({ account_id: api.accountId }).where('id', '=', id).execute()
  return key
}

/** A folder as the build of the dashboard makes it. */
export async function builtDashboard(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-dashboard-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Almanac</title>')
  await writeFile(
    join(folder, 'shared.html'),
    '<!doctype html><title>Shared</title><meta name="csp-nonce" content=""><script type="module" src="./assets/app.js"></script>',
  )
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'assets/app.js'), 'export {}')
  return folder
}

/** The body of a link to one social set. */
export const sharing = (socialSetId: string) => ({
  name: 'Spring campaign',
  socialSetIds: [socialSetId],
  shows: { scheduled: true, drafts: true, published: true },
  allows: { comment: true, decide: true, notes: true },
})

/** Creates resources in the account's social set, as its owner or with its key of all scopes. */
function makers(api: Api, owner: Person, forgetKeys: () => void) {
  const { socialSetId } = api
  const ask = async (method: string, path: string, body?: object, status = 200) =>
    done(api.request(method, path, body ? { body } : {}), status)
  const askAsOwner = async (method: string, path: string, body?: object, status = 200) =>
    done(owner.request(method, path, body ? { body } : {}), status)
  const note = async () =>
    (
      await ask(
        'POST',
        '/v1/notes',
        { socialSetId, content: 'A note', hexColor: '#faf785', scheduledAt: '2030-06-01T10:00:00Z' },
        201,
      )
    ).id as string
  const postSet = async (more: object = {}) => (await api.create(more)).id as string
  return {
    note,
    postSet,
    async deletedNote() {
      const id = await note()
      await askAsOwner('DELETE', `/notes/${id}`, undefined, 204)
      return id
    },
    async deletedPostSet() {
      const id = await postSet()
      await askAsOwner('DELETE', `/post-sets/${id}`, undefined, 204)
      return id
    },
    /** Only five may be pending: ends those before. */
    async roomForUpload() {
      await api.db
        .updateTable('media_uploads')
        .set({ status: 'FAILED' })
        .where('status', 'in', ['PENDING', 'RECEIVING'])
        .execute()
    },
    async upload() {
      await this.roomForUpload()
      const body = { socialSetId, url: 'https://example.com/photo.jpg' }
      return (await ask('POST', '/v1/media-upload', body, 201)).id as string
    },
    /** One of two bytes, of which none is here. */
    async uploadOfBytes() {
      await this.roomForUpload()
      const { path } = await tusClient(api.url, { authorization: `Bearer ${api.key}` }).begun({ socialSetId }, 2)
      return path.split('/').at(-1) as string
    },
    media: () => api.newMedia(),
    async deletedMedia() {
      const id = await api.newMedia()
      await askAsOwner('DELETE', `/media-library/${id}`, undefined, 204)
      return id
    },
    label: async () => (await askAsOwner('POST', '/labels', { name: newId() }, 201)).id as string,
    async hashtagGroup() {
      const body = { socialSetId: await api.newSocialSet(), name: 'Autumn', tags: ['autumn'] }
      return (await askAsOwner('POST', '/hashtag-groups', body, 201)).id as string
    },
    /** What a member, who may be one who does not write any more, has typed in the account's social set. */
    async keptDraft(userId: string) {
      const id = newId()
      const place = { account_id: api.accountId, social_set_id: socialSetId, user_id: userId, id }
      const draft = { ...place, sequence: 1, excerpt: 'Half a', content: '{}' }
      await api.db.insertInto('kept_drafts').values(draft).execute()
      return id
    },
    async importedCalendar() {
      const body = {
        socialSetId: await api.newSocialSet(),
        name: 'Agency',
        hexColor: '#e1effc',
        url: 'https://example.com/calendar.ics',
      }
      return (await askAsOwner('POST', '/imported-calendars', body, 201)).id as string
    },
    /** Of a member, who may be one who does not write any more. */
    async comment(userId: string) {
      const id = newId()
      const place = { account_id: api.accountId, social_set_id: socialSetId, post_set_id: await postSet() }
      const author = { author_type: 'USER', author_id: userId, author_name: 'Ada' } as const
      await api.db
        .insertInto('comments')
        .values({ id, ...place, ...author, audience: 'INNER', text: 'Hello' })
        .execute()
      return id
    },
    /** What the bell of a member shows about the account's social set. */
    async bellItem(userId: string) {
      const [id, newsId] = [newId(), newId()]
      const place = { account_id: api.accountId, social_set_id: socialSetId, subject: id }
      await api.db
        .insertInto('news')
        .values({ ...place, id: newsId, kind: 'COMMENTED', addressed_at: new Date() })
        .execute()
      const item = { ...place, id, user_id: userId, news_id: newsId, cause: 'COMMENTED' as const, at: new Date() }
      await api.db.insertInto('bell_items').values(item).execute()
      return id
    },
    async sharedCalendar() {
      return (await askAsOwner('POST', '/shared-calendars', sharing(await api.newSocialSet()), 201)).sharedCalendar
        .id as string
    },
    emptySocialSet: () => api.newSocialSet(),
    async hold() {
      const body = { scope: 'SOCIAL_SET', id: await api.newSocialSet(), reason: 'Wait' }
      return (await askAsOwner('POST', '/holds', body, 201)).hold.id as string
    },
    /** A thing is held once: takes away what the table has placed. */
    async noHoldOfAccount() {
      await api.db.deleteFrom('holds').where('social_set_id', 'is', null).execute()
    },
    async apiKey() {
      await this.roomForKey()
      const body = {
        name: 'Created by the table',
        scopes: [],
        socialSetIds: null,
        expiresAt: null,
        password: owner.password,
      }
      return (await askAsOwner('POST', '/api-keys', body, 201)).id as string
    },
    /** Only ten may be active: revokes those that the table has created, of which the next row makes its own again. */
    async roomForKey() {
      await api.db
        .updateTable('api_keys')
        .set({ revoked_at: new Date() })
        .where('name', 'in', ['Created by the table', BEYOND_THE_LIMIT])
        .where('revoked_at', 'is', null)
        .execute()
      forgetKeys()
    },
    /** A sandbox connection, in a social set of its own. */
    async connection(accountType: AccountType = 'BLUESKY') {
      const own = await api.newSocialSet()
      await askAsOwner('POST', '/connections/sandbox', { socialSetId: own, accountTypes: [accountType] }, 201)
      const { connections } = await askAsOwner('GET', `/connections?socialSetId=${own}`)
      return connections[0].id as string
    },
    /** Of this key; null: of the account. */
    async webhook(key: string | null) {
      await this.roomForWebhook()
      const url = 'https://flows.example.com/almanac'
      if (key === null)
        return (await askAsOwner('POST', '/webhooks', { url, password: owner.password }, 201)).id as string
      return (await done(api.request('POST', '/v1/webhooks', { key, body: { url } }), 201)).id as string
    },
    async closedWebhook(key: string | null) {
      const id = await this.webhook(key)
      const closed = { closed_at: new Date(), closed_why: 'GONE' as const, closed_position: 0 }
      await api.db.updateTable('webhooks').set(closed).where('id', '=', id).execute()
      return id
    },
    /** Only twenty may be open: takes away what the table has made. */
    async roomForWebhook() {
      await api.db.deleteFrom('webhooks').execute()
    },
    member: (role: Role = 'author') => signInAs(api, role),
    invitation: () =>
      askAsOwner('POST', '/invitations', { email: `${newId()}@example.com`, role: 'author', socialSetIds: null }, 201),
  }
}
