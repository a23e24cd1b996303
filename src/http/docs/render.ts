import { Marked } from 'marked'
import { slugOf } from './markdown.ts'

export interface Heading {
  depth: number
  id: string
  /** Plain text. */
  text: string
}

export interface Rendered {
  html: string
  headings: Heading[]
}

/**
 * HTML of a page. Headings get anchors, wide tables scroll by themselves, HTML in the markdown is shown as text.
 *
 * @param pageOf the address of the page of a code that is in backticks; null for what is none
 */
export function renderMarkdown(markdown: string, pageOf: (code: string) => string | null): Rendered {
  const headings: Heading[] = []
  const ids = new Map<string, number>()
  // Codes inside of a link or a heading are not links of their own.
  let plain = false
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer)
        const id = uniqueId(ids, slugOf(unescapeHtml(text)))
        headings.push({ depth, id, text: unescapeHtml(text) })
        plain = true
        const inner = this.parser.parseInline(tokens)
        plain = false
        const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${inner}${anchor}</h${depth}>\n`
      },
      link({ href, tokens }) {
        plain = true
        const inner = this.parser.parseInline(tokens)
        plain = false
        const outside = /^https?:/.test(href) ? ' rel="noreferrer"' : ''
        return `<a href="${escapeHtml(htmlAddress(href))}"${outside}>${inner}</a>`
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code${lang ? ` class="language-${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}\n</code></pre>\n`,
      codespan({ text }) {
        const address = plain ? null : pageOf(text)
        const inner = `<code>${escapeHtml(text)}</code>`
        return address === null ? inner : `<a class="code" href="${escapeHtml(address)}">${inner}</a>`
      },
      html: ({ text }) => escapeHtml(text),
    },
  })
  const html = marked
    .parse(markdown, { async: false })
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return { html, headings }
}

/** Pages link to each other as markdown; `/docs/states` of `/docs/states.md`. */
function htmlAddress(href: string): string {
  return href
    .replace(/^(\/[^#]*)?\/docs\/index\.md(?=#|$)/, '$1/docs')
    .replace(/^(\/[^#]*docs\/[^#]+)\.md(?=#|$)/, '$1')
}

function uniqueId(ids: Map<string, number>, slug: string): string {
  const seen = ids.get(slug) ?? 0
  ids.set(slug, seen + 1)
  return seen === 0 ? slug : `${slug}-${seen}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

function unescapeHtml(text: string): string {
  return Object.entries(ENTITIES).reduceRight((left, [character, entity]) => left.replaceAll(entity, character), text)
}
