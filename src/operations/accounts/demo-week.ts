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
import { createLabel } from '../labels/create.ts'
import { createNote } from '../notes/create.ts'
import { createPostSet } from '../post-sets/create.ts'
import type { PostSetDeps } from '../post-sets/deps.ts'
import { newKeptToken } from '../shared-calendars/kept-token.ts'

export interface DemoWeekDeps extends PostSetDeps {
  box: Pick<SecretBox, 'seal'>
  store: Pick<MediaStore, 'putFile'>
  /** Shows a post of the past on a page of the sandbox, and gives its address. */
  remember(post: { id: string; accountType: AccountType; text: string; at: Date }): string
  now(): Date
}

/** Drawn by scripts/make-demo-pictures.mjs, each with a thumbnail beside it. */
const PICTURES = {
  harbor: 'A sailing boat in front of colorful houses',
  hills: 'Hills at sunrise, with mist in the valleys',
  latte: 'A cup of latte on a wooden table, seen from above',
  dusk: 'A lit shop window at dusk',
  citrus: 'A glass of cold brew with slices of orange',
  pour: 'Coffee drips through a filter into a glass jug',
} as const
type Picture = keyof typeof PICTURES

const SIZE = { width: 1080, height: 1350 } as const
const pathOf = (name: Picture, ending: 'jpg' | 'webp') =>
  fileURLToPath(new URL(`./demo-pictures/${name}.${ending}`, import.meta.url))

const LABELS = { launch: ['Launch', '#cb4f0b'], people: ['People', '#0b866d'], tips: ['Tips', '#6267ea'] } as const
type LabelKey = keyof typeof LABELS

/** A post of the week. `day` counts from today in the brand's zone: none is on the day of the first start itself. */
interface Planned {
  day: number
  time: string
  on: readonly AccountType[]
  caption: string
  picture?: Picture
  label?: LabelKey
  status?: 'DRAFT' | 'SCHEDULED'
  approval?: 'NONE' | 'PENDING' | 'EXTERNAL_PENDING' | 'APPROVED' | 'DENIED'
  repeat?: { interval: 'WEEK'; occurrences: number }
  /** Of the past: where it failed; posted everywhere else. */
  failed?: readonly AccountType[]
}

const PAST: readonly Planned[] = [
  {
    day: -4,
    time: '09:00',
    on: ['INSTAGRAM', 'FACEBOOK', 'PINTEREST'],
    picture: 'hills',
    caption: 'The new harvest has landed. From the hills of Huila, picked by hand, in your cup from Friday on.',
    label: 'launch',
  },
  {
    day: -3,
    time: '12:30',
    on: ['THREADS', 'BLUESKY', 'TWITTER'],
    caption: 'Hot take: the best coffee gear is a burr grinder and a kettle that you like to look at.',
    label: 'tips',
  },
  {
    day: -2,
    time: '08:00',
    on: ['INSTAGRAM', 'BLUESKY', 'THREADS', 'LINKEDIN_PAGE'],
    picture: 'latte',
    caption: 'Meet the hands behind the hearts: Noor has poured 40,000 lattes at our bar, and counting.',
    label: 'people',
  },
  {
    day: -1,
    time: '17:30',
    on: ['TWITTER'],
    caption: 'Last bags of the winter blend: when they are gone, they are gone.',
  },
  // In the month before, where it is found and alarms no one.
  {
    day: -40,
    time: '17:30',
    on: ['THREADS'],
    caption: 'A quiet corner, a good book, a second cup. What are you reading?',
    failed: ['THREADS'],
  },
]

