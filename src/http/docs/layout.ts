import { escapeHtml, type Heading, type Rendered } from './render.ts'

interface NavigationEntry {
  title: string
  /** Address of the page. */
  href: string
}

interface PageFrame extends Rendered {
  title: string
  /** Path below which the installation is reached; empty in most. */
  base: string
  /** Address of this page. */
  href: string
  markdownHref: string
  navigation: readonly NavigationEntry[]
}

/** A whole page: what is read first, then the list of all pages, which wide screens show at the side. */
export function pageHtml({ title, base, href, markdownHref, navigation, html, headings }: PageFrame): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Almanac</title>
<link rel="stylesheet" href="${base}/docs/style.css">
<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownHref)}">
</head>
<body>
<header><a class="home" href="${base}/docs">Almanac</a><a href="${escapeHtml(markdownHref)}">Markdown</a><a class="to-pages" href="#pages">Pages</a></header>
<div class="columns">
<main>
${html}</main>
<nav id="pages" aria-label="Pages">
<ul>
${navigation.map((entry) => navigationItem(entry, href, headings)).join('\n')}
</ul>
</nav>
</div>
</body>
</html>
`
}

function navigationItem(entry: NavigationEntry, here: string, headings: readonly Heading[]): string {
  const title = escapeHtml(entry.title)
  if (entry.href !== here) return `<li><a href="${entry.href}">${title}</a></li>`
  const sections = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  const list = sections.length === 0 ? '' : `<ul>${sections.join('')}</ul>`
  return `<li><a href="${entry.href}" aria-current="page">${title}</a>${list}</li>`
}
