import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '#contract'
import { acceptedLocale, languageOf, type MailWord } from '#news'
import { type FoundUnsubscribing, lookAtUnsubscribing, unsubscribe } from '#operations'
import { escapeHtml } from '../docs/render.ts'
import { plainPage } from '../plain-page.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Nothing runs, and nothing but the stylesheet is loaded; the form leads to this page alone. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/**
 * The page at the end of a mail, and the one-click way of mail programs (RFC 8058): a POST to the address in the mail, without
 * a session. A look at the page changes nothing, as programs look at every link. The token is in the query, which no log has.
 */
export function unsubscribeRoutes(
  server: FastifyInstance,
  deps: Pick<ServerDeps, 'db' | 'unsubscribeKeys' | 'publicUrl' | 'addressLimit'>,
): void {
  const base = new URL(deps.publicUrl).pathname.replace(/\/$/, '')
  const addressRate = { subject: 'unsubscribe', perSecond: deps.addressLimit, inDatabase: true }
  const options = { schema: { hide: true }, bodyLimit: LIMITS.openBodyBytes, config: { open: true, addressRate } }
  server.register(async (room) => {
    // What mail programs and the form send says no more than the address does.
    room.removeAllContentTypeParsers()
    room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, null))

    room.get('/unsubscribe', options, async (request, reply) => {
      const token = tokenOf(request)
      const found = await lookAtUnsubscribing(deps, token)
      if (!found) return answer(reply, 404, overPage(base, request))
      const { say } = languageOf(found.locale, { formal: found.formal })
      const question = found.type === 'guest' ? 'unsubscribe:question-guest' : 'unsubscribe:question'
      const form = `<form method="post" action="${base}/unsubscribe?token=${escapeHtml(encodeURIComponent(token))}">
<button type="submit">${escapeHtml(say('unsubscribe:button'))}</button></form>`
      return answer(reply, 200, page(base, found, { title: 'unsubscribe:title', text: question, form }))
    })
    room.post('/unsubscribe', options, async (request, reply) => {
      const found = await unsubscribe(deps, tokenOf(request))
      if (!found) return answer(reply, 404, overPage(base, request))
      return answer(
        reply,
        200,
        page(base, found, { title: 'unsubscribe:done-title', text: 'unsubscribe:done', form: '' }),
      )
    })
  })
}

function tokenOf(request: FastifyRequest): string {
  const { text = '' } = request.query as { text?: string }
  return new URLSearchParams(text).get('token') ?? ''
}

function answer(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('vary', 'Accept-Language')
    .send(html)
}

/** It is not known who reads it. */
function overPage(base: string, request: FastifyRequest): string {
  const language = languageOf(acceptedLocale(request.headers['accept-language']))
  const { tag, say } = language
  const body = `<p>${escapeHtml(say('unsubscribe:over'))}</p>`
  return plainPage({ base, tag, title: say('unsubscribe:over-title'), body })
}

function page(
  base: string,
  { causes, locale, formal, brands, mailOf }: FoundUnsubscribing,
  { title, text, form }: { title: MailWord; text: MailWord; form: string },
): string {
  const language = languageOf(locale, { formal })
  const about = causes.map((cause) => `<li>${escapeHtml(language.say(`about:${cause}`))}</li>`)
  const list = new Intl.ListFormat(language.tag).format(brands)
  const whose = mailOf
    ? language.say('unsubscribe:about-brand', mailOf)
    : brands.length > 0
      ? language.say('unsubscribe:about-brands', { brands: list })
      : null
  const body = `${whose === null ? '' : `<p>${escapeHtml(whose)}</p>\n`}<ul>${about.join('')}</ul>\n<p>${escapeHtml(language.say(text))}</p>\n${form}`
  return plainPage({ base, tag: language.tag, title: language.say(title), body })
}
