/** The embedded database cannot be used. The message is for the user: what is wrong and what to do, on one line. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError'
}

/** Turns what the file system refuses below `folder` into words; anything else stays what it is. */
export function explainFileError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedDatabaseError) return error
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  const place = dest ?? path ?? folder
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(place)
  if (code === 'EROFS') {
    return new EmbeddedDatabaseError(
      `${place} is on a read-only file system. Set ALMANAC_DATA_DIR to a folder that can be written.`,
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new EmbeddedDatabaseError(
      `${place} cannot be read and written by ${currentUser()}. Start Almanac as the user who owns it, or set ALMANAC_DATA_DIR to a folder of this user.`,
    )
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new EmbeddedDatabaseError(`${place} is not a folder. Set ALMANAC_DATA_DIR to a folder.`)
  }
  return error
}

export function diskFull(place: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(`The disk that holds ${place} is full. Free some space and start again.`)
}

const currentUser = () => (process.getuid ? `the user with the id ${process.getuid()}` : 'this user')
