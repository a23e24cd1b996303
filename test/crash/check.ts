import type { AccountType } from '#contract'
import type { Cell } from './cell.ts'
import { type Content, commentOf, FURTHER, furtherOf, hasComment, hasThread, isFurther, networkOf } from './posts.ts'

export interface Post {
  accountType: AccountType
  /** Of the post that its set has. */
  content: Content
  setId: string
  postId: string
  /** When its set is due, by the wall clock. */
  dueAt: number
  /** That of the post in whose place it came, or that was refused. Neither may go out. */
  other: Content | null
  /** Ids of what the network had before, for posts that have no text there. */
  before: ReadonlySet<string>
}

/** The result of a post. */
export interface End {
  status: 'POSTED' | 'FAILED'
  message: string | null
  permalink: string | null
  /** Ids of what is live of a thread behind its post, or of all stories. */
  further: string[]
  warnings: string[]
  at: number
}

/** The clocks of a cell are those of one machine; a network may say the time in whole seconds. */
const EARLY_MS = 1_000

interface LivePost {
  id: string
  text: string
  permalink: string
  createdAt: string
}

/** Compares the result of a post with the ledger of the simulator, which is the truth. */
export async function check(cell: Cell, post: Post, end: End | undefined) {
  if (post.content.items > 0) return checkItems(cell, post, end)
  const live = await liveOf(cell, post, post.content.caption)
  const others = post.other ? await liveOf(cell, post, post.other.caption) : []
  return {
    faults: [
      ...(others.length > 0 ? ['a post went out that its set does not have'] : []),
      ...(hasThread(post.accountType) ? await partFaultsOf(cell, post, end, live) : []),
      ...(await faultsOf(cell, post, end, live)),
    ],
    hasPermalink: hasOwnPage(end, live[0]),
  }
}

/** What the simulator of an account type holds, the oldest first. */
export async function ledgerOf(cell: Cell, accountType: AccountType): Promise<LivePost[]> {
  return JSON.parse((await cell.sandbox(`/sandbox/${networkOf(accountType)}/posts`)).text)
}

/** What it holds of a post, without what was sent behind it. */
export async function liveOf(cell: Cell, { accountType }: Post, caption: string): Promise<LivePost[]> {
  const ledger = await ledgerOf(cell, accountType)
  return ledger.filter(({ text }) => text.includes(caption) && !isFurther(text))
}

/** A network that has not said where a post is leads to an overview of its own, or nowhere. */
const hasOwnPage = (end: End | undefined, live: { permalink: string } | undefined) =>
  Boolean(end?.permalink && live && new URL(end.permalink).origin === new URL(live.permalink).origin)

async function pageOf(cell: Cell, permalink: string) {
  const { pathname, search } = new URL(permalink)
  return cell.sandbox(`${pathname}${search}`)
}

/** What should not be of the parts behind a post: each once, below the one before, and none that its set does not have. */
async function partFaultsOf(
  cell: Cell,
  { accountType, content, other }: Post,
  end: End | undefined,
  posts: readonly LivePost[],
): Promise<string[]> {
  const ledger = await ledgerOf(cell, accountType)
  const those = ({ caption }: Content, number: number) =>
    ledger.filter(({ text }) => text === furtherOf(caption, number))
  const faults: string[] = []
  const live: LivePost[] = []
  let above = posts[0]
  for (const number of FURTHER) {
    const parts = those(content, number)
    const [part] = parts
    if (parts.length > 1) faults.push(`part ${number} was posted ${parts.length} times`)
    if (other && those(other, number).length > 0) faults.push('a part went out that its set does not have')
    if (part && !above) faults.push(`part ${number} is there without the one before`)
    // The page of a post says what it answers.
    if (part && above && !(await pageOf(cell, part.permalink)).text.includes(`<code>${above.id}</code>`)) {
      faults.push(`part ${number} does not answer the one before`)
    }
    if (part) live.push(part)
    above = part
  }
  if (end?.status !== 'POSTED' || end.warnings.length > 0) return faults
  if (live.length < FURTHER.length) faults.push('a part is missing without a warning')
  return [...faults, ...differing(end.further, live)]
}

