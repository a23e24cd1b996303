import type { Mail } from '#identity'
import type { AlertedPerson, AlertRow } from '#persistence'
import { linkOf } from './body.ts'

export interface MailParts {
  publicUrl: string
  /** What people call a network. */
  titleOf(accountType: AlertRow['accountType']): string
}

/** Posts and causes that a mail lists; of more it has the number. */
const LISTED_POSTS = 20
const LISTED_CAUSES = 20

/** One plain mail about everything that went wrong in an account, folded by cause. */
export function mailOf(alerts: readonly AlertRow[], person: AlertedPerson, parts: MailParts): Mail {
  const causes = [...Map.groupBy(alerts, causeOf).values()]
  const sections = causes.slice(0, LISTED_CAUSES).map((cause) => sectionOf(cause, parts))
  const rest = causes.length - sections.length
  const accountName = oneLine(alerts[0]?.accountName ?? '')
  return {
    to: person.email,
    subject: subjectOf(alerts),
    text: [
      ...sections,
      ...(rest > 0 ? [`There are ${rest} more causes. The calendar shows them all: ${parts.publicUrl}/dashboard`] : []),
      `You get this mail because you own ${accountName} on Almanac, or planned these posts.`,
      '',
    ].join('\n\n'),
  }
}

/** A dead connection and the posts that failed by it are one cause; else what the message says is. */
function causeOf({ kind, reason, message, accountType, socialSetId, connection }: AlertRow): string {
  if (reason === 'ACCOUNT_CONNECTION_EXPIRED') return `connection ${connection?.id ?? `${socialSetId} ${accountType}`}`
  return `${kind} ${socialSetId} ${accountType} ${reason} ${message}`
}

function subjectOf(alerts: readonly AlertRow[]): string {
  const brands = [...new Set(alerts.map(({ socialSetName }) => oneLine(socialSetName)))]
  const where = brands.length === 1 ? brands[0] : `${brands.length} brands`
  const posts = alerts.filter(({ postSet }) => postSet !== null)
  if (posts.length === 0)
    return `Reconnect ${alerts.length === 1 ? 'an account' : `${alerts.length} accounts`} of ${where}`
  const count = posts.length === 1 ? 'A post' : `${posts.length} posts`
  if (posts.every(({ kind }) => kind === 'POST_UNKNOWN')) return `${count} of ${where} may not be published`
  return `${count} of ${where} ${posts.length === 1 ? 'was' : 'were'} not published`
}

function sectionOf(alerts: readonly AlertRow[], parts: MailParts): string {
  const [first] = alerts
  if (!first) return ''
  const posts = alerts.filter(({ postSet }) => postSet !== null)
  const place = [first.connection && oneLine(first.connection.name), oneLine(first.socialSetName)].filter(Boolean)
  const listed = posts.slice(0, LISTED_POSTS).map((post) => `- ${timeOf(post)}\n  ${linkOf(post, parts.publicUrl)}`)
  const rest = posts.length - listed.length
  return [
    `${parts.titleOf(first.accountType)} (${place.join(', ')}): ${headOf(first)}`,
    oneLine(first.message),
    ...(first.reason === 'ACCOUNT_CONNECTION_EXPIRED'
      ? [`Reconnect it here: ${linkOf({ ...first, postSet: null }, parts.publicUrl)}`]
      : []),
    ...(posts.length > 0 ? ['', posts.length === 1 ? 'The post:' : `${posts.length} posts:`, ...listed] : []),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ].join('\n')
}

function headOf({ kind, reason }: AlertRow): string {
  if (reason === 'ACCOUNT_CONNECTION_EXPIRED') return 'the account has to be reconnected.'
  return kind === 'POST_UNKNOWN' ? 'it is not known whether the post is live.' : 'not published.'
}

/** `1 Jun 2030, 09:00 (Europe/Berlin)` */
function timeOf({ postSet, timezone }: AlertRow): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone })
  return `${format.format(postSet?.scheduledAt)} (${timezone})`
}

/** Names and messages are others' words: none of them begins a line of its own. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
