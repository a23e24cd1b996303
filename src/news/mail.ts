import { CAUSE_OF, NEWS_KINDS, type NewsCause, type NewsKind } from '#contract'
import { excerptOf } from '#domain'
import type { NewsRow } from '#persistence'
import type { Language } from './language.ts'
import { CHOICES_PATH, linkOf } from './links.ts'
import type { MailDocument, MailLink, MailSection } from './render.ts'
import type { MailWord } from './words.ts'

/** News as what a person gets them. */
interface SentNews {
  cause: NewsCause
  news: NewsRow
}

export interface MailParts {
  language: Language
  publicUrl: string
  /** What people call a network. */
  titleOf(accountType: NonNullable<NewsRow['accountType']>): string
  /** Where mails like this end. */
  unsubscribeUrl: string
  /** Of a guest of a shared calendar: address of a post set in it, or of all of it. Null: a member. */
  guest: { urlOf(postSetId: string | null): string } | null
  /** Of what the mail is about: a person may have another one open. */
  accountId: string
  /** The mail of the day. */
  daily: boolean
  /** Ids of the post sets of which the mail has a picture. */
  pictured: ReadonlySet<string>
}

/** Posts and causes that a mail lists; of more it has the number. */
const LISTED_POSTS = 20
const LISTED_CAUSES = 20
const QUOTED = 20
const EXCERPT = 80

/** One mail about everything that happened in an account, folded by cause. */
export function mailOf(sent: readonly SentNews[], parts: MailParts): MailDocument {
  const { language, guest, unsubscribeUrl } = parts
  const order = (news: readonly SentNews[]) => NEWS_KINDS.indexOf(news[0]?.news.kind ?? 'PLAN_USED')
  const causes = [...Map.groupBy(sent, sectionKey).values()].sort((a, b) => order(a) - order(b))
  const sections = causes.slice(0, LISTED_CAUSES).map((cause) => sectionOf(cause, parts))
  const rest = causes.length - sections.length
  const first = sent[0]?.news
  const more = { count: rest, url: guest ? guest.urlOf(null) : memberUrl('/dashboard', parts) }
  const unsubscribe = { text: language.say('footer:unsubscribe'), url: unsubscribeUrl }
  return {
    language: language.tag,
    subject: subjectOf(sent, parts),
    sections: [...sections, ...(rest > 0 ? [{ ...EMPTY, head: language.say('text:more-causes', more) }] : [])],
    footer: guest
      ? { why: language.say('footer:guest', { brand: first?.socialSet?.name ?? '' }), links: [unsubscribe] }
      : {
          why: language.say('footer:member', { account: first?.account.name ?? '' }),
          links: [{ text: language.say('footer:choices'), url: memberUrl(CHOICES_PATH, parts) }, unsubscribe],
        },
  }
}

const EMPTY: MailSection = { head: '', lines: [], quotes: [], list: null, picture: null, action: null }

/** A dead connection and the posts that failed by it are one cause; of other failures what the message says is. */
function sectionKey({ cause, news }: SentNews): string {
  const { kind, socialSet, accountType, connection, postSet, actor, facts } = news
  const place = socialSet?.id ?? ''
  if (facts.note) return ['note', place, actor?.name].join(' ')
  if (facts.takenBack) return ['taken back', place, actor?.name].join(' ')
  switch (kind) {
    case 'POST_FAILED':
    case 'POST_UNKNOWN':
    case 'POST_INCOMPLETE':
    case 'CONNECTION_DEAD':
      if (facts.reason === 'ACCOUNT_CONNECTION_EXPIRED')
        return `connection ${connection?.id ?? `${place} ${accountType}`}`
      return [kind, place, accountType, facts.reason, facts.message].join(' ')
    case 'COMMENTED':
    case 'CHANGES_REQUESTED':
    case 'WEBHOOK_LOOP':
      return [cause, kind, postSet?.id].join(' ')
    case 'WEBHOOK_FAILING':
      return [kind, facts.webhook?.id].join(' ')
    case 'REVIEW_REQUESTED':
    case 'APPROVED':
      return [kind, place, actor?.name].join(' ')
    default:
      return [
        kind,
        place,
        accountType,
        connection?.id,
        facts.calendar?.id,
        facts.plan?.resource,
        facts.plan?.percent,
        facts.key?.id,
      ].join(' ')
  }
}

/** Guests know the people of a team, and not the names of its keys. */
function actorOf({ actor, account }: NewsRow, { guest, language }: MailParts): string {
  if (!actor) return language.say('text:someone')
  const isPerson = actor.type === 'USER' || actor.type === 'REVIEWER'
  return guest && !isPerson ? account.name : actor.name
}

