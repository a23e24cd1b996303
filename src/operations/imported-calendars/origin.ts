import { entryAt, LIMITS, type ProblemEntry } from '#contract'
import type { SecretBox } from '#domain'
import { type CalendarFile, placeOfCalendar } from '#icalendar'
import { checkImportUrl } from '#media'
import type { CalendarOrigin } from '#persistence'
import { checkName } from '../members/read-person.ts'
import { readName } from '../social-sets/create.ts'

const CODE = 'request:invalid_body'

/** Where a body says that a calendar is. */
export interface GivenOrigin {
  url?: string | undefined
  file?: { name: string; received: CalendarFile } | undefined
}

/**
 * Problems of an origin: an address that can never be fetched, or a file that is not a calendar. No message contains
 * the address.
 */
export function checkOrigin({ url, file }: GivenOrigin): ProblemEntry[] {
  if (url !== undefined && file !== undefined) {
    return [entryAt(['file'], CODE, 'Give either url or file, not both.')]
  }
  return [...(url === undefined ? [] : checkUrl(url)), ...(file === undefined ? [] : checkFile(file))]
}

function checkUrl(url: string): ProblemEntry[] {
  const problem = checkImportUrl(plainUrl(url))
  return problem === null ? [] : [entryAt(['url'], CODE, problem)]
}

function checkFile({ name, received }: NonNullable<GivenOrigin['file']>): ProblemEntry[] {
  const named = checkName('name', name, 'A file').map(({ message }) => entryAt(['file'], CODE, message))
  if (!received.whole) {
    const words = `The file is larger than ${LIMITS.calendarBytes / 1e6} MB. Export a calendar with fewer events.`
    return [...named, entryAt(['file'], CODE, words)]
  }
  if (received.isCalendar) return named
  const words =
    'The file is not an iCalendar file: it does not begin with BEGIN:VCALENDAR. Export the calendar as .ics.'
  return [...named, entryAt(['file'], CODE, words)]
}

/** Calendars are shared with addresses of schemes of their own, behind which is the web's. */
function plainUrl(url: string): string {
  return url.trim().replace(/^webcals?:/i, 'https:')
}

/** The stored form of a checked origin; null if the body gives none. */
export async function storeOrigin(
  box: Pick<SecretBox, 'seal'>,
  id: string,
  { url, file }: GivenOrigin,
): Promise<CalendarOrigin | null> {
  if (url !== undefined) {
    const { href, host } = new URL(plainUrl(url))
    const { bytes, keyId } = box.seal(Buffer.from(href), placeOfCalendar(id))
    return { kind: 'address', sealed: { secret: bytes, secretKeyId: keyId }, host }
  }
  if (!file) return null
  return { kind: 'file', file: await file.received.read(), fileName: readName(file.name, 'A file') }
}
