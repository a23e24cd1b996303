import {
  type Almanac,
  type AlmanacEvent,
  ConnectionError,
  GoneError,
  type PostSet,
} from '../../typescript/src/index.ts'
import { findBrand } from './brands.ts'
import { EXIT, type Exit, type Io, WrongUse } from './io.ts'
import { allowOptions, type Given, wholeNumber } from './options.ts'
import { json } from './post.ts'
import { lineOfPost, lineOfSet, plain } from './show.ts'
import { readWhen } from './times.ts'

const DAYS = 14

/** `list`: what is on the calendar, from now on. */
export async function list(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'list', ['brand', 'from', 'days', 'status'])
  const { options, words } = given
  if (words.length > 0) throw new WrongUse('`almanac-post list` takes no words. The brand is --brand.')
  const brand = await findBrand(almanac, options.brand)
  const days = wholeNumber('days', options.days, 1) ?? DAYS
  const from = await readWhen(options.from ?? 'now', { timezone: brand.timezone, now: io.now(), ask: io.ask })
  const filters = {
    startDate: from.toInstant().toString(),
    endDate: from.add({ days }).toInstant().toString(),
    ...(options.status === undefined ? {} : { status: statusesOf(options.status) }),
  }
  const found: PostSet[] = []
  const sets = almanac.postSets.list({ socialSetId: brand.id, size: 100, filters }, { signal: io.signal })
  for await (const set of sets) {
    if (options.json) found.push(set)
    else io.write(lineOfSet(set, brand))
  }
  if (options.json) io.write(json(found))
  return EXIT.done
}

const STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHING', 'PUBLISHED'] as const
type Status = (typeof STATUSES)[number]

function statusesOf(text: string): Status[] {
  return text.split(',').map((word) => {
    const status = STATUSES.find((each) => each === word.trim().toUpperCase())
    if (status) return status
    throw new WrongUse(`There is no status ${word.trim()}. There are: ${STATUSES.join(', ').toLowerCase()}.`)
  })
}

/** `results ID`: what became of each post. */
export async function results(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'results', ['wait'])
  const { options, words } = given
  const [id, ...more] = words
  if (id === undefined || more.length > 0) throw new WrongUse('Name the id of one post set.')
  const { signal } = io
  const set = options.wait
    ? await almanac.postSets.waitUntilPublished(id, { signal })
    : await almanac.postSets.get(id, { signal })
  io.write(options.json ? json(set) : set.posts.map(lineOfPost).join(''))
  return set.posts.some(({ result }) => result?.status === 'FAILED') ? EXIT.failed : EXIT.done
}

/** `watch`: events as they happen, until it is stopped. */
export async function watch(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'watch', ['brand', 'after', 'types'])
  const { options } = given
  const socialSetId = options.brand === undefined ? undefined : (await findBrand(almanac, options.brand)).id
  const types = options.types?.split(',').map((type) => type.trim()) as AlmanacEvent['type'][] | undefined
  // Wrong words and a wrong key are found before it waits.
  const { nextAfter } = await almanac.events.list({}, { signal: io.signal })
  const after = wholeNumber('after', options.after) ?? nextAfter
  try {
    const followed = {
      signal: io.signal,
      ...(types ? { types: types as never } : {}),
      ...(socialSetId ? { socialSetId } : {}),
    }
    for await (const event of almanac.events.follow(after, followed)) {
      io.write(options.json ? `${JSON.stringify(event)}\n` : lineOfEvent(event))
    }
  } catch (error) {
    if (io.signal.aborted) return EXIT.done
    if (error instanceof GoneError) io.report('Leave out --after to begin with now.\n')
    if (error instanceof ConnectionError) io.report('The service is away.\n')
    throw error
  }
  return EXIT.done
}

function lineOfEvent({ position, timestamp, type, data }: AlmanacEvent): string {
  const about = [data.postSetId ?? data.noteId ?? data.mediaUploadId ?? data.mediaId ?? data.connectionId ?? '']
  const more = [data.accountType, data.status ?? data.result, data.actor?.name].flatMap((each) => (each ? [each] : []))
  return `${position}  ${timestamp}  ${type}  ${plain([...about, ...more].join('  '))}\n`
}
