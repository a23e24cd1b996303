import { type CopySign, newId, signsOfCopy } from '#domain'
import { hasNewestFiles } from '#housekeeping'
import type { MediaStore, Witness } from '#media'
import {
  beginIdentity,
  type Database,
  forgetFolders,
  hasConnections,
  hasFolders,
  holdStart,
  inTransaction,
  noteFolder,
  noteIdentity,
  raiseCounter,
  readFolder,
  readHeldStart,
  readIdentity,
  readSystemIdentifier,
  unnamedFiles,
  type WitnessPlace,
} from '#persistence'

interface NoticeDeps {
  db: Database
  store: Pick<MediaStore, 'witnesses' | 'stat' | 'isEmpty' | 'list'>
  log: { warn(fields: object, message: string): void }
}

interface NoticeOptions {
  /** Whether this is a time to raise the counter: a start, or five minutes later. */
  raises: boolean
  /** The database lies in the same folder as the files: there is no other place for them, as a new worker has. */
  together?: boolean
  /** Whether the operator has asked to start held, and this is a start. */
  asked?: boolean
  /** The highest counter that this process has seen in the database. */
  seen?: number
}

export interface Noticed {
  /** A person has to look first: the start is held, since now or before. */
  held: boolean
  /** Of the installation. */
  id: string
  /** The counter of the database as it is now. */
  counter: number
  /** Witnesses of other installations beside the files. */
  others: Witness[]
  /** Whether the folder was this installation's own from the beginning. False also when its witness cannot be read or written. */
  owner: boolean
  /** Why nothing is swept in the folder, as far as that lies in its files; null also when they cannot be read. */
  unswept: Unswept | null
}

/**
 * The folder had files of which this installation knows nothing when it was first used, or the newest files of the library are not in it, as
 * in that of a worker without the shared one.
 */
type Unswept = 'UNKNOWN_FILES' | 'NO_LIBRARY'

/**
 * Compares the recorded identity of this installation with what is found, in the database and beside the files, and
 * holds the start if it may be a copy or an older state (README.md). Otherwise creates the witness if there is none
 * and raises the counter when it is time.
 */
export async function noticeCopy(
  deps: NoticeDeps,
  { raises, together = false, asked = false, seen = 0 }: NoticeOptions,
): Promise<Noticed> {
  const { db } = deps
  // Before the row: a witness that is written meanwhile must not seem to be ahead of the database.
  const read = await readWitnesses(deps)
  const witnesses = read ?? []
  const systemIdentifier = await readSystemIdentifier(db)
  let identity = await readIdentity(db)
  const begins = identity.id === null
  const before = begins ? await earlierWitness(deps, witnesses) : null
  if (begins) {
    await beginIdentity(db, { id: before?.installation ?? newId(), systemIdentifier })
    identity = await readIdentity(db)
  }
  const own = witnesses.find(({ installation }) => installation === identity.id) ?? null
  const others = witnesses.filter((witness) => witness !== own)
  const folder = own?.content && own.place ? { id: own.content.folder, place: own.place } : null
  const counterElsewhere = Math.max(own?.content?.counter ?? 0, seen)
  const signs = signsOfCopy({
    ...identity,
    systemIdentifier: { noted: identity.systemIdentifier, found: systemIdentifier },
    counterElsewhere,
    witnessGone: together && read !== null && own === null && (await isWithoutFolder(deps)),
    place: {
      noted: folder && (await readFolder(db, folder.id)),
      found: folder && { ...folder.place, writtenAt: own?.written ? new Date(own.written.at) : null },
    },
  })
  if (begins && signs.length === 0 && (await isOlderThanVersion(deps, before, others))) signs.push('older')
  const id = identity.id ?? ''
  if (signs.length > 0) {
    await inTransaction(db, async (trx) => {
      await holdStart(trx, { why: 'COPY', signs: signs.map((sign) => WORDS[sign]), lastRanAt: identity.raisedAt })
      await noteIdentity(trx, { id, systemIdentifier, counter: counterElsewhere })
      if (signs.includes('witness')) await forgetFolders(trx)
      const counter = Math.max(identity.counter, counterElsewhere)
      if (folder) await noteFolder(trx, folder.id, toNote(folder.place), { counter, writes: false })
    })
  } else if (asked) await holdStart(db, { why: 'ASKED', signs: [], lastRanAt: identity.raisedAt })
  const held = (await readHeldStart(db)) !== null
  const { counter } = await readIdentity(db)
  // What is held leaves no trace: what it is a copy of may use the same folder.
  if (held) return { held, id, counter, others, owner: false, unswept: null }
  // Each process looks again when it begins.
  return { held, id, others, ...(await keepWitness(deps, { id, own, counter, raises, begins: seen === 0 })) }
}

const WORDS: Readonly<Record<CopySign, string>> = {
  server: 'The database is on another PostgreSQL server than before.',
  database: 'The database is another one on the same PostgreSQL server: it was copied or restored.',
  tables: 'The tables of the database were restored from a dump.',
  older: 'The database is older than what this installation has done: an earlier state was put back.',
  folder: 'The data folder was copied, moved to another disk or put back.',
  witness: 'The folder of the media is another one than before: the database was copied or put back without it.',
}