const AHEAD: readonly Planned[] = [
  {
    day: 1,
    time: '08:30',
    on: ['INSTAGRAM', 'FACEBOOK', 'BLUESKY'],
    picture: 'pour',
    caption: 'Three minutes, fifteen grams, one quiet morning. How do you brew yours?',
    label: 'tips',
    status: 'SCHEDULED',
  },
  {
    day: 2,
    time: '18:00',
    on: ['INSTAGRAM', 'THREADS'],
    picture: 'dusk',
    caption: 'Late opening on the canal: we roast until nine, and the door is open.',
    status: 'SCHEDULED',
    repeat: { interval: 'WEEK', occurrences: 4 },
  },
  {
    day: 3,
    time: '10:00',
    on: ['LINKEDIN_PAGE'],
    picture: 'harbor',
    caption: 'Why we moved our roastery to the harbor, and what it did to our delivery times.',
    label: 'people',
    approval: 'PENDING',
  },
  {
    day: 3,
    time: '16:00',
    on: ['BLUESKY', 'THREADS', 'TWITTER'],
    caption: 'A question for the regulars: bring back the cardamom bun, yes or yes?',
    status: 'SCHEDULED',
  },
  {
    day: 4,
    time: '11:00',
    on: ['INSTAGRAM', 'PINTEREST'],
    picture: 'citrus',
    caption: 'Cold brew, a slice of orange, a lot of ice. Summer may come.',
    label: 'launch',
    approval: 'APPROVED',
  },
  {
    day: 4,
    time: '17:00',
    on: ['INSTAGRAM', 'FACEBOOK'],
    picture: 'latte',
    caption: 'Latte art for beginners: Saturday at ten, eight places, one very patient teacher.',
    label: 'people',
    approval: 'EXTERNAL_PENDING',
  },
  { day: 5, time: '09:30', on: ['BLUESKY'], caption: 'Draft: opening hours over the holidays' },
  {
    day: 6,
    time: '11:30',
    on: ['INSTAGRAM', 'THREADS'],
    picture: 'hills',
    caption: 'Huila, one year later: what became of the trees that we planted together.',
    label: 'launch',
    approval: 'EXTERNAL_PENDING',
  },
]

const NOTES = [
  { day: 1, content: 'Farmers’ market: photos for next week', hexColor: '#e4f8e2' },
  { day: 4, content: 'New menu goes live', hexColor: '#fff0db' },
] as const

/**
 * Fills the calendar of the demo account around today: posts that were published, and one in the month before that failed, with a retry that is safe;
 * scheduled ones, a series, drafts, one that waits for approval and two that wait for the client; labels, notes and pictures; a
 * link for the client. Days are those of the brand's zone.
 */
export async function makeDemoWeek(
  deps: DemoWeekDeps,
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
    const { on, caption, picture, status = 'DRAFT', approval = 'NONE', repeat = null, label } = planned
    const item = picture && { mediaLibraryId: media.get(picture) ?? '', altText: PICTURES[picture] }
    const posts = on.map((accountType) => postOn(accountType, caption, item ?? null))
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
        : remembered(deps, post.accountType, planned.caption, scheduledAt),
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
function share({ db, box }: DemoWeekDeps, { accountId, actor, member }: Caller, socialSetId: string): Promise<void> {
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

function networkFailed({ networks }: DemoWeekDeps, accountType: AccountType): PostResult {
  const title = networks.serving(accountType)?.manifest.title ?? 'The network'
  return failed('UNKNOWN', usedUpMessage(`${title} had a problem on its side.`))
}

function remembered(deps: DemoWeekDeps, accountType: AccountType, text: string, scheduledAt: string): PostResult {
  const id = newId()
  const permalink = deps.remember({ id, accountType, text, at: new Date(scheduledAt) })
  return posted([{ providerId: id, permalink }])
}

async function ownerOf(
  { db }: DemoWeekDeps,
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
function postOn(accountType: AccountType, caption: string, item: object | null): PostInput {
  const required = Object.entries(POST_FIELDS[accountType]).filter(([, field]) => field.required)
  const fields = Object.fromEntries(required.map(([name, { missing }]) => [name, missing]))
  if ('richCaption' in fields) fields.richCaption = [caption]
  if ('title' in fields) fields.title = caption.split(/[.:]/)[0]
  if (accountType === 'FACEBOOK') fields.type = item ? 'IMAGE' : 'TEXT'
  return { ...fields, accountType, caption, media: item ? [item] : [] } as PostInput
}

async function addPictures(
  { db, store }: DemoWeekDeps,
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
