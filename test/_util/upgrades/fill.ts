import { totp } from '../api/totp.ts'
import { newPerson, type Person } from './browser.ts'

/** What a filled installation is asked for later. It is thrown away, so its secrets may be kept. */
export interface Filled {
  owner: { email: string; password: string }
  /** With a second step. */
  member: { email: string; password: string; secret: string; backupCodes: string[] }
  key: string
  readingKey: string
  disabledKey: string
  revokedKey: string
  /** Of an open invitation. */
  invitation: string
  socialSetId: string
  /** Set or note that was deleted in the dashboard and can come back. */
  removed: { draft: string; scheduled: string; occurrence: string; note: string }
  /** Address of a shared calendar, which is shown once. Dumps of before there were any have none. */
  sharedAddress?: string
  /** Address at which calendar programs read the social set. */
  feedAddress?: string
  /** What its owner has commented. */
  commented?: string
  /** Name that a program has given to a post set, which has a thread. */
  externalId?: string
  /** Where events are sent, in vain. */
  webhookId?: string
  /** File of the library that was deleted and can be restored. */
  deletedMedia?: string
  /** Being published when the dump was made. */
  inFlight: string
}

/** Fills the demo account of an installation with something of every kind, by the API and the dashboard's own routes. */
export async function fill(
  url: string,
  { key, ownerEmail, ownerPassword }: { key: string; ownerEmail: string; ownerPassword: string },
  files: { photo: string; missing: string },
): Promise<Filled> {
  const api = newPerson(url, key)
  const owner = newPerson(url)
  await owner.ask('POST', '/internal/session', { email: ownerEmail, password: ownerPassword })
  const socialSetId = (await api.ask('GET', '/v1/social-sets')).data[0].id
  const make = { api, owner, socialSetId }
  const people = await fillPeople(url, owner, socialSetId)
  const keys = await fillKeys(owner, ownerPassword, socialSetId)
  const webhookId = await fillWebhooks(make, ownerPassword)
  const { mediaId, deletedMedia } = await fillMedia(make, files)
  const labels = await fillLabels(owner)
  const note = await fillNotes(make)
  const removed = await fillPostSets(make, { mediaId, labels })
  await closeConnection(make, ownerPassword)
  await fillHolds(make)
  await fillPlanning(make)
  const app = { appId: 'key-of-an-app', secret: 'secret-of-an-app', password: ownerPassword }
  await owner.ask('PUT', '/internal/network-apps/tiktok', app)
  const outside = await fillOutside(make)
  const externalId = await fillThread(make, mediaId)
  const inFlight = await begin(make)
  return {
    owner: { email: ownerEmail, password: ownerPassword },
    ...people,
    key,
    ...keys,
    socialSetId,
    removed: { ...removed, note },
    ...outside,
    externalId,
    webhookId,
    deletedMedia,
    inFlight,
  }
}

interface Make {
  api: Person
  owner: Person
  socialSetId: string
}

async function fillPeople(url: string, owner: Person, socialSetId: string) {
  const invite = async (email: string, role: string, socialSetIds: string[] | null) => {
    const { link } = await owner.ask('POST', '/internal/invitations', { email, role, socialSetIds })
    return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
  }
  const password = 'a long way to go home'
  const ada = newPerson(url)
  const token = await invite('ada@example.com', 'editor', null)
  await ada.ask('POST', '/internal/invitations/accept', { token, name: 'Ada', password })
  const { secret } = await ada.ask('POST', '/internal/two-factor', { password })
  const { backupCodes } = await ada.ask('POST', '/internal/two-factor/confirm', { code: totp(secret) })
  const member = { email: 'ada@example.com', password, secret, backupCodes }
  return { member, invitation: await invite('bob@example.com', 'author', [socialSetId]) }
}