/** A mail about several things is named for the most urgent. */
function subjectOf(sent: readonly SentNews[], parts: MailParts): string {
  const { language, daily } = parts
  const { say } = language
  const first = sent[0]?.news
  if (!first) return ''
  if (daily) return say('subject:DAILY', { account: first.account.name, count: sent.length })
  const wordOf = ({ cause, news: { kind, facts } }: SentNews): MailWord => {
    if (facts.note) return 'subject:NOTED'
    if (facts.takenBack) return 'subject:TAKEN_BACK'
    return cause === 'MENTIONED' ? 'subject:MENTIONED' : `subject:${kind}`
  }
  const kinds = Map.groupBy(sent, ({ news: { kind, facts } }) =>
    // What is to be done is not lost behind what was approved.
    facts.note ? 'NOTE' : facts.takenBack ? 'TAKEN_BACK' : kind === 'APPROVED' ? kind : CAUSE_OF[kind],
  )
  const urgent = NEWS_KINDS.map((kind) => sent.filter(({ news }) => news.kind === kind)).find((of) => of.length > 0)
  const failed = sent.filter(({ news: { kind } }) => isFailure(kind))
  // Notes of guests are named where there are no comments.
  const said = urgent?.filter(({ news: { facts } }) => !facts.note && !facts.takenBack) ?? []
  const named = failed.length > 0 ? failed : said.length > 0 ? said : (urgent ?? [])
  const [one] = named
  if (!one) return ''
  const brands = new Map(named.map(({ news: { socialSet } }) => [socialSet?.id, socialSet?.name ?? '']))
  const [brand = ''] = brands.values()
  const subject = say(wordOf(one), {
    count: named.length,
    brand: brands.size === 1 ? brand : say('brands', { count: brands.size }),
    network: one.news.accountType ? parts.titleOf(one.news.accountType) : '',
    account: first.account.name,
    actor: actorOf(one.news, parts),
    percent: Math.max(...named.map(({ news }) => news.facts.plan?.percent ?? 0)),
  })
  // Posts that failed by a dead connection are the same thing twice.
  const others = kinds.size > 1 && !(kinds.size === 2 && failed.length > 0 && kinds.has('CONNECTION'))
  return others ? say('and-more', { subject }) : subject
}

function sectionOf(sent: readonly SentNews[], parts: MailParts): MailSection {
  const { language, guest } = parts
  const { say } = language
  const [first] = sent
  if (!first) return EMPTY
  const { news } = first
  const posts = sent.flatMap(({ news: { postSet } }) => postSet ?? [])
  const reconnect = news.facts.reason === 'ACCOUNT_CONNECTION_EXPIRED' || news.kind === 'CONNECTION_ENDING'
  const section: MailSection = {
    head: headOf(first, sent, parts),
    lines: linesOf(news, say),
    quotes: quotesOf(sent),
    list: null,
    picture: null,
    action: null,
  }
  if (posts.length === 0) return { ...section, action: actionOf(news, parts, sent.length) }
  const listed = sent.flatMap(({ news }) => itemOf(news, parts)).slice(0, LISTED_POSTS)
  const rest = posts.length - LISTED_POSTS
  const single = isAboutOne(news.kind) || (posts.length === 1 && !isFailure(news.kind))
  return {
    ...section,
    list: {
      title: say('text:posts', { count: single ? 1 : posts.length }),
      // A single post has its link as the action.
      items: single ? listed.slice(0, 1).map(({ text }) => ({ text, url: null })) : listed,
      more: rest > 0 && !single ? say('text:more', { count: rest }) : null,
    },
    picture: single && posts[0] && parts.pictured.has(posts[0].id) ? cidOf(posts[0].id) : null,
    action: reconnect
      ? actionOf({ ...news, kind: 'CONNECTION_DEAD' }, parts)
      : single
        ? { text: say('action:look'), url: urlOf(news, parts) }
        : guest
          ? { text: say('action:calendar'), url: guest.urlOf(null) }
          : isFailure(news.kind)
            ? null
            : actionOf(news, parts, posts.length),
  }
}

/** What a picture of a mail is called in it. */
export const cidOf = (postSetId: string) => `post-${postSetId}`

/** Of what failed a mail says no content, and guests see posts in the shared calendar alone. */
export const mayShow = ({ kind }: NewsRow, isGuest: boolean) => !isGuest && !isFailure(kind)

const isFailure = (kind: NewsKind) => kind === 'POST_FAILED' || kind === 'POST_UNKNOWN' || kind === 'POST_INCOMPLETE'
/** Sections of these are about a single post, however often something happened to it. */
const isAboutOne = (kind: NewsKind) => kind === 'COMMENTED' || kind === 'CHANGES_REQUESTED' || kind === 'WEBHOOK_LOOP'

