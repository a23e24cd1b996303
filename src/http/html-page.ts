import { escapeHtml } from './docs/render.ts'

interface HtmlPage {
  /** Language of the page. */
  tag: string
  title: string
  /** HTML: the style. */
  head: string
  /** HTML. */
  body: string
}

/** The frame of a page without code that stands alone. Not indexed. */
export function htmlPage({ tag, title, head, body }: HtmlPage): string {
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Almanac</title>
${head}
</head>
<body>
${body}
</body>
</html>
`
}