async function fillKeys(owner: Person, password: string, socialSetId: string) {
  const create = (name: string, socialSetIds: string[] | null = null) =>
    owner.ask('POST', '/internal/api-keys', { name, scopes: [], socialSetIds, expiresAt: null, password })
  const [reading, disabled, revoked] = [
    await create('Reads', [socialSetId]),
    await create('Disabled'),
    await create('Revoked'),
  ]
  await owner.ask('POST', `/internal/api-keys/${disabled.id}/disable`, { password })
  await owner.ask('POST', `/internal/api-keys/${revoked.id}/revoke`, { password })
  return { readingKey: reading.key, disabledKey: disabled.key, revokedKey: revoked.key }
}

async function fillMedia(
  { api, owner, socialSetId }: Make,
  files: { photo: string; missing: string },
): Promise<{ mediaId: string; deletedMedia: string }> {
  const upload = async (url: string) => {
    const { id } = await api.ask('POST', '/v1/media-upload', { socialSetId, url, altText: 'A place' })
    return until(
      () => api.ask('GET', `/v1/media-upload/${id}`),
      ({ status }) => status === 'READY' || status === 'FAILED',
    )
  }
  await upload(files.missing)
  const deletedMedia = (await upload(files.photo)).mediaLibraryId
  await owner.ask('DELETE', `/internal/media-library/${deletedMedia}`)
  return { mediaId: (await upload(files.photo)).mediaLibraryId, deletedMedia }
}

async function fillLabels(owner: Person): Promise<string[]> {
  const [summer, winter, removed] = [
    await owner.ask('POST', '/internal/labels', { name: 'Summer', color: '#e42a23' }),
    await owner.ask('POST', '/internal/labels', { name: 'Winter' }),
    await owner.ask('POST', '/internal/labels', { name: 'Removed' }),
  ]
  await owner.ask('DELETE', `/internal/labels/${removed.id}`)
  return [summer.id, winter.id]
}

/** The id of the one that was deleted. */
async function fillNotes({ api, owner, socialSetId }: Make): Promise<string> {
  const note = (content: string, more: object = {}) =>
    api.ask('POST', '/v1/notes', {
      socialSetId,
      content,
      hexColor: '#faf785',
      scheduledAt: inDays(3),
      ...more,
    })
  await note('Market day')
  await note('Every week', { repeat: { interval: 'WEEK', occurrences: 3 } })
  const { id } = await note('Deleted')
  await owner.ask('DELETE', `/internal/notes/${id}`)
  return id
}

async function fillPostSets(
  { api, owner, socialSetId }: Make,
  { mediaId, labels }: { mediaId: string; labels: string[] },
) {
  const create = (caption: string, more: object = {}) =>
    api.ask('POST', '/v1/post-sets', {
      socialSetId,
      scheduledAt: inDays(5),
      status: 'DRAFT',
      approval: 'NONE',
      posts: [{ accountType: 'BLUESKY', caption, media: [] }],
      ...more,
    })
  const scheduled = { status: 'SCHEDULED' }
  const photo = { mediaLibraryId: mediaId, altText: 'Here', tags: [{ x: 0.5, y: 0.5, text: 'ada' }] }
  const instagram = {
    accountType: 'INSTAGRAM',
    type: 'IMAGE',
    caption: 'Two networks',
    collaborators: [],
    media: [photo],
  }
  const both = [instagram, { accountType: 'BLUESKY', caption: 'Two networks', media: [{ mediaLibraryId: mediaId }] }]

  const draft = await create('A draft', { posts: both })
  await owner.ask('PUT', `/internal/post-sets/${draft.id}/labels`, { labelsId: labels })
  const locked = await create('Locked', scheduled)
  await owner.ask('PUT', `/internal/post-sets/${locked.id}/lock`, { locked: true, reason: 'Not before Monday' })
  await create('Pending', { ...scheduled, approval: 'PENDING' })
  const approved = await create('Approved', { ...scheduled, approval: 'PENDING' })
  await owner.ask('POST', `/internal/post-sets/${approved.id}/review`, { decision: 'approve' })
  const denied = await create('Denied', { approval: 'PENDING' })
  const review = { decision: 'request-changes', message: 'Another picture' }
  await owner.ask('POST', `/internal/post-sets/${denied.id}/review`, review)
  const series = await create('Every month', { ...scheduled, repeat: { interval: 'MONTH', occurrences: 4 } })

  const now = { ...scheduled, scheduledAt: new Date().toISOString() }
  const sent = [
    await create('Published', { ...now, posts: both }),
    await create('Fails in part', {
      ...now,
      posts: [instagram, { accountType: 'THREADS', caption: 'No [[fault:media-rejected]]', media: [] }],
    }),
  ]
  for (const { id } of sent) {
    await until(
      () => api.ask('GET', `/v1/post-sets/${id}`),
      ({ status }) => status === 'PUBLISHED',
    )
  }
  // News of it come a moment later, and would be missing in a dump that is made before.
  await until(
    () => owner.ask('GET', '/internal/news'),
    ({ data }) => data.some(({ kind }: { kind: string }) => kind === 'POST_FAILED'),
  )

  const inSeries = await api.ask('GET', `/v1/post-sets?socialSetId=${socialSetId}&size=100`)
  const occurrence = inSeries.data.filter(({ seriesId }: { seriesId?: string }) => seriesId === series.seriesId)[2].id
  const removed = {
    draft: (await create('A deleted draft', { posts: both })).id,
    scheduled: (await create('A deleted post', scheduled)).id,
    occurrence,
  }
  await owner.ask('PUT', `/internal/post-sets/${removed.draft}/labels`, { labelsId: labels.slice(0, 1) })
  for (const id of Object.values(removed)) await owner.ask('DELETE', `/internal/post-sets/${id}`)
  return removed
}

