import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS, ProblemError } from '#contract'
import { isId } from '#domain'
import { acceptedLocale, type Language, languageOf, type MailWord } from '#news'
import {
  type Begun,
  beginVisit,
  confirmGuestEmail,
  type Entered,
  enterSharedCalendar,
  findGuestConfirmation,
} from '#operations'
import { escapeHtml } from '../docs/render.ts'
import { GUEST_PAGE_STYLE, guestPage } from '../guest-page.ts'
import { headersOf } from '../members.ts'
import { createFormCheck } from '../own-origins.ts'
import { addressOf } from '../rate-limit.ts'
import type { ServerDeps } from '../server-deps.ts'
import { filled, NOT_BUILT } from './dashboard-pages.ts'

/** Of pages without code: a form that is sent to us, and their own style. */
const PLAIN_POLICY = `default-src 'none'; style-src ${GUEST_PAGE_STYLE}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
/** A form has one short field. */
const FORM_BYTES = 4_096

/**
 * The ways into a shared calendar, and its page. Pages are for people and not part of the API. HEAD is not answered: a
 * look at an address must not enter by it.
 */
export async function sharedPages(
  server: FastifyInstance,
  deps: Pick<ServerDeps, 'db' | 'identity' | 'publicUrl' | 'trustedOrigins' | 'dashboardDir'>,
): Promise<void> {
  const base = new URL(deps.publicUrl).pathname.replace(/\/$/, '')
  const refuseForged = createFormCheck(deps)
  const file = deps.dashboardDir && join(deps.dashboardDir, 'shared.html')
  const application = file && existsSync(file) ? await readFile(file, 'utf8') : null
  const { entriesPerSecond } = LIMITS.guestVisits
  const options = {
    schema: { hide: true },
    exposeHeadRoute: false,
    config: { open: true, addressRate: { subject: 'shared-pages', perSecond: entriesPerSecond, inDatabase: true } },
    bodyLimit: FORM_BYTES,
    // Of every answer: the language does not distinguish one link from another.
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) => void reply.header('vary', 'Accept-Language'),
  }

  /** Of pages that do not know whose guest reads them, the words address no one. */
  const languageFor = (request: FastifyRequest, { formal = false }: { formal?: boolean } = {}): Language =>
    languageOf(acceptedLocale(request.headers['accept-language']), { formal })

  function sendOutcome(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply {
    if ('seconds' in outcome) reply.header('retry-after', String(outcome.seconds))
    return sendPlain(reply, ...pageOf(languageFor(request, outcome.kind === 'passcode' ? outcome : {}), outcome))
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, passcode: string | null): Promise<FastifyReply> {
    const { token } = request.params as { token: string }
    const entered = await enterSharedCalendar(deps, token, { passcode, address: addressOf(request) }).catch(
      tooManyTries,
    )
    if (entered.kind !== 'entered') return sendOutcome(request, reply, entered)
    reply.header('set-cookie', entered.cookie)
    return reply.redirect(`${base}/shared/view/${entered.id}${postOf(request)}`, 303)
  }

  server.get('/shared/:token', options, (request, reply) => enter(request, reply, null))
  server.get('/shared/view/:link', options, async (request, reply) => {
    const { link } = request.params as { link: string }
    const from = { address: addressOf(request), headers: headersOf(request) }
    const visit = await beginVisit(deps, link, from).catch(tooManyTries)
    if (visit.kind !== 'visit') return sendOutcome(request, reply, visit)
    reply.header('set-cookie', visit.cookies)
    const nonce = randomBytes(16).toString('base64')
    return reply
      .code(application ? 200 : 503)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', applicationPolicy(nonce))
      .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
      .send(application ? filled(application, { base, nonce }) : NOT_BUILT)
  })
  server.get('/shared/confirm/:token', options, async (request, reply) => {
    const { token } = request.params as { token: string }
    const found = await findGuestConfirmation(deps, token)
    return sendPlain(reply, ...confirmationPage(languageFor(request, found ?? {}), found ? 'ask' : 'over'))
  })

  await server.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    forms.post('/shared/:token', options, (request, reply) => {
      refuseForged(request)
      return enter(request, reply, fieldOf(request, 'passcode').slice(0, 2 * LIMITS.sharedCalendars.passcode.max))
    })
    forms.post('/shared/confirm/:token', options, async (request, reply) => {
      refuseForged(request)
      const { token } = request.params as { token: string }
      const done = await confirmGuestEmail(deps, token)
      return sendPlain(reply, ...confirmationPage(languageFor(request, done ?? {}), done ? 'done' : 'over'))
    })
  })
}

interface TooMany {
  /** Wrong passcodes; new guests. */
  kind: 'too-many' | 'too-many-guests'
  seconds: number
}

/** What a page without code says instead of leading into a calendar. */
type Outcome = Exclude<Entered, { kind: 'entered' }> | Exclude<Begun, { kind: 'visit' }> | TooMany

/** A person reads it: the page says how long to wait. */
function tooManyTries(error: unknown): TooMany {
  if (!(error instanceof ProblemError)) throw error
  const seconds = Number(error.headers['retry-after'] ?? 60)
  if (error.code === 'auth:too_many_attempts') return { kind: 'too-many', seconds }
  if (error.code === 'rate-limit:exceeded') return { kind: 'too-many-guests', seconds }
  throw error
}

const fieldOf = ({ body }: FastifyRequest, name: string) =>
  body instanceof URLSearchParams ? (body.get(name) ?? '') : ''

/** The post that a mail leads to, which the page opens. */
function postOf(request: FastifyRequest): string {
  const { text = '' } = request.query as { text?: string }
  const post = new URLSearchParams(text).get('post') ?? ''
  return isId(post) ? `?post=${post}` : ''
}

/** Nothing runs but our own files, and nothing is fetched from elsewhere. Styles that the page makes carry the nonce. */
function applicationPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

type PlainPage = readonly [status: number, html: string]

function sendPlain(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', PLAIN_POLICY)
    .send(html)
}

function pageOf(language: Language, outcome: Outcome): PlainPage {
  const say = sayEscaped(language)
  switch (outcome.kind) {
    case 'not-shared':
      return [404, page(language, 'shared:over-title', `<p>${say('shared:over')}</p>`)]
    case 'too-many': {
      const { seconds } = outcome
      const wait =
        seconds < 60
          ? say('shared:too-many-seconds', { seconds })
          : say('shared:too-many-minutes', { minutes: Math.ceil(seconds / 60) })
      return [429, page(language, 'shared:too-many-title', `<p>${wait}</p>`)]
    }
    case 'too-many-guests': {
      const minutes = Math.ceil(outcome.seconds / 60)
      return [429, page(language, 'shared:crowded-title', `<p>${say('shared:crowded', { minutes })}</p>`)]
    }
    case 'full':
      return [429, page(language, 'shared:full-title', `<p>${say('shared:full')}</p>`)]
    case 'passcode':
      return [outcome.wrong ? 403 : 200, page(language, 'shared:passcode-title', passcodeForm(language, outcome.wrong))]
  }
}

/** Sent to the address that it came from. */
function passcodeForm(language: Language, wrong: boolean): string {
  const say = sayEscaped(language)
  const said = wrong ? `<p id="wrong" role="alert">${say('shared:passcode-wrong')}</p>\n` : ''
  const described = wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''
  return `${said}<form method="post">
<p><label for="passcode">${say('shared:passcode-label')}</label>
<input id="passcode" name="passcode" type="password" autocomplete="off" required autofocus maxlength="${LIMITS.sharedCalendars.passcode.max}"${described}></p>
<p><button type="submit">${say('shared:passcode-button')}</button></p>
</form>`
}

function confirmationPage(language: Language, state: 'ask' | 'done' | 'over'): PlainPage {
  const say = sayEscaped(language)
  switch (state) {
    case 'ask': {
      const form = `<form method="post"><p><button type="submit">${say('shared:confirm-button')}</button></p></form>`
      return [200, page(language, 'shared:confirm-title', `<p>${say('shared:confirm')}</p>\n${form}`)]
    }
    case 'done':
      return [200, page(language, 'shared:confirmed-title', `<p>${say('shared:confirmed')}</p>`)]
    case 'over':
      return [404, page(language, 'shared:nothing-title', `<p>${say('shared:nothing')}</p>`)]
  }
}

const sayEscaped =
  (language: Language) =>
  (word: MailWord, values: Readonly<Record<string, string | number>> = {}) =>
    escapeHtml(language.say(word, values))

function page({ tag, say }: Language, title: MailWord, body: string): string {
  return guestPage({ tag, title: say(title), body })
}
