import { escapeHtml } from './docs/render.ts'

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
  const heading = escapeHtml(title)
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${heading} · Almanac</title>
<link rel="stylesheet" href="${base}/docs/style.css">
</head>
<body>
<header><span class="home">Almanac</span></header>
<div class="columns"><main>
<h1>${heading}</h1>
${body}
</main></div>
</body>
</html>
`
}
