/** What shows that an installation is not where it was: a copy of one that may run, or older than what it has done. */
export type CopySign = 'server' | 'database' | 'tables' | 'older' | 'folder' | 'witness'

/** A witness beside the files, as a file; times as texts. */
interface Place {
  inode: string
  bornAt: string | null
  changedAt: string
}

/** How long after the time that a write of ours names it may change its file: it is named right before. */
const WRITE_MS = 10_000

/** What was written down of an installation, and what is found. */
interface Compared {
  systemIdentifier: { noted: string | null; found: string | null }
  otherDatabase: boolean
  otherTable: boolean
  /** Of the database. */
  counter: number
  /** The highest that is known beside the database: of the witness, and what this process has seen. */
  counterElsewhere: number
  /** There was a witness, and there can be no other place for it. */
  witnessGone: boolean
  /** Of the witness; null where one of both is not known. */
  place: {
    /** `writing`: a write had begun, whose end was not noted. */
    noted: (Place & { writing: boolean }) | null
    /** `writtenAt`: when it was written, as it says itself. */
    found: (Place & { writtenAt: Date | null }) | null
  }
}

/**
 * What differs so that a person has to look. The counter is raised in the database first, so a witness that is ahead of it comes
 * from a later state. A change time alone shows nothing, since owners and modes are changed where nothing is copied
 * (`fsGroup` of Kubernetes), and our own last write may not have been noted; nor does another inode alone, which some file systems
 * give at each mount; nor do both, when the change is the write that had begun when its process died. A copy that is made meanwhile
 * is younger than what it says. Numbers of devices are no sign either: they change at reboots.
 */
export function signsOfCopy({
  systemIdentifier,
  otherDatabase,
  otherTable,
  counter,
  counterElsewhere,
  witnessGone,
  place: { noted, found },
}: Compared): CopySign[] {
  const signs: CopySign[] = []
  const differs = <T>(one: T | null | undefined, other: T | null | undefined) =>
    one != null && other != null && one !== other
  if (differs(systemIdentifier.noted, systemIdentifier.found)) signs.push('server')
  else if (otherDatabase) signs.push('database')
  else if (otherTable) signs.push('tables')
  if (counterElsewhere > counter) signs.push('older')
  if (witnessGone) signs.push('witness')
  const isAnotherFile = differs(noted?.inode, found?.inode) || differs(noted?.bornAt, found?.bornAt)
  const isOwnWrite =
    noted?.writing === true &&
    found?.writtenAt != null &&
    Math.abs(Number(BigInt(found.changedAt) / 1_000_000n) - found.writtenAt.getTime()) <= WRITE_MS
  if (isAnotherFile && differs(noted?.changedAt, found?.changedAt) && !isOwnWrite) signs.push('folder')
  return signs
}