/** A set of a program, with a thread that is published, and an event of it that is followed. */
async function fillThread({ api, socialSetId }: Make, mediaId: string): Promise<string> {
  const externalId = 'posts/thread.md'
  const part = (caption: string, media: object[] = []) => ({ caption, media })
  const thread = [part('Second part', [{ mediaLibraryId: mediaId }]), part('Third part')]
  const { id } = await api.ask('POST', '/v1/post-sets', {
    ...{ socialSetId, externalId, scheduledAt: new Date().toISOString(), status: 'SCHEDULED', approval: 'NONE' },
    posts: [{ accountType: 'BLUESKY', ...part('First part'), thread }],
  })
  await until(
    () => api.ask('GET', `/v1/post-sets/${id}`),
    ({ status }) => status === 'PUBLISHED',
  )
  await until(
    () => api.ask('GET', '/v1/events?after=0&types[]=post_set.published&limit=200'),
    ({ data }) => data.some(({ data }: { data: { postSetId: string } }) => data.postSetId === id),
  )
  return externalId
}

/** Two that get everything and have no address, one of them with a secret that was replaced. */
async function fillWebhooks({ owner }: Make, password: string): Promise<string> {
  const create = (host: string) =>
    owner.ask('POST', '/internal/webhooks', { url: `https://${host}/hook`, description: host, password })
  const { id } = await create('webhooks.invalid')
  await create('others.invalid')
  await owner.ask('POST', `/internal/webhooks/${id}/rotate-secret`, { password })
  await owner.ask('POST', `/internal/webhooks/${id}/test`)
  await until(
    () => owner.ask('GET', `/internal/webhooks/${id}/attempts`),
    ({ data }) => data.length > 0,
  )
  return id
}

async function closeConnection({ owner, socialSetId }: Make, password: string): Promise<void> {
  const [{ accounts }] = (await owner.ask('GET', '/internal/social-sets')).data
  const pinterest = accounts.find(({ type }: { type: string }) => type === 'PINTEREST')
  await owner.ask('DELETE', `/internal/connections/${pinterest.id}`, { password, scheduledSets: 'LEAVE' })
  // One that is being made: what it keeps to itself is sealed.
  await owner.ask('POST', '/internal/connections/authorizations', {
    socialSetId,
    accountType: 'PINTEREST',
    sandbox: true,
  })
}

