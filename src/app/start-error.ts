/** Almanac cannot start, or a command cannot be carried out. The message is one sentence for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}

/** What went wrong at the edge of the machine, in words; anything else stays what it is. */
export function inWords(error: unknown, context: { databaseUrl?: string | null; dataDir?: string } = {}): unknown {
  if (!(error instanceof Error)) return error
  const { code, path } = error as NodeJS.ErrnoException
  if (context.databaseUrl) {
    const words = databaseWords(error, context.databaseUrl)
    if (words) return new StartError(words, { cause: error })
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const place = path ?? context.dataDir ?? 'The data directory'
    return new StartError(
      `${place} cannot be written. Set ALMANAC_DATA_DIR to a folder of this user, or give the folder to this user.`,
      { cause: error },
    )
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StartError(`The disk that holds ${path ?? context.dataDir ?? 'the data directory'} is full.`, {
      cause: error,
    })
  }
  if ((code === 'ENOTDIR' || code === 'EEXIST') && context.dataDir) {
    return new StartError(`${path ?? context.dataDir} is not a folder. Set ALMANAC_DATA_DIR to a folder.`, {
      cause: error,
    })
  }
  return error
}

/** SQLSTATEs and system errors of a connection that does not come about. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it broke off the connection',
  ENOENT: 'nothing is listening there',
  '28P01': 'it does not accept the password',
  '28000': 'it does not accept the user',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '57P03': 'it is starting up',
  '42501': 'the user may not do this there',
}

function databaseWords(error: Error, databaseUrl: string): string | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (/unsupported startup parameter/.test(cause.message)) {
      return `The database at ${placeOf(databaseUrl)} is behind a pooler that refuses settings of sessions. In transaction mode set ALMANAC_DATABASE_POOLED=on and ALMANAC_DATABASE_DIRECT_URL; in session mode let it pass them on (PgBouncer: ignore_startup_parameters).`
    }
    const first = cause instanceof AggregateError ? cause.errors[0] : cause
    const reason =
      REASONS[(first as NodeJS.ErrnoException).code ?? ''] ??
      (/connection timeout|timeout expired/i.test(cause.message) ? 'it does not answer' : null)
    if (reason) return `The database at ${placeOf(databaseUrl)} cannot be used: ${reason}. Check DATABASE_URL.`
  }
  return null
}

/** Host, port and name of a database, without user and password. */
export function placeOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  return url ? `${url.host}${url.pathname}` : 'DATABASE_URL'
}
