/** A mail as data: what it says, and where its links lead. */
export interface MailDocument {
  /** BCP 47 */
  language: string
  subject: string
  sections: readonly MailSection[]
  footer: { why: string; links: readonly MailLink[] }
}

export interface MailSection {
  /** What happened, in a sentence. */
  head: string
  /** What there is to know about it. */
  lines: readonly string[]
  /** What a person wrote. */
  quotes: readonly { by: string | null; words: string }[]
  /** What it is about, with a sentence before it; null: none. */
  list: { title: string; items: readonly { text: string; url: string | null }[]; more: string | null } | null
  /** Name of a picture of the post, which is part of the mail (RFC 2392); null: none. */
  picture: string | null
  action: MailLink | null
}

export interface MailLink {
  text: string
  url: string
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** The only place where mails become text and HTML. What people wrote is one line and never markup. */
export function renderMail(mail: MailDocument): RenderedMail {
  return { subject: oneLine(mail.subject), text: textOf(mail), html: htmlOf(mail) }
}

/**
 * Words of others begin no line of their own, and turn no line around: control characters and those that change the direction
 * of what follows are left out.
 */
const oneLine = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()

function textOf({ sections, footer }: MailDocument): string {
  const links = footer.links.map(({ text, url }) => `${oneLine(text)}: ${url}`)
  return [...sections.map(sectionText), [oneLine(footer.why), ...links].join('\n'), ''].join('\n\n')
}

function sectionText({ head, lines, quotes, list, action }: MailSection): string {
  const items =
    list?.items.map(({ text, url }) => [`- ${oneLine(text)}`, ...(url ? [`  ${url}`] : [])].join('\n')) ?? []
  return [
    oneLine(head),
    ...lines.map(oneLine),
    ...quotes.map(({ by, words }) => `> ${by === null ? '' : `${oneLine(by)}: `}${oneLine(words)}`),
    ...(action ? [`${oneLine(action.text)}: ${action.url}`] : []),
    ...(list ? ['', oneLine(list.title), ...items, ...(list.more === null ? [] : [`- ${oneLine(list.more)}`])] : []),
  ].join('\n')
}

const STYLE = {
  body: 'margin:0;padding:24px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,sans-serif',
  sheet: 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px',
  head: 'margin:0 0 8px;font-size:17px;line-height:1.4',
  section: 'margin:0',
  followed: 'margin:0 0 24px;padding:0 0 24px;border-bottom:1px solid #e4e4e7',
  quote: 'margin:8px 0;padding:0 0 0 12px;border-left:3px solid #a1a1aa',
  button:
    'display:inline-block;padding:10px 16px;background:#3a44c2;color:#ffffff;border-radius:8px;text-decoration:none',
  picture: 'display:block;max-width:160px;max-height:160px;border-radius:8px',
  footer: 'max-width:560px;margin:16px auto 0;color:#52525b;font-size:13px',
} as const

function htmlOf({ language, subject, sections, footer }: MailDocument): string {
  const links = footer.links.length === 0 ? [] : [footer.links.map(link).join(' · ')]
  return `<!doctype html>
<html lang="${escaped(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(subject)}</title></head>
<body style="${STYLE.body}">
<div style="${STYLE.sheet}">
${sections.map((section, nth) => sectionHtml(section, { isLast: nth === sections.length - 1 })).join('\n')}
</div>
<p style="${STYLE.footer}">${[escaped(footer.why), ...links].join('<br>')}</p>
</body>
</html>
`
}

function sectionHtml(
  { head, lines, quotes, list, picture, action }: MailSection,
  { isLast }: { isLast: boolean },
): string {
  const items = list?.items.map(({ text, url }) => `<li>${url === null ? escaped(text) : link({ text, url })}</li>`)
  return [
    `<div style="${isLast ? STYLE.section : STYLE.followed}">`,
    `<h2 style="${STYLE.head}">${escaped(head)}</h2>`,
    ...lines.map((line) => `<p>${escaped(line)}</p>`),
    ...quotes.map(({ by, words }) => {
      const name = by === null ? '' : `<bdi>${escaped(by)}</bdi>: `
      return `<blockquote style="${STYLE.quote}">${name}<bdi>${escaped(words)}</bdi></blockquote>`
    }),
    ...(list
      ? [
          `<p>${escaped(list.title)}</p>`,
          `<ul>${items?.join('')}${list.more === null ? '' : `<li>${escaped(list.more)}</li>`}</ul>`,
        ]
      : []),
    // What it shows is said beside it.
    ...(picture === null ? [] : [`<p><img src="cid:${escaped(picture)}" alt="" style="${STYLE.picture}"></p>`]),
    ...(action ? [`<p><a href="${escaped(action.url)}" style="${STYLE.button}">${escaped(action.text)}</a></p>`] : []),
    '</div>',
  ].join('\n')
}

const link = ({ text, url }: MailLink) => `<a href="${escaped(url)}">${escaped(text)}</a>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => oneLine(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