/** One of the social set that was released, and one of a connection that nothing is published through. */
async function fillHolds({ owner, socialSetId }: Make): Promise<void> {
  const place = (body: object) => owner.ask('POST', '/internal/holds', { reason: 'Wrong prices', ...body })
  const { hold } = await place({ scope: 'SOCIAL_SET', id: socialSetId })
  await owner.ask('POST', `/internal/holds/${hold.id}/release`, { late: 'PARK' })
  const [{ accounts }] = (await owner.ask('GET', '/internal/social-sets')).data
  await place({ scope: 'CONNECTION', id: accounts.find(({ type }: { type: string }) => type === 'YOUTUBE').id })
}

/** Saved times, a group of hashtags and a text that the owner has not saved. */
async function fillPlanning({ owner, socialSetId }: Make): Promise<void> {
  const times = [{ weekday: 1, time: '09:00' }]
  await owner.ask('PUT', `/internal/social-sets/${socialSetId}/saved-times`, { times })
  await owner.ask('POST', '/internal/hashtag-groups', { socialSetId, name: 'Autumn', tags: ['#leaves', '#rain'] })
  await owner.ask('PUT', `/internal/kept-drafts/${crypto.randomUUID()}`, {
    socialSetId,
    postSetId: null,
    sequence: 1,
    basedOnVersion: null,
    excerpt: 'Half a sentence',
    content: { caption: 'Half a sentence' },
  })
}

const CALENDAR = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:fair@example.com\r\nDTSTAMP:20260101T000000Z\r\n`

/** A shared calendar, a calendar to subscribe to, one that is imported from a file, comments, and choices of news. */
async function fillOutside({ api, owner, socialSetId }: Make) {
  const { sharedCalendar, address: sharedAddress } = await owner.ask('POST', '/internal/shared-calendars', {
    name: 'For the client',
    socialSetIds: [socialSetId],
    shows: { scheduled: true, drafts: false, published: true },
    allows: { comment: true, decide: true, notes: true },
  })
  await owner.ask('PUT', `/internal/shared-calendars/${sharedCalendar.id}/calendar-feed`)
  const { address: feedAddress } = await owner.ask('PUT', `/internal/social-sets/${socialSetId}/calendar-feed`)
  const day = inDays(4).slice(0, 10).replaceAll('-', '')
  const calendar = new FormData()
  for (const [name, value] of Object.entries({ socialSetId, name: 'Fairs', hexColor: '#faf785' }))
    calendar.append(name, value)
  const events = `${CALENDAR}DTSTART;VALUE=DATE:${day}\r\nSUMMARY:Book fair\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  calendar.append('file', new Blob([events]), 'fairs.ics')
  await owner.ask('POST', '/internal/imported-calendars', calendar)
  await until(
    () => owner.ask('GET', `/internal/imported-calendars?socialSetId=${socialSetId}`),
    ({ data }) => data[0].fetchedAt !== null,
  )
  const { id: commented } = await api.ask('POST', '/v1/post-sets', {
    ...{ socialSetId, scheduledAt: inDays(6), status: 'DRAFT', approval: 'NONE' },
    posts: [{ accountType: 'BLUESKY', caption: 'Commented', media: [] }],
  })
  const comment = (audience: string, text: string) =>
    owner.ask('POST', `/internal/post-sets/${commented}/comments`, { audience, text })
  await comment('INNER', 'For the team alone')
  const { id } = await comment('SHARED', 'For the client too')
  await owner.ask('PUT', `/internal/comments/${id}/resolved`, { resolved: true })
  await owner.ask('PUT', '/internal/news/choices', { socialSetId: null, choices: { COMMENTED: 'DAILY' } })
  return { sharedAddress, feedAddress, commented }
}

/** A post whose visible call takes ten seconds. */
async function begin({ api, socialSetId }: Make): Promise<string> {
  const { id } = await api.ask('POST', '/v1/post-sets', {
    socialSetId,
    scheduledAt: new Date().toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'On its way [[fault:slow-10s]]', media: [] }],
  })
  await until(
    () => api.ask('GET', `/v1/post-sets/${id}`),
    ({ status }) => status === 'PUBLISHING',
  )
  return id
}

const inDays = (days: number) =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * 86_400_000).toISOString()

async function until<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 60_000; ; ) {
    const value = await read()
    if (wanted(value)) return value
    if (Date.now() > deadline) throw new Error(`It stayed as it was: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
