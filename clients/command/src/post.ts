import type { Almanac, PostSet, PostSetCreate, PostSetValidation, SocialSet } from '../../typescript/src/index.ts'
import { accountsOf, findBrand } from './brands.ts'
import { EXIT, type Exit, type Io, WrongUse } from './io.ts'
import { allowOptions, type Given } from './options.ts'
import { bringMedia, postsOf } from './posts.ts'
import { lineOfPost, lineOfSet, plain } from './show.ts'
import { readWhen, shownTime } from './times.ts'

const OF_POSTS = ['brand', 'to', 'at', 'media', 'alt', 'title', 'website', 'privacy', 'type', 'draft', 'ask'] as const

/** `post TEXT`: puts a post set on the calendar. */
export async function post(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'post', [...OF_POSTS, 'wait'])
  const { options } = given
  if (options.wait && (options.draft || options.ask)) throw new WrongUse('A draft is not published: leave out --wait.')
  const { brand, body } = await bodyOf(io, almanac, given)
  const made = await almanac.postSets.create(body, { signal: io.signal })
  if (!options.wait) return answer(io, made, options.json ? json(made) : lineOfSet(made, brand))
  const onChange = ({ status }: PostSet) => io.report(`${status}\n`)
  const done = await almanac.postSets.waitUntilPublished(made.id, { signal: io.signal, onChange })
  return answer(io, done, options.json ? json(done) : done.posts.map(lineOfPost).join(''))
}

/** `validate TEXT`: what would be refused of `post TEXT`. Media are brought to the library, because rules look at them. */
export async function validate(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'validate', OF_POSTS)
  const { body } = await bodyOf(io, almanac, given)
  const found = await almanac.postSets.validate(body, { signal: io.signal })
  if (given.options.json) io.write(json(found))
  else io.write(linesOf(found))
  for (const { path, message } of found.problems) io.report(`${path}: ${plain(message)}\n`)
  return found.valid ? EXIT.done : EXIT.refused
}

function linesOf({ valid, warnings, counts }: PostSetValidation): string {
  const lengths = counts.map(
    ({ path, accountType, actual, limit }) => `${path} (${accountType}): ${actual} of ${limit}`,
  )
  const warned = warnings.map(({ path, message }) => `${path}: ${plain(message)}`)
  return [valid ? 'valid' : 'refused', ...warned, ...lengths].map((line) => `${line}\n`).join('')
}

/** A set whose posts have results failed where one of them did. */
function answer(io: Io, { posts }: PostSet, text: string): Exit {
  io.write(text)
  return posts.some(({ result }) => result?.status === 'FAILED') ? EXIT.failed : EXIT.done
}

async function bodyOf(
  io: Io,
  almanac: Almanac,
  { options, words }: Given,
): Promise<{ brand: SocialSet; body: PostSetCreate }> {
  const [text, ...more] = words
  if (text === undefined || more.length > 0) throw new WrongUse('Name one text, in quotes, or - to read it.')
  const { at, draft, ask, media = [], alt = [] } = options
  if (draft && ask) throw new WrongUse('--ask makes a draft: leave out --draft.')
  if (at === undefined && !draft) throw new WrongUse('When? --at "tomorrow 9:00", --at now, or --draft.')
  if (alt.length > media.length) throw new WrongUse('There are more --alt than --media.')
  const caption = text === '-' ? (await io.readInput()).trimEnd() : text
  const brand = await findBrand(almanac, options.brand)
  const accountTypes = accountsOf(brand, options.to)
  const scheduledAt = await momentOf(io, brand, { at, isDraft: Boolean(draft || ask) })
  const items = []
  for (const [index, source] of media.entries()) {
    const altText = alt[index]
    items.push({ item: await bringMedia(io, almanac, { socialSetId: brand.id, source, altText }), altText })
  }
  const body: PostSetCreate = {
    socialSetId: brand.id,
    scheduledAt,
    status: draft || ask ? 'DRAFT' : 'SCHEDULED',
    approval: ask ? 'PENDING' : 'NONE',
    posts: postsOf(accountTypes, caption, items, options),
  }
  return { brand, body }
}

/**
 * The moment of a set, which is printed as it was understood.
 *
 * @throws WrongUse for one in the past, which would be published at once
 */
export async function momentOf(
  io: Io,
  brand: Pick<SocialSet, 'timezone'>,
  { at = 'now', isDraft }: { at: string | undefined; isDraft: boolean },
): Promise<string> {
  const now = io.now()
  const when = await readWhen(at, { timezone: brand.timezone, now, ask: io.ask })
  if (when.epochMilliseconds < now.getTime() && !isDraft) {
    throw new WrongUse(`${shownTime(when)} is over. --at now publishes at once.`)
  }
  io.report(`${shownTime(when)}\n`)
  return when.toInstant().toString({ smallestUnit: 'second' })
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
