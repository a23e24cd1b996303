import {
  type AskedBody,
  type AskedQuery,
  GUEST_OUTCOMES,
  type GuestCaption,
  type GuestCaptionQuery,
  type GuestChanges,
  type GuestDecision,
  type GuestMedia,
  type GuestOutcome,
  type GuestPost,
  type GuestPostSet,
  type GuestSeenBody,
  isWritable,
  type PictureFit,
  ProblemError,
  wholeText,
} from '#contract'
import { cardStateOf, guestChanges, isId, outcomeOf } from '#domain'
import { fitsById, type Manifest, type Networks, optionsOf } from '#networks'
import {
  type Database,
  type DatabaseTransaction,
  findChangesSince,
  findPostSet,
  findSharedFacts,
  listSharedAccounts,
  listTextsSince,
  type PostSetMediaRow,
  type PostSetPostRow,
  type PostSetRow,
  type SharedFacts,
  type SmallPicture,
  writeSeen,
} from '#persistence'
import { postSetNotFound } from '../post-sets/get.ts'
import { postTexts } from '../post-sets/serialize.ts'
import { isUnderWay } from '../post-sets/under-way.ts'
import type { Guest } from './guest.ts'

/** What addresses in answers begin with. */
export interface Below {
  /** Path of the installation, without a slash at the end. */
  base: string
}

/** What posts are answered by. */
export interface PostBelow extends Below {
  networks: Networks
}

/**
 * A post set that the link shows.
 *
 * @throws ProblemError `post-set:not_found` for any other
 */
export async function requireShown(db: Database, { id: guestId, calendar }: Guest, id: string): Promise<SharedFacts> {
  const facts = isId(id) ? await findSharedFacts(db, calendar, { guestId, id }) : null
  if (!facts) throw postSetNotFound()
  return facts
}

/**
 * A post set as guests see it: per network, with the changes since this guest saw it.
 *
 * @throws ProblemError `post-set:not_found`
 */
export async function readGuestPost(
  { db, ...below }: { db: Database } & PostBelow,
  guest: Guest,
  id: string,
): Promise<GuestPostSet> {
  // What is shown and whether it is, from one moment.
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  return transaction.execute((trx) => guestPostAnswer(trx, below, guest, id))
}

/** The same in the caller's transaction, which reads one snapshot or holds the row. */
export async function guestPostAnswer(
  trx: DatabaseTransaction,
  { base, networks }: PostBelow,
  guest: Guest,
  id: string,
): Promise<GuestPostSet> {
  const facts = await requireShown(trx, guest, id)
  const row = await requireRow(trx, guest, facts.id)
  const accounts = await listSharedAccounts(trx, facts.socialSetId)
  const changes = await changesSince(trx, facts, row)
  return {
    ...cardFacts(facts, guest),
    changed: changes !== null,
    posts: row.posts.map((post) => postAnswer(post, { guest, base, networks, facts, accounts })),
    changes,
  }
}

async function requireRow(trx: Database, { calendar }: Guest, id: string): Promise<PostSetRow> {
  const row = await findPostSet(trx, calendar, id)
  if (!row) throw new Error('A post set that a shared calendar shows is not there.')
  return row
}

/** The changes of a post set since the guest saw it; null if there are none, or if it was never seen. */
export async function changesSince(
  trx: DatabaseTransaction,
  { id, seen }: Pick<SharedFacts, 'id' | 'seen'>,
  row: PostSetRow,
): Promise<GuestChanges | null> {
  if (!seen?.isChanged) return null
  return guestChanges(seen.version, await findChangesSince(trx, id, seen.version), row)
}

/**
 * The text of a post when the guest saw it and now, including its further parts and first comment; null if
 * unchanged. `query` is the query string: `since`, a version that this guest was shown. Other versions are refused,
 * so that a guest cannot read what was never shown.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`, `request:refused` for another version
 */
export async function readGuestCaption(
  { db }: { db: Database },
  guest: Guest,
  { id, postId, query }: { id: string; postId: string; query: AskedQuery<GuestCaptionQuery> },
): Promise<GuestCaption> {
  const { seen, id: postSetId } = await requireShown(db, guest, id)
  const { since } = query.read()
  if (seen === null || ![seen.version, seen.before].includes(since)) throw seenOtherwise()
  const texts = isId(postId) ? await listTextsSince(db, { postSetId, postId, version: since }) : []
  if (!texts.some(({ name }) => TEXTS.has(name))) return { caption: null }
  const post = (await requireRow(db, guest, postSetId)).posts.find((each) => each.id === postId)
  if (!post) return { caption: null }
  const { caption, thread, fields } = post
  const now = { caption, thread, ...fields }
  const to = wholeTextOf(now)
  if (texts.some(({ name, fromKept }) => TEXTS.has(name) && !fromKept)) return { caption: { from: null, to } }
  const before = Object.fromEntries(texts.map(({ name, from }) => [name, from]))
  const from = wholeTextOf({ ...now, ...before })
  return { caption: from === to ? null : { from, to } }
}

/** Fields of which a part is text that people read. */
const TEXTS: ReadonlySet<string> = new Set(['caption', 'thread', 'firstComment', 'options'])