/** The ids of a result have to be those that are there, in their order. */
const differing = (ids: readonly string[], live: readonly LivePost[]) =>
  ids.join() === live.map(({ id }) => id).join()
    ? []
    : [`the result names ${ids}, and there are ${live.map(({ id }) => id)}`]

/** Stories, and videos in an inbox, are known by being new: a run has one post of them to a network. */
async function checkItems(cell: Cell, post: Post, end: End | undefined) {
  const { accountType, content, dueAt, before } = post
  const live = (await ledgerOf(cell, accountType)).filter(({ id, text }) => text === '' && !before.has(id))
  const faults = early(live, dueAt)
  if (live.length > content.items) faults.push(`${live.length} are there of ${content.items}`)
  const known = new Set(live.map(({ id }) => id))
  if (end?.further.some((id) => !known.has(id))) faults.push('what the result names is not there')
  if (!end) faults.push(await withoutResult(cell, post))
  if (end?.status === 'FAILED' && live.length > 0 && !isInDoubt(end)) {
    faults.push(`FAILED without a doubt, and live: ${end.message}`)
  }
  if (end?.status === 'POSTED') {
    if (live.length === 0) faults.push('POSTED and not there')
    if (live.length < content.items && end.warnings.length === 0) faults.push('something is missing without a warning')
    if (end.warnings.length === 0 && content.items > 1) faults.push(...differing(end.further, live))
    for (const { permalink } of live) {
      const { status } = await pageOf(cell, permalink)
      if (status !== 200) faults.push(`a permalink answers ${status}`)
    }
  }
  return { faults, hasPermalink: hasOwnPage(end, live[0]) }
}

/** Says what became of it instead, by all that its deliveries tell. */
async function withoutResult({ server }: Cell, { postId }: Post): Promise<string> {
  const rows = await server.query(
    `select state, attempts, retry, due_at, next_at, fenced_at, lease_owner, lease_until, lookups, last_message, now()
     from deliveries where post_id = '${postId}'`,
  )
  return `no result: ${rows.length === 0 ? 'no delivery' : JSON.stringify(rows)}`
}

const isInDoubt = ({ message }: End) => /may be live/.test(message ?? '')

/** The simulators' clock is set by no fault. */
const early = (live: readonly LivePost[], dueAt: number): string[] =>
  live.flatMap(({ createdAt }) => {
    const earlyMs = dueAt - Date.parse(createdAt)
    return earlyMs > EARLY_MS ? [`posted ${Math.round(earlyMs / 1_000)} s early`] : []
  })

/** What should not be of the post itself and its comment. */
async function faultsOf(cell: Cell, post: Post, end: End | undefined, live: readonly LivePost[]): Promise<string[]> {
  const faults = early(live, post.dueAt)
  if (live.length > 1) faults.push(`posted ${live.length} times`)
  if (!end) return [...faults, await withoutResult(cell, post)]
  if (end.status === 'POSTED') {
    if (live.length === 0) faults.push('POSTED and not there')
    const permalink = hasOwnPage(end, live[0]) ? end.permalink : live[0]?.permalink
    if (!permalink) return faults
    const page = await pageOf(cell, permalink)
    if (page.status !== 200) faults.push(`the permalink answers ${page.status}`)
    if (!hasComment(post.accountType)) return faults
    const comments = await commentsOn(cell, post, page.text)
    if (comments > 1) faults.push(`commented ${comments} times`)
    if (comments === 0 && end.warnings.length === 0) faults.push('the comment is missing without a warning')
    return faults
  }
  if (live.length > 0 && !isInDoubt(end)) faults.push(`FAILED without a doubt, and live: ${end.message}`)
  return faults
}

/** How many comments there are: on the page of the post, or among the posts where a comment is a reply. */
async function commentsOn(cell: Cell, { accountType, content }: Post, page: string): Promise<number> {
  const comment = commentOf(content.caption)
  if (!hasThread(accountType)) return page.split(`↳ ${comment}`).length - 1
  return (await ledgerOf(cell, accountType)).filter(({ text }) => text === comment).length
}