/** Raises the counter in the database, notes the folder as it is, and then writes the counter into the witness. */
async function keepWitness(
  deps: NoticeDeps,
  {
    id,
    own,
    counter,
    raises,
    begins,
  }: { id: string; own: Witness | null; counter: number; raises: boolean; begins: boolean },
): Promise<Pick<Noticed, 'counter' | 'owner' | 'unswept'>> {
  const { db, store, log } = deps
  const whose = async (owner: boolean) => ({ owner, unswept: await whyUnswept({ db, files: store }, owner) })
  if (!raises && own) return { counter, ...(own.content ? await whose(own.content.owner) : UNREAD) }
  const raised = await raiseCounter(db)
  // Where inodes change at each mount, a process that dies behind its write must not leave the old one noted.
  if (own?.content && own.place)
    await noteFolder(db, own.content.folder, toNote(own.place), { counter: raised, writes: true })
  try {
    let content = own?.content ?? null
    if (!content) {
      content = { folder: newId(), counter: raised, owner: await isOwnFolder(deps) }
      if (own === null && !(await store.witnesses.make(id, content))) {
        // Another process of this installation was faster.
        return { counter: raised, ...UNREAD }
      }
    } else if (begins && !content.owner) content = { ...content, owner: await hasBecomeOwn(deps) }
    const witness = await store.witnesses.write(id, { ...content, counter: raised })
    if (witness?.content && witness.place) {
      const wrote = { counter: raised, writes: false }
      await noteFolder(db, witness.content.folder, toNote(witness.place), wrote)
    }
    return { counter: raised, ...(await whose(content.owner)) }
  } catch (error) {
    log.warn({ error }, NOT_WRITTEN)
    return { counter: raised, ...UNREAD }
  }
}

/** The witness is not known, which is no sign of files of others. */
const UNREAD = { owner: false, unswept: null } as const

/** @param owner whether the witness says that the folder is this installation's own */
export async function whyUnswept(deps: Parameters<typeof hasNewestFiles>[0], owner: boolean): Promise<Unswept | null> {
  if ((await hasNewestFiles(deps)) === false) return 'NO_LIBRARY'
  return owner ? null : 'UNKNOWN_FILES'
}

/** A birth time that is the change time may be none at all: it is not noted, and so not compared. */
const toNote = (place: WitnessPlace): WitnessPlace => ({
  ...place,
  bornAt: place.bornAt === place.changedAt ? null : place.bornAt,
})

const NOT_WRITTEN =
  'The witness beside the media could not be read or written: copies and older states of the data may not be noticed, and files that belong to nothing are not removed'

/** Null: they cannot be read now. */
async function readWitnesses({ store, log }: NoticeDeps): Promise<Witness[] | null> {
  try {
    return await store.witnesses.read()
  } catch (error) {
    log.warn({ error }, NOT_WRITTEN)
    return null
  }
}

/** A folder in which nothing is but what this installation has put there. */
const isOwnFolder = async (deps: NoticeDeps): Promise<boolean> =>
  (await hasNewestFiles({ db: deps.db, files: deps.store })) ?? (await deps.store.isEmpty())

/** The files of this installation are not here, and it had a folder. */
const isWithoutFolder = async (deps: NoticeDeps): Promise<boolean> =>
  (await hasFolders(deps.db)) && (await hasNewestFiles({ db: deps.db, files: deps.store })) !== true

const SAMPLE = 500
/** Of so many files one may belong to nothing, as imports that were killed leave them. */
const MOST_KNOWN = 10

/** A folder that was not, and has the files of this installation and hardly any that it does not know. */
async function hasBecomeOwn(deps: NoticeDeps): Promise<boolean> {
  const owned = await hasNewestFiles({ db: deps.db, files: deps.store })
  if (owned === null) return deps.store.isEmpty()
  const keys: string[] = []
  for await (const key of deps.store.list({ olderThanMs: 0 })) if (keys.push(key) === SAMPLE) break
  return owned && (await unnamedFiles(deps.db, keys)).length * MOST_KNOWN <= keys.length
}

/** The witness of what a database was before: one that comes from before this version knows nothing of it. */
async function earlierWitness(deps: NoticeDeps, witnesses: readonly Witness[]): Promise<Witness | null> {
  const owners = witnesses.filter(({ content }) => content?.owner)
  return owners.length === 1 && (await hasNewestFiles({ db: deps.db, files: deps.store })) === true
    ? (owners[0] ?? null)
    : null
}

/** A database without an identity that something is connected to, where this version was at work already: an older dump. */
async function isOlderThanVersion(
  deps: NoticeDeps,
  before: Witness | null,
  others: readonly Witness[],
): Promise<boolean> {
  if (before) return true
  if (
    !others.some(({ content }) => content?.owner) ||
    (await hasNewestFiles({ db: deps.db, files: deps.store })) !== null
  )
    return false
  return hasConnections(deps.db)
}

/** Why nothing is swept beside the files of other installations; null if there are none. */
export function foreignWords(others: readonly Pick<Witness, 'installation' | 'written'>[], dir: string): string | null {
  const [other] = others
  if (!other) return null
  const last = other.written ? `, last on ${other.written.host} at ${other.written.at}` : ''
  const file = `${dir}/installations/${other.installation}.json`
  return `Another installation has used the files in ${dir} as well${last}: none that seems to belong to nothing is removed. Give each installation a data directory of its own; when the other one is gone for good, remove ${file}.`
}

/** Why nothing is swept in the folder of an installation, and what to do. */
export function unsweptWords(why: Unswept | null, installation: string | null, dir: string): string | null {
  switch (why) {
    case null:
      return null
    case 'NO_LIBRARY':
      return `The newest files of the media library are not in ${dir}: none that seems to belong to nothing is removed from there, and posts with media cannot be published from there. Give all processes the same folder, or restore the files from a backup.`
    case 'UNKNOWN_FILES':
      return `The folder ${dir} had files that this installation does not know when it was first used, such as those of another one: none that seems to belong to nothing is removed from there. Give each installation a data directory of its own. When all of it belongs to this one, stop Almanac, remove ${dir}/installations/${installation}.json and start it again. Each start looks again, and goes on when nearly all files are known.`
  }
}
