import { fileURLToPath } from 'node:url'
import {
  type AccountType,
  given,
  givenQuery,
  POST_FIELDS,
  type PostInput,
  type PostResult,
  type PostSet,
  rightsOf,
  SHIPPED_PLANS,
} from '#contract'
import { failed, newId, posted, type SecretBox, usedUpMessage } from '#domain'
import type { MediaStore } from '#media'
import {
  findUserByEmail,
  insertMediaItem,
  insertPastResults,
  insertSharedCalendar,
  markLabels,
  markSeen,
} from '#persistence'
import { publisherActor } from '#publishing'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { createLabel } from '../labels/create.ts'
import { createNote } from '../notes/create.ts'
import { createPostSet } from '../post-sets/create.ts'
import { newKeptToken } from '../shared-calendars/kept-token.ts'
import { AHEAD, LABELS, type LabelKey, NOTES, PAST, PICTURES, type Picture, type Planned } from './demo-posts.ts'

export interface DemoCalendarDeps extends PostSetDeps {
  box: Pick<SecretBox, 'seal'>
  store: Pick<MediaStore, 'putFile'>
  /** Shows a post of the past on a page of the sandbox, and gives its address. */
  remember(post: { id: string; accountType: AccountType; text: string; at: Date }): string
  now(): Date
}

const SIZE = { width: 1080, height: 1350 } as const
const pathOf = (name: Picture, ending: 'jpg' | 'webp') =>
  fileURLToPath(new URL(`./demo-pictures/${name}.${ending}`, import.meta.url))

/**
 * Fills the demo account's calendar for a month before and after today: published posts, an older failed one that is
 * safe to retry, scheduled posts, a series, drafts, one that waits for approval and two that wait for the client,
 * labels, notes and pictures, and a link for the client. Days are in the brand's time zone.
 */
