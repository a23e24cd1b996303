import {
  type AccountType,
  type CaptionCount,
  type ConnectionStatus,
  entryAt,
  LIMITS,
  linkPlaces,
  type ProblemEntry,
  pathOf,
  type RichCaptionSegment,
} from '#contract'
import { fittedFacts } from '#domain'
import { fitsOf } from './fit-media.ts'
import { comparable } from './kit/lookup.ts'
import { plainPost, unplainTexts } from './kit/plain-post.ts'
import type { Defaults, Finding, Manifest, Network, PostToCheck } from './network.ts'
import { checkOptions, chosenFor, defaultsForPeople, missingDefaults } from './options.ts'
import type { Networks } from './registry.ts'

/** What the rules must know of the open connections of a social set. */
interface ConnectionToCheck {
  accountType: AccountType
  status: ConnectionStatus
  /** Its publishing defaults. */
  defaults: Defaults
  /** The way by which it was signed in; null: the first one of its network. */
  signIn: string | null
}

export interface PostsCheck {
  /** Stop scheduling, or fail the post right before it is sent. */
  problems: ProblemEntry[]
  /** Are reported, stop nothing. */
  warnings: ProblemEntry[]
  /** Of every caption whose network shows it. */
  counts: CaptionCount[]
}

/**
 * The rules of scheduled posts: those of every network, then each network's own. The one implementation for create,
 * update, the live check and the publisher. The problems of all posts are reported in the order of the posts, the first
 * 100 of them; with these, no further post is looked at.
 *
 * @param options.byPerson a person is about to schedule them, who chooses for each post what networks want so
 */
export function checkPosts(
  networks: Networks,
  posts: readonly PostToCheck[],
  connections: readonly ConnectionToCheck[],
  { byPerson = false }: { byPerson?: boolean } = {},
): PostsCheck {
  const check: PostsCheck = { problems: [], warnings: [], counts: [] }
  const seen = new Set<AccountType>()
  for (const [index, written] of posts.entries()) {
    if (check.problems.length >= LIMITS.problems) break
    // Counted and looked at is what goes out.
    const { accountType } = written
    const network = networks.serving(accountType)
    const post = fittedPost(network, plainPost(written))
    const at = ['posts', index] as const
    if (seen.has(accountType)) {
      const message = `The set has more than one ${accountType} post. Keep one.`
      check.problems.push(entryAt([...at, 'accountType'], 'post:duplicate_account_type', message, { accountType }))
    }
    seen.add(accountType)
    const connection = connections.find((candidate) => candidate.accountType === accountType)
    check.problems.push(...checkConnection(accountType, connection, at))
    check.problems.push(...checkRichCaption(written, at), ...partsOf(post).flatMap((part) => checkCrops(part, at)))
    check.problems.push(...checkTexts(post, at))
    if (!network) continue
    const { manifest } = network
    const defaults = connection?.defaults ?? {}
    const chosen = chosenFor(manifest, post, byPerson ? defaultsForPeople(manifest, accountType, defaults) : defaults)
    check.problems.push(...checkOptions(manifest, post, at))
    if (connection) check.problems.push(...checkDefaults(manifest, accountType, chosen, { at, byPerson }))
    for (const [nth, part] of partsOf(post).entries()) {
      const count = network.countCaption(part, chosen)
      const text = partsOf(written)[nth]?.caption ?? ''
      const isShort = (caption: string) => {
        const counted = network.countCaption(plainPost({ ...part, caption }), chosen)
        return counted === null || counted.actual <= counted.limit
      }
      if (!count) continue
      const fits = count.actual > count.limit ? { fits: longestThat(isShort, text, count.limit) } : {}
      check.counts.push({ path: pathOf([...at, ...part.steps, 'caption']), accountType, ...count, ...fits })
    }
    const signIn = connection?.signIn ?? null
    const unplain = post === written ? [] : unplainTexts(written)
    const findings = partsOf(post).flatMap((part) => checkPart(network, { ...part, signIn }, chosen))
    for (const finding of [...unplain, ...findings]) {
      const entry = entryAt([...at, ...finding.steps], finding.code, finding.message, {
        accountType,
        ...(finding.limit === undefined ? {} : { limit: finding.limit }),
        ...(finding.actual === undefined ? {} : { actual: finding.actual }),
      })
      if (finding.warning) check.warnings.push(entry)
      else check.problems.push(entry)
    }
  }
  return {
    problems: check.problems.slice(0, LIMITS.problems),
    warnings: check.warnings.slice(0, LIMITS.problems),
    counts: check.counts,
  }
}

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Addresses and signs of several code points count less than they are long. */
const LONGER_THAN_COUNTED = 32

/**
 * How much of the start of a text is short enough, in UTF-16 code units: whole signs and addresses. The counters are asked about
 * as much as may fit, and not about all of a text without end.
 */
function longestThat(isShort: (text: string) => boolean, text: string, limit: number): number {
  const start = text.slice(0, LONGER_THAN_COUNTED * limit)
  const ends = [...signs.segment(start)].map(({ index, segment }) => index + segment.length)
  let [fits, over] = [0, ends.length]
  while (fits < over) {
    const middle = Math.ceil((fits + over) / 2)
    if (isShort(start.slice(0, ends[middle - 1]))) fits = middle
    else over = middle - 1
  }
  const end = ends[fits - 1] ?? 0
  return linkPlaces(text).find((link) => link.start < end && end < link.end)?.start ?? end
}

