import { setTimeout as pause } from 'node:timers/promises'
import { type Approval, NEWS_CHOICES, type NewsKind, receivesNoMail } from '#contract'
import { pauseAfter, type Unsubscribing, unsubscribeToken } from '#domain'
import { faultCodes, type Mail, type Mailer } from '#identity'
import {
  dropSends,
  giveUpSends,
  markSent,
  type NewsReader,
  postponeSends,
  readGuestStops,
  type TakenMail,
  type TakenSend,
} from '#persistence'
import { chosen, seesNewsOf } from './address.ts'
import type { NewsroomDeps } from './deps.ts'
import type { NewsGuest } from './guests.ts'
import { languageOf } from './language.ts'
import { cidOf, type MailParts, mailOf, mayShow } from './mail.ts'
import { paintPostPictures } from './post-pictures.ts'
import { renderMail } from './render.ts'

type Fault = { error: string; refused: boolean }

/** Sends mails that were taken, and stores the outcome. Resolves with whether the mail server works. */
export function createMailSender(
  deps: NewsroomDeps & { mailer: Mailer; hardStop: AbortSignal },
): (mail: TakenMail) => Promise<boolean> {
  const { db, mailer, hardStop, settings, log, signals = () => {} } = deps

  return async function sendMail(taken: TakenMail): Promise<boolean> {
    const { reader, guestId } = taken
    const guest = guestId === null ? null : await findGuest(guestId)
    const wanted = guest ? await wantedByGuest(taken.sends, guest) : reader ? wantedByMember(taken, reader) : []
    const person = guest ?? reader
    const sends = person && !receivesNoMail(person.email) ? wanted : []
    const dropped = taken.sends.filter((send) => !sends.includes(send)).map(({ id }) => id)
    await dropSends(db, dropped)
    const [first] = sends
    if (!person || !first) return true
    const ids = sends.map(({ id }) => id)
    const pictures = await picturesOf(sends, guest)
    const fault = await outcomeOf(mailer.send(written(taken, sends, { person, guest, pictures })))
    if (fault === 'stopped') return false
    await signals('sent', first.news.id)
    if (fault === null) await markSent(db, ids)
    else await notSent(sends, fault)
    // A server that says no is there: the mails of others do not wait.
    return fault === null || fault.refused
  }

  async function findGuest(id: string): Promise<NewsGuest | null> {
    const [guest] = (await deps.guests?.find([id])) ?? []
    return guest ?? null
  }

  function written(
    taken: TakenMail,
    sends: readonly TakenSend[],
    {
      person,
      guest,
      pictures,
    }: { person: NewsReader | NewsGuest; guest: NewsGuest | null; pictures: ReadonlyMap<string, Buffer> },
  ): Mail {
    const causes = [...new Set(sends.flatMap(({ cause }) => cause ?? []))]
    const type: Unsubscribing['type'] = guest ? 'guest' : 'member'
    const [brand, ...others] = new Set(sends.map(({ news }) => news.socialSet?.id))
    const about = type === 'member' && brand !== undefined && others.length === 0 ? { socialSetId: brand } : {}
    const ends: Unsubscribing = { type, id: person.id, accountId: taken.accountId, causes, ...about }
    const token = unsubscribeToken(deps.unsubscribeKeys, ends)
    const url = `${deps.publicUrl}/unsubscribe?token=${token}`
    const parts: MailParts = {
      language: languageFor(person),
      publicUrl: deps.publicUrl,
      titleOf: (accountType) => deps.networks.serving(accountType)?.manifest.title ?? accountType,
      unsubscribeUrl: url,
      guest,
      accountId: taken.accountId,
      daily: taken.way === 'DAILY',
      pictured: new Set(pictures.keys()),
    }
    const sent = sends.flatMap(({ cause, news }) => (cause ? [{ cause, news }] : []))
    const mail = mailOf(sent, parts)
    const named = new Set(mail.sections.map(({ picture }) => picture))
    const shown = [...pictures].flatMap(([id, jpeg]) => (named.has(cidOf(id)) ? [{ cid: cidOf(id), jpeg }] : []))
    return { to: person.email, ...renderMail(mail), pictures: shown, unsubscribeUrl: url }
  }

  async function picturesOf(sends: readonly TakenSend[], guest: NewsGuest | null): Promise<Map<string, Buffer>> {
    const { store } = deps
    if (store === null) return new Map()
    const shown = sends.filter(({ news }) => mayShow(news, guest !== null))
    return paintPostPictures(
      { db, store, log },
      shown.flatMap(({ news }) => news.postSet?.id ?? []),
    )
  }

  async function notSent(sends: readonly TakenSend[], { error, refused }: Fault): Promise<void> {
    const attempts = Math.max(...sends.map((send) => send.attempts))
    const ids = sends.map(({ id }) => id)
    if (refused && attempts >= settings.refusals) {
      await giveUpSends(db, ids, error)
      log.error({ error, attempts, givenUp: ids.length }, `${WHAT} and is given up`)
      return
    }
    const givenUp = await postponeSends(db, ids, { error, pauseMs: pauseAfter(settings.retryPausesMs, attempts) })
    if (givenUp > 0) log.error({ error, attempts, givenUp }, `${WHAT} and is given up`)
    else log.warn({ error, attempts }, `${WHAT} and is tried again later`)
  }

  async function wantedByGuest(sends: readonly TakenSend[], guest: NewsGuest): Promise<TakenSend[]> {
    const stops = await readGuestStops(db, [guest.id])
    return sends.filter(({ cause, news }) => {
      const { socialSet, facts } = news
      if (!isDue(news, ['EXTERNAL_PENDING']) || facts.inner || !socialSet || !guest.socialSetIds.includes(socialSet.id))
        return false
      return !stops.some((stop) => stop.cause === cause)
    })
  }

  /** Null for a mail that was taken, else why not, without the words of the server: they quote addresses. */
  async function outcomeOf(sending: Promise<void>): Promise<Fault | 'stopped' | null> {
    const over = new AbortController()
    const wait = pause(settings.mailLimitMs, undefined, { signal: AbortSignal.any([hardStop, over.signal]) })
    try {
      return await Promise.race([
        sending.then(
          () => null,
          (error: unknown) => {
            const { fault, code, responseCode } = faultCodes(error)
            const refused = responseCode !== undefined && responseCode >= 500
            return { error: `The mail server did not take the mail (${responseCode ?? code ?? fault}).`, refused }
          },
        ),
        wait.then(
          () => ({ error: 'The mail server did not answer in time.', refused: false }),
          () => 'stopped' as const,
        ),
      ])
    } finally {
      over.abort()
    }
  }
}

