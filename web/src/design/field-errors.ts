import { ApiError } from '../api/api-error.ts'

/** The messages of an error by the field that they are about, for the fields themselves: they need not name it. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.toReversed().map(({ path, message }) => [path, unnamed(message, path)]))
}

/** "email must have …" names the field as programs do. */
function unnamed(message: string, path: string): string {
  return message.startsWith(`${path} `) ? `This${message.slice(path.length)}` : message
}

/** What of an error no field of the form can say; null when the fields say everything. */
export function restOfError(error: unknown, fields: readonly string[]): unknown {
  if (!(error instanceof ApiError) || error.errors.length === 0) return error
  return error.errors.every(({ path }) => fields.includes(path)) ? null : error
}