function headOf({ cause, news }: SentNews, sent: readonly SentNews[], parts: MailParts): string {
  const { language, titleOf } = parts
  const { say, time } = language
  const { kind, socialSet, accountType, connection, facts } = news
  const brand = socialSet?.name ?? ''
  const network = accountType ? titleOf(accountType) : ''
  const place = [connection?.name, brand].filter(Boolean).join(', ')
  const named = { brand, network, place, count: sent.length, actor: actorOf(news, parts) }
  if (facts.reason === 'ACCOUNT_CONNECTION_EXPIRED') return say('head:connection', named)
  if (facts.takenBack) return say('head:TAKEN_BACK', named)
  switch (kind) {
    case 'CONNECTION_DEAD':
      return say('head:connection', named)
    case 'CONNECTION_ENDING': {
      const end = facts.endsAt ? time(new Date(facts.endsAt), socialSet?.timezone ?? 'UTC') : ''
      return say('head:CONNECTION_ENDING', { ...named, time: end })
    }
    case 'COMMENTED':
      if (facts.note) return say('head:NOTED', named)
      return say(cause === 'MENTIONED' ? 'head:MENTIONED' : 'head:COMMENTED', named)
    case 'CALENDAR_FAILING':
      return say('head:CALENDAR_FAILING', { ...named, calendar: facts.calendar?.name ?? '' })
    case 'WEBHOOK_FAILING':
      return say('head:WEBHOOK_FAILING', { host: facts.webhook?.host ?? '', account: news.account.name })
    case 'KEY_ENDING': {
      const end = facts.endsAt ? time(new Date(facts.endsAt), 'UTC') : ''
      return say('head:KEY_ENDING', { key: facts.key?.name ?? '', time: end })
    }
    case 'PLAN_USED': {
      const { resource = 'POSTS', percent = 80 } = facts.plan ?? {}
      return say(`head:PLAN_USED:${resource}`, { account: news.account.name, percent })
    }
    default:
      return say(`head:${kind}`, named)
  }
}

function linesOf({ kind, facts }: NewsRow, say: Language['say']): string[] {
  if (kind === 'STILL_WAITING') return [say('advice:still-waiting')]
  if (kind === 'WEBHOOK_FAILING') return [...(facts.message ? [facts.message] : []), say('advice:webhook-failing')]
  if (kind === 'KEY_ENDING') return [say('advice:key-ending')]
  if (kind === 'WEBHOOK_LOOP') return [say('advice:webhook-loop')]
  if (kind === 'IN_INBOX') return [say('advice:in-inbox')]
  if (kind === 'INBOX_ENDED') return [say('advice:inbox-ended')]
  return facts.message ? [facts.message] : []
}

/** What people wrote, with who did where a section has more than one of them. */
function quotesOf(sent: readonly SentNews[]): MailSection['quotes'] {
  const said = sent.flatMap(({ news: { actor, facts } }) =>
    facts.words ? [{ by: actor?.name ?? null, words: facts.words }] : [],
  )
  const single = new Set(said.map(({ by }) => by)).size === 1
  return said.slice(0, QUOTED).map(({ by, words }) => ({ by: single ? null : by, words }))
}

function itemOf(news: NewsRow, parts: MailParts): { text: string; url: string }[] {
  const { postSet, socialSet } = news
  if (!postSet || !socialSet) return []
  const time = parts.language.time(postSet.scheduledAt, socialSet.timezone)
  const excerpt = mayShow(news, parts.guest !== null) ? excerptOf(postSet.caption, EXCERPT) : ''
  return [{ text: excerpt === '' ? time : `${time}: ${excerpt}`, url: urlOf(news, parts) }]
}

/** A place in the dashboard, with the account that has to be open there. */
function memberUrl(path: string, { publicUrl, accountId }: MailParts): string {
  const url = new URL(`${publicUrl}${path}`)
  url.searchParams.set('account', accountId)
  return url.href
}

function urlOf(news: NewsRow, parts: MailParts): string {
  return parts.guest ? parts.guest.urlOf(news.postSet?.id ?? null) : memberUrl(linkOf(news), parts)
}

function actionOf(news: NewsRow, parts: MailParts, count = 1): MailLink {
  const { guest, language } = parts
  if (guest) return { text: language.say('action:calendar'), url: guest.urlOf(null) }
  return { text: language.say(ACTIONS[news.kind] ?? 'action:open'), url: memberUrl(linkOf(news, count), parts) }
}

const ACTIONS: Readonly<Partial<Record<NewsKind, MailWord>>> = {
  CONNECTION_DEAD: 'action:reconnect',
  CONNECTION_ENDING: 'action:reconnect',
  PLAN_USED: 'action:plan',
  WEBHOOK_FAILING: 'action:webhooks',
  KEY_ENDING: 'action:keys',
  REVIEW_REQUESTED: 'action:inbox',
  REVIEW_REMINDER: 'action:inbox',
  STILL_WAITING: 'action:inbox',
}