const WHAT = 'A mail about news could not be sent'

/** What a member still sees and has not chosen otherwise meanwhile. */
function wantedByMember({ sends, way }: TakenMail, reader: NewsReader): TakenSend[] {
  const { socialSetIds, choices } = reader
  return sends.filter(({ cause, news }) => {
    const socialSetId = news.socialSet?.id ?? null
    if (!cause || !isDue(news, ['PENDING', 'EXTERNAL_PENDING'])) return false
    if (!seesNewsOf({ userId: reader.id, socialSetIds }, { socialSetId, facts: news.facts })) return false
    const choice = chosen(choices, { socialSetId, cause })
    return choice === null || NEWS_CHOICES.indexOf(choice) >= NEWS_CHOICES.indexOf(way)
  })
}

/** Kinds that say that a post set waits for approval. */
const ABOUT_WAITING: ReadonlySet<NewsKind> = new Set(['REVIEW_REQUESTED', 'REVIEW_REMINDER', 'STILL_WAITING'])

/** Of a post set that was deleted there is nothing to do, nor of one that waits no longer, as one of `waits`. */
function isDue({ kind, facts, ofPostSet, postSet, inInbox }: TakenSend['news'], waits: readonly Approval[]): boolean {
  if (!ofPostSet) return true
  // Who was quicker than the mail has finished it.
  if (kind === 'IN_INBOX' && !inInbox) return false
  if (facts.takenBack) return postSet?.approval === 'EXTERNAL_PENDING'
  return postSet !== null && (!ABOUT_WAITING.has(kind) || waits.includes(postSet.approval))
}

function languageFor(person: NewsReader | NewsGuest) {
  if ('locale' in person) return languageOf(person.locale, { formal: person.formal })
  const { locale = null, hourCycle } = person.preferences
  return languageOf(locale, { hourCycle })
}