export async function makeDemoCalendar(
  deps: DemoCalendarDeps,
  account: { accountId: string; socialSetId: string; ownerEmail: string; timezone: string },
): Promise<void> {
  const { accountId, socialSetId, timezone } = account
  const caller = await ownerOf(deps, account)
  const labels = new Map<LabelKey, string>()
  const addLabels = (Object.entries(LABELS) as [LabelKey, (typeof LABELS)[LabelKey]][]).map(
    async ([key, [name, color]]) => labels.set(key, (await createLabel(deps, { accountId, name, color })).id),
  )
  const [media] = await Promise.all([addPictures(deps, account), ...addLabels])
  const today = Temporal.Instant.fromEpochMilliseconds(deps.now().getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  const at = (day: number, time: string) => `${today.add({ days: day })}T${time}`

  async function add(planned: Planned): Promise<PostSet> {
    const { on, pictures = [], status = 'DRAFT', approval = 'NONE', repeat = null, label } = planned
    const items = pictures.map((name) => ({ mediaLibraryId: media.get(name) ?? '', altText: PICTURES[name] }))
    const posts = on.map((accountType) => postOn(accountType, planned, items))
    const scheduledAt = at(planned.day, planned.time)
    const body = { socialSetId, scheduledAt, status, approval, posts, ...(repeat ? { repeat } : {}) }
    // Who is alone approves nothing of their own: what is approved comes as from a program.
    const as = approval === 'APPROVED' ? { ...caller, member: null } : caller
    const set = await createPostSet(deps, as, { body: given(body), query: givenQuery({}) })
    const labelId = label && labels.get(label)
    if (labelId) await markLabels(deps.db, set.id, { added: [labelId], removed: [] })
    return set
  }

  async function addPast(planned: Planned): Promise<void> {
    const { id, posts, scheduledAt } = await add(planned)
    const results = posts.map((post) => ({
      postId: post.id,
      result: planned.failed?.includes(post.accountType)
        ? networkFailed(deps, post.accountType)
        : remembered(deps, post.accountType, planned, scheduledAt),
    }))
    await deps.db.transaction().execute((trx) => insertPastResults(trx, id, results, publisherActor))
  }
  const addNote = ({ day, ...note }: (typeof NOTES)[number]) =>
    createNote(deps, caller, given({ socialSetId, ...note, scheduledAt: at(day, '00:00') }))
  // Together: a first start waits for it.
  await Promise.all([...AHEAD.map(add), ...PAST.map(addPast), ...NOTES.map(addNote), share(deps, caller, socialSetId)])
  // A newcomer does not begin with what went wrong.
  const until = deps.now()
  await markSeen(deps.db, caller, { userId: caller.member?.userId ?? '', socialSetId, until })
}

/** A link for the client. */
function share(
  { db, box }: DemoCalendarDeps,
  { accountId, actor, member }: Caller,
  socialSetId: string,
): Promise<void> {
  const id = newId()
  return insertSharedCalendar(db, {
    id,
    accountId,
    name: 'For our client',
    socialSetIds: [socialSetId],
    token: newKeptToken(box, id).kept,
    formal: false,
    passcodeHash: null,
    shows: { scheduled: true, drafts: false, published: true },
    allows: { comment: true, decide: true, notes: true, files: false },
    lastDay: null,
    createdBy: { id: member?.userId ?? '', name: actor.name },
  })
}

function networkFailed({ networks }: DemoCalendarDeps, accountType: AccountType): PostResult {
  const title = networks.serving(accountType)?.manifest.title ?? 'The network'
  return failed('UNKNOWN', usedUpMessage(`${title} had a problem on its side.`))
}

/** The result of a post of the past: it is on a page of the sandbox, and so are the parts behind it. */
function remembered(deps: DemoCalendarDeps, accountType: AccountType, planned: Planned, scheduledAt: string) {
  const keep = (text: string) => {
    const id = newId()
    return { providerId: id, permalink: deps.remember({ id, accountType, text, at: new Date(scheduledAt) }) }
  }
  return posted([{ ...keep(planned.caption), thread: (planned.thread ?? []).map(keep) }])
}

async function ownerOf(
  { db }: DemoCalendarDeps,
  { accountId, ownerEmail }: { accountId: string; ownerEmail: string },
): Promise<Caller> {
  const user = await findUserByEmail(db, ownerEmail)
  if (!user) throw new Error('The demo account that was just created has no owner.')
  return {
    accountId,
    actor: { type: 'USER', id: user.id, name: user.name },
    rights: rightsOf('owner'),
    socialSetIds: null,
    plan: SHIPPED_PLANS.SCALE,
    member: { userId: user.id, sessionId: newId(), role: 'owner', operator: false },
  }
}

/** A post as its account type wants it: what is required has its default, or is reported by the caption. */
function postOn(accountType: AccountType, { caption, story, thread }: Planned, media: object[]): PostInput {
  const required = Object.entries(POST_FIELDS[accountType]).filter(([, field]) => field.required)
  const fields = Object.fromEntries(required.map(([name, { missing }]) => [name, missing]))
  if ('richCaption' in fields) fields.richCaption = [caption]
  if ('title' in fields) fields.title = caption.split(/[.:]/)[0]
  if (accountType === 'FACEBOOK') fields.type = media.length > 0 ? 'IMAGE' : 'TEXT'
  if (media.length > 1 && 'type' in fields) fields.type = accountType === 'FACEBOOK' ? 'MULTI_IMAGE' : 'CAROUSEL'
  if (story) fields.type = 'STORY'
  if (thread) fields.thread = thread.map((part) => ({ caption: part, media: [] }))
  return { ...fields, accountType, caption, media } as PostInput
}

async function addPictures(
  { db, store }: DemoCalendarDeps,
  { accountId, socialSetId }: { accountId: string; socialSetId: string },
): Promise<Map<Picture, string>> {
  const ids = new Map<Picture, string>()
  const add = async ([name, altText]: [Picture, string]) => {
    const [picture, thumbnail] = await Promise.all([
      store.putFile(pathOf(name, 'jpg')),
      store.putFile(pathOf(name, 'webp')),
    ])
    const id = newId()
    ids.set(name, id)
    await insertMediaItem(db, {
      id,
      accountId,
      socialSetId,
      name: `${name}.jpg`,
      altText,
      facts: {
        type: 'IMAGE',
        mimeType: 'image/jpeg',
        bytes: picture.bytes,
        ...SIZE,
        durationMs: null,
        videoCodec: null,
        audioCodec: null,
        frameRate: null,
        animated: false,
      },
      sha256: Buffer.from(picture.sha256, 'hex'),
      storageKey: picture.key,
      thumbnailKey: thumbnail.key,
      source: 'UPLOAD',
      sourceUrl: null,
    })
  }
  await Promise.all((Object.entries(PICTURES) as [Picture, string][]).map(add))
  return ids
}