/** By the fields of a post as history has them. */
const wholeTextOf = ({ caption, thread, ...fields }: Readonly<Record<string, unknown>>) =>
  wholeText({
    caption: typeof caption === 'string' ? caption : '',
    thread: Array.isArray(thread) ? thread : null,
    fields,
  })

function seenOtherwise(): ProblemError {
  return new ProblemError('request:refused', 'You have seen a newer version of this post since. Reload it.')
}

/**
 * Records which version the guest is looking at. Only the current version is recorded, so that a guest cannot use
 * this to read what was never shown. A member's preview is not recorded.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function noteSeen(
  { db }: { db: Database },
  guest: Guest,
  id: string,
  body: AskedBody<GuestSeenBody>,
): Promise<void> {
  const facts = await requireShown(db, guest, id)
  const { version } = body.read()
  if (version === facts.version && guest.preview === null) await writeSeen(db, guest.id, facts)
}

/** The fields that cards and post sets share. */
export function cardFacts(facts: SharedFacts, guest: Guest) {
  return {
    id: facts.id,
    socialSetId: facts.socialSetId,
    scheduledAt: facts.scheduledAt.toISOString(),
    status: facts.status,
    outcome: outcomeOfSet(facts),
    version: facts.version,
    waiting: isWaiting(facts),
    decision: decisionAnswer(facts, guest),
    changed: facts.seen?.isChanged ?? false,
    approvedAlone: facts.approvedAlone,
  }
}

function outcomeOfSet({ status, results }: SharedFacts): GuestOutcome | null {
  if (status !== 'PUBLISHED' || !results) return null
  const state = cardStateOf({
    ...{ status, approval: 'NONE', held: false },
    results: results.map((each) => each.status),
    retried: results.some((each) => isUnderWay(each.state)),
  })
  return GUEST_OUTCOMES.find((outcome) => outcome === state) ?? null
}

export const isWaiting = ({ approval, status }: Pick<SharedFacts, 'approval' | 'status'>) =>
  approval === 'EXTERNAL_PENDING' && isWritable(status)

function decisionAnswer({ decision }: SharedFacts, guest: Guest): GuestDecision | null {
  if (!decision) return null
  return {
    decision: decision.decision,
    by: decision.by,
    mine: decision.guestId === guest.id,
    at: new Date(decision.at).toISOString(),
    message: decision.message,
    undoable: decision.undoes !== null && guest.allows.decide,
  }
}

/** Where guests get a file of a post: below the link, as all that they get. */
const mediaPath = (base: string, { calendar }: Guest, id: string, variant: 'original' | 'thumbnail' | 'page-1') =>
  `${base}/shared/view/${calendar.id}/media/${id}/${variant}`

/** A different address for each picture; the position in the post identifies it. */
export const thumbnailPath = (base: string, guest: Guest, { id, version }: Pick<SmallPicture, 'id' | 'version'>) =>
  `${mediaPath(base, guest, id, 'thumbnail')}?v=${version}`

interface PostPlace extends PostBelow {
  guest: Guest
  facts: SharedFacts
  accounts: Awaited<ReturnType<typeof listSharedAccounts>>
}

function postAnswer(post: PostSetPostRow, { guest, base, networks, facts, accounts }: PostPlace): GuestPost {
  const network = networks.serving(post.accountType)
  const fits = network ? fitsById(network.manifest, post) : new Map<string, PictureFit>()
  const account = accounts.find(({ accountType }) => accountType === post.accountType)
  const result = facts.status === 'PUBLISHED' ? post.result : null
  return {
    ...postTexts(post, (item) => mediaAnswer(item, fits.get(item.id) ?? null, guest, base)),
    account: account ? { name: account.name, username: account.username } : null,
    result: result ? { status: outcomeOf(result), permalink: result.permalink ?? null } : null,
    optionTitles: network ? optionTitlesOf(network.manifest, post) : [],
  }
}

/** What the options of a post are called: guests do not read the networks. */
function optionTitlesOf(manifest: Manifest, { accountType, fields }: PostSetPostRow): GuestPost['optionTitles'] {
  const given = (fields.options ?? {}) as Readonly<Record<string, unknown>>
  const known = optionsOf(manifest, accountType).filter(({ name }) => (given[name] ?? null) !== null)
  return known.map(({ name, title, titles = null }) => ({ name, title, titles }))
}

function mediaAnswer(row: PostSetMediaRow, fit: PictureFit | null, guest: Guest, base: string): GuestMedia {
  const { id, altText, title, description, link, tags, crop, facts, picture } = row
  const isDocument = facts.type === 'DOCUMENT'
  return {
    ...{ id, altText, title, description, link, tags, crop, fit },
    type: facts.type,
    url: mediaPath(base, guest, id, isDocument ? 'page-1' : 'original'),
    thumbnailUrl: picture && thumbnailPath(base, guest, { id, ...picture }),
    width: facts.width,
    height: facts.height,
    ...(facts.pages === undefined ? {} : { pages: facts.pages }),
    ...(isDocument && guest.allows.files ? { fileUrl: mediaPath(base, guest, id, 'original') } : {}),
    durationMs: facts.durationMs,
  }
}