/** A post as its parts, each a post like others, with the steps that lead to it. */
type Part = PostToCheck & { steps: Finding['steps'] }

/** The first has the thread with it. */
function partsOf({ thread = [], ...post }: PostToCheck): Part[] {
  const further = thread.map((part, nth): Part => ({ ...post, ...part, steps: ['thread', nth] }))
  return [{ ...post, thread, steps: [] }, ...further]
}

/** A post with its pictures in the shapes that its network gets. */
function fittedPost(network: Network | null, post: PostToCheck): PostToCheck {
  if (!network || (post.fields.fit ?? null) === null) return post
  const fitted = (media: PostToCheck['media']) => {
    const fits = fitsOf(network.manifest, post, media)
    return media.map((item, index) => {
      const fit = fits[index] ?? null
      return fit === null ? item : { ...item, facts: fittedFacts(item.facts, fit), isFitted: true as const }
    })
  }
  const { thread } = post
  const parts = thread && { thread: thread.map((part) => ({ ...part, media: fitted(part.media) })) }
  return { ...post, media: fitted(post.media), ...parts }
}

/** Networks refuse a text that was just published, and an answer that was lost is looked for by it. */
function checkTexts(post: PostToCheck, at: readonly (string | number)[]): ProblemEntry[] {
  const { accountType } = post
  const texts = partsOf(post).map(({ caption }) => comparable(caption))
  return partsOf(post).flatMap(({ steps }, nth) => {
    const first = texts.indexOf(texts[nth] ?? '')
    if (first === nth || texts[nth] === '') return []
    const message = `Part ${nth + 1} of the thread has the same text as part ${first + 1}. Change one of them.`
    return [entryAt([...at, ...steps, 'caption'], 'post:field_invalid', message, { accountType })]
  })
}

/** What is said of fields and options of the post is said once, of the first part. */
function checkPart(network: Network, { steps, ...part }: Part, chosen: Defaults): Finding[] {
  const findings = network.checkPost(part, chosen)
  if (steps.length === 0) return findings
  const own = findings.filter((finding) => finding.steps[0] === 'caption' || finding.steps[0] === 'media')
  return own.map((finding) => ({ ...finding, steps: [...steps, ...finding.steps] }))
}

function checkConnection(
  accountType: AccountType,
  connection: ConnectionToCheck | undefined,
  at: readonly (string | number)[],
): ProblemEntry[] {
  const steps = [...at, 'accountType']
  if (!connection) {
    const message = `The social set has no connected ${accountType} account. Connect one, or remove the post.`
    return [entryAt(steps, 'post:account_not_connected', message, { accountType })]
  }
  if (connection.status === 'RECONNECT_REQUIRED') {
    const message = `The ${accountType} account must be reconnected before anything can be scheduled on it.`
    return [entryAt(steps, 'post:account_reconnect_required', message, { accountType })]
  }
  return []
}

/** Networks want people to choose what the API has no field for: once for a connection, or for a post. */
function checkDefaults(
  manifest: Manifest,
  accountType: AccountType,
  chosen: Defaults,
  { at, byPerson }: { at: readonly (string | number)[]; byPerson: boolean },
): ProblemEntry[] {
  return missingDefaults(manifest, accountType, chosen).map(({ name, title, option, perPost }) => {
    if (perPost && byPerson) {
      const message = `${manifest.title} wants "${title}" to be chosen for each post. Choose it for this one.`
      return entryAt([...at, 'options', name], 'post:field_required', message, { accountType })
    }
    const orHere = option === false ? '' : `, or as \`options.${name}\` of the post`
    const message = `${manifest.title} needs "${title}" to be chosen for the connected ${accountType} account. Choose it among the account's publishing defaults${orHere}.`
    return entryAt([...at, 'accountType'], 'post:field_required', message, { accountType })
  })
}

function checkRichCaption(post: PostToCheck, at: readonly (string | number)[]): ProblemEntry[] {
  const segments = post.fields.richCaption as readonly RichCaptionSegment[] | undefined
  if (!segments) return []
  const joined = segments.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('')
  if (joined === post.caption) return []
  const message = 'The segments of richCaption, joined, must equal caption. Send one segment that holds the caption.'
  return [entryAt([...at, 'richCaption'], 'post:rich_caption_mismatch', message, { accountType: post.accountType })]
}

function checkCrops({ accountType, media, steps }: Part, at: readonly (string | number)[]): ProblemEntry[] {
  return media.flatMap(({ crop, facts }, index) => {
    if (!crop || (facts.type === 'IMAGE' && !facts.animated)) return []
    const what = { VIDEO: 'A video', DOCUMENT: 'A document', IMAGE: 'An animated picture' }[facts.type]
    const message = `${what} cannot be cropped. Leave crop out, or use a still picture.`
    return [entryAt([...at, ...steps, 'media', index, 'crop'], 'post:field_invalid', message, { accountType })]
  })
}
