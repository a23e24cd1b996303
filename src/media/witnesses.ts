import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { unlessMissing } from './failure.ts'

/** What a witness says. */
interface WitnessContent {
  /** Id of the folder: chosen when the witness is made, the same ever after. */
  folder: string
  /** That of the database when it was written last: never ahead of it. */
  counter: number
  /** Whether the folder was the installation's own when the witness was made: empty, or with its files. Only then it may sweep here. */
  owner: boolean
}

/** A witness of an installation beside its files. */
export interface Witness {
  installation: string
  /** Null when it cannot be read, as after a torn write. */
  content: WitnessContent | null
  /** The host on which it was written last, and when; for people. Null with `content`. */
  written: { host: string; at: string } | null
  /**
   * Where the store is a disk. Times are nanoseconds since 1970. Where a file system has no birth time, it is null, or the change
   * time.
   */
  place: { inode: string; bornAt: string | null; changedAt: string } | null
}

/**
 * Small objects beside the files that say which installations use this store, one each. Copies and older states of the files have
 * copies of them, and of none else.
 */
export interface Witnesses {
  /** Of all installations that have ever used this store. */
  read(): Promise<Witness[]>
  /** Makes the one of an installation. False when there is one already. */
  make(installation: string, content: WitnessContent): Promise<boolean>
  /** Writes the one of an installation again, in its place. Gives it as it is then; null when it is gone. */
  write(installation: string, content: WitnessContent): Promise<Witness | null>
}

/** One block of a disk, which is written whole or not at all. */
const BLOCK = 512
const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/
/** Of file systems that have no hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

/** Witnesses as files in a directory: made by one rename, and from then on written in their place, so that a file stays the same one. */
export function createDiskWitnesses(dir: string): Witnesses {
  const place = (installation: string) => join(dir, `${installation}.json`)

  async function readOne(installation: string): Promise<Witness | null> {
    const file = await open(place(installation), 'r').catch(unlessMissing)
    if (!file) return null
    try {
      const { ino, birthtimeNs, ctimeNs } = await file.stat({ bigint: true })
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BLOCK + 1), 0, BLOCK + 1, 0)
      const bornAt = birthtimeNs === 0n ? null : String(birthtimeNs)
      return {
        installation,
        ...parse(buffer.subarray(0, bytesRead).toString('utf8')),
        place: { inode: String(ino), bornAt, changedAt: String(ctimeNs) },
      }
    } finally {
      await file.close()
    }
  }

  async function writeOver(path: string, flags: 'r+' | 'wx', content: WitnessContent): Promise<boolean> {
    const file = await open(path, flags, 0o600).catch(unlessMissing)
    if (!file) return false
    try {
      await file.write(render(content), 0, BLOCK, 0)
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  }

  return {
    async read() {
      const names = (await readdir(dir).catch(unlessMissing)) ?? []
      const found = await Promise.all(names.map((name) => NAME.exec(name)?.[1]).map((id) => (id ? readOne(id) : null)))
      return found.filter((witness) => witness !== null)
    },
    async make(installation, content) {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const temporary = join(dir, `.${randomBytes(8).toString('hex')}`)
      try {
        await writeOver(temporary, 'wx', content)
        // Of two processes one makes it: a rename would replace the other's.
        await link(temporary, place(installation)).catch((error: NodeJS.ErrnoException) => {
          if (!NO_LINKS.has(error.code)) throw error
          return rename(temporary, place(installation))
        })
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
        throw error
      } finally {
        await rm(temporary, { force: true })
      }
    },
    async write(installation, content) {
      return (await writeOver(place(installation), 'r+', content)) ? readOne(installation) : null
    },
  }
}

const checkOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The text of a witness, as long as a block in any case. */
function render({ folder, counter, owner }: WitnessContent): Buffer {
  const said = { folder, counter, owner, host: hostname().slice(0, 64), at: new Date().toISOString() }
  const text = JSON.stringify({ ...said, check: checkOf(JSON.stringify(said)) })
  const block = Buffer.alloc(BLOCK, ' ')
  block.write(text)
  block.write('\n', BLOCK - 1)
  return block
}

function parse(text: string): Pick<Witness, 'content' | 'written'> {
  try {
    const { check, ...said } = JSON.parse(text)
    if (check !== checkOf(JSON.stringify(said))) throw new Error('It is torn.')
    const { folder, counter, owner, host, at } = said
    return { content: { folder, counter, owner }, written: { host, at } }
  } catch {
    return { content: null, written: null }
  }
}
