import { createHash } from 'node:crypto'
import { FAULTS, type LedgerPost } from '#networks'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.1rem; }
img, video { max-width: 100%; border-radius: .25rem; display: block; margin: .5rem 0; }
figcaption, time, .quiet { color: color-mix(in srgb, currentColor 65%, transparent); font-size: .875rem; }
code { overflow-wrap: anywhere; }
td, th { text-align: left; padding: .125rem 1rem .125rem 0; vertical-align: top; }
`

/** Nothing runs and nothing is loaded but the sandbox's own pictures: what a page shows came from posts. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Markup; anything else that goes into a page is escaped. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | readonly Piece[]

/** Markup from a template; what is filled in is escaped unless it is markup itself. */
function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.map((string, index) => string + render(pieces[index] ?? '')).join(''))
}

function render(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(render).join('')
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}

/** A network as its pages name it, with the path of its simulator: links stay on the host that was asked. */
interface Shown {
  name: string
  title: string
  path: string
}

/** The page that a permalink opens. */
export function postPage(network: Shown, post: LedgerPost): string {
  return page(
    `Post on ${network.title} (sandbox)`,
    html`<p class="quiet"><a href="${network.path}">${network.title}</a>, simulated. No one else sees this.</p>
<main>${article(network, post, { whole: true })}</main>`,
  )
}

/** Everything that a simulator holds, newest first, up to `limit` posts. */
export function networkPage(network: Shown, posts: readonly LedgerPost[], limit: number): string {
  const newest = posts.slice(-limit).reverse()
  return page(
    `${network.title} (sandbox)`,
    html`<h1>${network.title}</h1>
<p>A simulated network: it answers as the real one does and keeps what it gets to itself.</p>
<p>${counted(posts.length)}${posts.length > newest.length ? `, the newest ${newest.length} are shown` : ''}. As data: <a href="${network.path}/posts">${network.path}/posts</a></p>
<main>${newest.map((post) => article(network, post, { whole: false }))}</main>`,
  )
}

const counted = (posts: number) => (posts === 1 ? '1 post' : `${posts} posts`)

/** The entry page of the sandbox. */
export function indexPage(networks: readonly (Shown & { posts: number })[]): string {
  return page(
    'Sandbox',
    html`<h1>Sandbox</h1>
<p>Simulated networks. Connections made with <code>--sandbox</code> publish here and nowhere else.</p>
<ul>${networks.map(({ title, path, posts }) => html`<li><a href="${path}">${title}</a>: ${counted(posts)}</li>`)}</ul>
<h2>Faults on demand</h2>
<p>A caption that holds one of these words makes the simulator misbehave as the word says.</p>
<table>${Object.entries(FAULTS).map(([word, { does }]) => html`<tr><td><code>[[fault:${word}]]</code></td><td>${does}</td></tr>`)}</table>`,
  )
}

export function notFoundPage(): string {
  return page('Not found', html`<h1>Not found</h1><p>The sandbox holds nothing under this address.</p>`)
}

function article(network: Shown, post: LedgerPost, options: { whole: boolean }): Html {
  const details = Object.entries(post.details ?? {})
  return html`<article>
<p class="text">${post.text}</p>
${(post.media ?? []).map((media) => figure(network, media))}
<p><a href="${post.permalink}"><time datetime="${post.createdAt}">${post.createdAt}</time></a></p>
${(post.comments ?? []).map((comment) => html`<p class="text">↳ ${comment.text}</p>`)}
${
  options.whole
    ? html`<table><tr><th>Id</th><td><code>${post.id}</code></td></tr><tr><th>Connection</th><td><code>${post.accountId}</code></td></tr>
${details.map(([name, value]) => html`<tr><th>${name}</th><td><code>${typeof value === 'string' ? value : JSON.stringify(value)}</code></td></tr>`)}</table>`
    : ''
}
</article>`
}

function figure(network: Shown, media: NonNullable<LedgerPost['media']>[number]): Html {
  const address = `${network.path}/blobs/${encodeURIComponent(media.blobId)}?type=${encodeURIComponent(media.mimeType)}`
  const alt = media.alt ?? ''
  if (media.mimeType === 'application/pdf') return html`<figure><a href="${address}">Document (PDF)</a></figure>`
  const shown = media.mimeType.startsWith('video/')
    ? html`<video controls preload="metadata" src="${address}" aria-label="${alt}"></video>`
    : html`<img src="${address}" alt="${alt}" loading="lazy">`
  return html`<figure>${shown}<figcaption>${alt}</figcaption></figure>`
}
