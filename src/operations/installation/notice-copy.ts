import { type CopySign, newId, signsOfCopy } from '#domain'
import type { MediaStore, Witness } from '#media'
import {
  beginIdentity,
  type Database,
  hasConnections,
  holdStart,
  inTransaction,
  listStoredFiles,
  noteFolder,
  noteIdentity,
  raiseCounter,
  readFolder,
  readHeldStart,
  readIdentity,
  readSystemIdentifier,
  type WitnessPlace,
} from '#persistence'

export interface NoticeDeps {
  db: Database
  store: Pick<MediaStore, 'witnesses' | 'stat' | 'isEmpty'>
  log: { warn(fields: object, message: string): void }
}

export interface NoticeOptions {
  /** Whether this is a time to raise the counter: a start, or five minutes later. */
  raises: boolean
  /** Whether the operator has asked to start held, and this is a start. */
  asked?: boolean
  /** The highest counter that this process has seen in the database. */
  seen?: number
}

export interface Noticed {
  /** A person has to look first: the start is held, since now or before. */
  held: boolean
  /** The counter of the database as it is now. */
  counter: number
  /** Witnesses of other installations beside the files. */
  others: Witness[]
  /** Whether the folder was this installation's own from the beginning. False also when its witness cannot be read or written. */
  owner: boolean
}

/**
 * Compares what was written down of this installation with what is found, in the database and beside the files, and holds the
 * start when it may be a copy or an older state (README.md). Else it makes the witness where there is none and raises the
 * counter when it is time.
 */
export async function noticeCopy(
  deps: NoticeDeps,
  { raises, asked = false, seen = 0 }: NoticeOptions,
): Promise<Noticed> {
  const { db } = deps
  // Before the row: a witness that is written meanwhile must not seem to be ahead of the database.
  const witnesses = await readWitnesses(deps)
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
    place: { noted: folder && (await readFolder(db, folder.id)), found: folder?.place ?? null },
  })
  if (begins && signs.length === 0 && (await isOlderThanVersion(deps, before, others))) signs.push('older')
  const id = identity.id ?? ''
  if (signs.length > 0) {
    await inTransaction(db, async (trx) => {
      await holdStart(trx, { why: 'COPY', signs: signs.map((sign) => WORDS[sign]), lastRanAt: identity.raisedAt })
      await noteIdentity(trx, { id, systemIdentifier, counter: counterElsewhere })
      if (folder) await noteFolder(trx, folder.id, toNote(folder.place))
    })
  } else if (asked) await holdStart(db, { why: 'ASKED', signs: [], lastRanAt: identity.raisedAt })
  const held = (await readHeldStart(db)) !== null
  const { counter } = await readIdentity(db)
  // What is held leaves no trace: what it is a copy of may use the same folder.
  if (held) return { held, counter, others, owner: false }
  return { held, others, ...(await keepWitness(deps, { id, own, counter, raises })) }
}

const WORDS: Readonly<Record<CopySign, string>> = {
  server: 'The database is on another PostgreSQL server than before.',
  database: 'The database is another one on the same PostgreSQL server: it was copied or restored.',
  tables: 'The tables of the database were restored from a dump.',
  older: 'The database is older than what this installation has done: an earlier state was put back.',
  folder: 'The data folder was copied, moved to another disk or put back.',
}

/** Notes the folder as it is, raises the counter in the database and then writes it into the witness. */
async function keepWitness(
  deps: NoticeDeps,
  { id, own, counter, raises }: { id: string; own: Witness | null; counter: number; raises: boolean },
): Promise<Pick<Noticed, 'counter' | 'owner'>> {
  const { db, store, log } = deps
  if (!raises && own) return { counter, owner: own.content?.owner ?? false }
  // Where inodes change at each mount, a process that dies behind its next write must not leave the old one noted.
  if (own?.content && own.place) await noteFolder(db, own.content.folder, toNote(own.place))
  const raised = await raiseCounter(db)
  try {
    let content = own?.content ?? null
    if (!content) {
      content = { folder: newId(), counter: raised, owner: await isOwnFolder(deps) }
      if (own === null && !(await store.witnesses.make(id, content))) {
        // Another process of this installation was faster.
        return { counter: raised, owner: false }
      }
    }
    const witness = await store.witnesses.write(id, { ...content, counter: raised })
    if (witness?.content && witness.place) await noteFolder(db, witness.content.folder, toNote(witness.place))
    return { counter: raised, owner: content.owner }
  } catch (error) {
    log.warn({ error }, NOT_WRITTEN)
    return { counter: raised, owner: false }
  }
}

/** A birth time that is the change time may be none at all: it is not noted, and so not compared. */
const toNote = (place: WitnessPlace): WitnessPlace => ({
  ...place,
  bornAt: place.bornAt === place.changedAt ? null : place.bornAt,
})

const NOT_WRITTEN =
  'The witness beside the media could not be read or written: copies and older states of the data may not be noticed, and files that belong to nothing are not removed'

async function readWitnesses({ store, log }: NoticeDeps): Promise<Witness[]> {
  try {
    return await store.witnesses.read()
  } catch (error) {
    log.warn({ error }, NOT_WRITTEN)
    return []
  }
}

const NEWEST = 20

/** Whether files of the newest rows of the library are here, which no other installation has; null without rows. */
async function hasNewestFiles({ db, store }: NoticeDeps): Promise<boolean | null> {
  const files = await listStoredFiles(db, { before: null, limit: NEWEST })
  if (files.length === 0) return null
  const found = await Promise.all(files.map(({ storageKey }) => store.stat(storageKey)))
  return found.some((file) => file !== null)
}

/** A folder in which nothing is but what this installation has put there. */
const isOwnFolder = async (deps: NoticeDeps): Promise<boolean> =>
  (await hasNewestFiles(deps)) ?? (await deps.store.isEmpty())

/** The witness of what a database was before: one that comes from before this version knows nothing of it. */
async function earlierWitness(deps: NoticeDeps, witnesses: readonly Witness[]): Promise<Witness | null> {
  const owners = witnesses.filter(({ content }) => content?.owner)
  return owners.length === 1 && (await hasNewestFiles(deps)) === true ? (owners[0] ?? null) : null
}

/** A database without an identity that something is connected to, where this version was at work already: an older dump. */
async function isOlderThanVersion(
  deps: NoticeDeps,
  before: Witness | null,
  others: readonly Witness[],
): Promise<boolean> {
  if (before) return true
  if (!others.some(({ content }) => content?.owner) || (await hasNewestFiles(deps)) !== null) return false
  return hasConnections(deps.db)
}

/** Why nothing is swept beside the files of other installations; null without any. */
export function foreignWords(others: readonly Pick<Witness, 'installation' | 'written'>[], dir: string): string | null {
  const [other] = others
  if (!other) return null
  const last = other.written ? `, last on ${other.written.host} at ${other.written.at}` : ''
  const file = `${dir}/installations/${other.installation}.json`
  return `Another installation has used the files in ${dir} as well${last}: none that seems to belong to nothing is removed. Give each installation a data directory of its own; when the other one is gone for good, remove ${file}.`
}
