import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import {
  type Almanac,
  ApiError,
  type MediaLibraryItem,
  type PostSet,
  type PostSetCreate,
  type SocialSet,
} from '../../typescript/src/index.ts'
import { accountsOf, findBrand } from './brands.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { EXIT, type Exit, type Io, WrongUse } from './io.ts'
import { allowOptions, type Given } from './options.ts'
import { json, momentOf } from './post.ts'
import { bringMedia, postsOf } from './posts.ts'
import { plain } from './show.ts'

interface Pushed {
  file: string
  status: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'REFUSED'
  postSet?: PostSet
  code?: string
  message?: string
}

/**
 * `push FILE…`: puts each file on the calendar, once. The name of its post set is its path from the folder of the command, so that a
 * second push changes nothing; with `--update` what is not published yet becomes what the file says.
 */
export async function push(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'push', ['brand', 'to', 'draft', 'update'])
  const { options, words } = given
  if (words.length === 0) throw new WrongUse('Name files: almanac-post push posts/*.md')
  const files = []
  // A mistake in the last file is found before the first one is sent.
  for (const path of words) files.push(await readPost(io, path, options))
  const brands = new Map<string | undefined, SocialSet>()
  const done: Pushed[] = []
  for (const file of files) {
    const named = file.fields.brand ?? options.brand
    const brand = brands.get(named) ?? (await findBrand(almanac, named))
    brands.set(named, brand)
    const pushed = await pushOne(io, almanac, { file, brand, options })
    done.push(pushed)
    if (!options.json) io.write(`${pushed.status}  ${pushed.file}${pushed.postSet ? `  ${pushed.postSet.id}` : ''}\n`)
    if (pushed.message) io.report(`${pushed.file}: ${plain(pushed.message)}\n`)
  }
  if (options.json) io.write(json(done))
  return done.some(({ status }) => status === 'REFUSED') ? EXIT.refused : EXIT.done
}

interface PostFile {
  path: string
  externalId: string
  isDraft: boolean
  fields: FrontMatter
  caption: string
}

const MOST_NAME = 200

async function readPost(io: Io, named: string, options: Given['options']): Promise<PostFile> {
  const path = isAbsolute(named) ? named : join(io.cwd, named)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new WrongUse(`There is no file ${named}.`)
  })
  // The same on every system.
  const externalId = relative(io.cwd, path).split(sep).join('/')
  if (externalId.startsWith('../')) throw new WrongUse(`${named} is outside of this folder, which its name begins in.`)
  if ([...externalId].length > MOST_NAME)
    throw new WrongUse(`The path of ${named} has more than ${MOST_NAME} characters.`)
  const post = readFrontMatter(named, text)
  const isDraft = Boolean(options.draft || post.fields.draft)
  if (post.fields.at === undefined && !isDraft) throw new WrongUse(`${named} has no \`at\`, and is no draft.`)
  return { path, externalId, isDraft, ...post }
}

interface Pushing {
  file: PostFile
  brand: SocialSet
  options: Given['options']
}

async function pushOne(io: Io, almanac: Almanac, { file, brand, options }: Pushing): Promise<Pushed> {
  const { externalId: name } = file
  const { signal } = io
  const { data } = await almanac.postSets.list({ socialSetId: brand.id, filters: { externalId: name } }, { signal })
  const [known] = data
  const isOver = known?.status === 'PUBLISHING' || known?.status === 'PUBLISHED'
  if (known && (isOver || !options.update)) return { file: name, status: 'UNCHANGED', postSet: known }
  try {
    const body = await bodyOf(io, almanac, { file, brand, known, options })
    const onConflict = options.update ? ('UPDATE' as const) : ('UNCHANGED' as const)
    const made = { mode: 'EACH' as const, onConflict, postSets: [body] }
    const { data } = await almanac.postSets.createMany(made, { signal })
    const [entry] = data
    if (!entry) throw new Error('The service answered for no set.')
    const { status, postSet, problem } = entry
    const lines = problem ? [problem.message, ...problem.errors.map(({ path, message }) => `${path}: ${message}`)] : []
    return {
      file: name,
      status: status as Pushed['status'],
      ...(postSet ? { postSet } : {}),
      ...(problem ? { code: problem.code, message: lines.join('\n') } : {}),
    }
  } catch (error) {
    // Others may be good, or are on the calendar already.
    if (error instanceof WrongUse) return { file: name, status: 'REFUSED', message: error.message }
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.status === 401) throw error
    return { file: name, status: 'REFUSED', code: error.code, message: error.message }
  }
}

async function bodyOf(
  io: Io,
  almanac: Almanac,
  { file, brand, known, options }: Pushing & { known: PostSet | undefined },
): Promise<PostSetCreate> {
  const { fields, caption, externalId, isDraft } = file
  const items = []
  for (const { source, altText } of fields.media) {
    // Beside the file.
    const place = /^https?:\/\//i.test(source) ? source : join(dirname(file.path), source)
    const item =
      (await sameFile(almanac, known, place)) ??
      (await bringMedia(io, almanac, { socialSetId: brand.id, source: place, altText }))
    items.push({ item, altText })
  }
  return {
    socialSetId: brand.id,
    scheduledAt:
      known && fields.at === undefined ? known.scheduledAt : await momentOf(io, brand, { at: fields.at, isDraft }),
    status: isDraft ? 'DRAFT' : 'SCHEDULED',
    approval: 'NONE',
    externalId,
    posts: postsOf(accountsOf(brand, fields.to ?? options.to), caption, items, fields),
  }
}

/** A file that the set has already: it has the same name and length, or the same address. */
async function sameFile(almanac: Almanac, known: PostSet | undefined, place: string): Promise<MediaLibraryItem | null> {
  const ids = new Set((known?.posts ?? []).flatMap(({ media }) => media.map(({ mediaLibraryId }) => mediaLibraryId)))
  const bytes = (await stat(place).catch(() => null))?.size
  for (const id of ids) {
    const item = await almanac.media.get(id)
    if (item.source.url === place || (item.name === basename(place) && item.bytes === bytes)) return item
  }
  return null
}
