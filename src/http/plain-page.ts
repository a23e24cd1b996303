import { escapeHtml } from './docs/render.ts'
import { htmlPage } from './html-page.ts'

interface PlainPage {
  /** Path of the installation, without a slash at the end. */
  base: string
  /** Language of the page. */
  tag?: string
  title: string
  /** HTML. */
  body: string
}

/** A page without code, in the look of the documentation. Not indexed. */
export function plainPage({ base, tag = 'en', title, body }: PlainPage): string {
  return htmlPage({
    tag,
    title,
    head: `<link rel="stylesheet" href="${base}/docs/style.css">`,
    body: `<header><span class="home">Almanac</span></header>
<div class="columns"><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></div>`,
  })
}
