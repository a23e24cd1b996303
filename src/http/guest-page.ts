import { createHash } from 'node:crypto'
import { escapeHtml } from './docs/render.ts'
import { htmlPage } from './html-page.ts'

interface GuestPage {
  /** Language of the page. */
  tag: string
  title: string
  /** HTML. */
  body: string
}

/** Colors and sizes are those of `web/src/design/tokens.css`. */
const STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f9f7f4, #191816);
  --raised: light-dark(#fff, #24221f);
  --text: light-dark(#1f1c18, #f0ede7);
  --text-2: light-dark(#47423b, #cbc5bb);
  --dim: light-dark(#67615a, #a59e93);
  --control: light-dark(#8f887c, #746e65);
  --accent: light-dark(#3a44c2, #5863dd);
  --accent-hover: light-dark(#2f38a8, #4c57cf);
  --focus: light-dark(#3a44c2, #abb3ff);
  --danger: light-dark(#b01e13, #ff9e92);
  --danger-soft: light-dark(#fcebe8, #3b1d19);
  --ring: light-dark(rgb(60 48 30 / 10%), rgb(255 246 230 / 7%));
}
* { box-sizing: border-box; }
body {
  display: grid;
  gap: 20px;
  align-content: start;
  min-height: 100dvh;
  max-width: 472px;
  margin: 0 auto;
  padding: 24px 16px;
  background: var(--canvas);
  color: var(--text);
  font: 16px/24px Inter, "Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: break-word;
}
header { display: flex; align-items: center; gap: 8px; color: var(--dim); font-size: 14px; font-weight: 600; }
header svg { width: 24px; height: 24px; }
header rect { fill: var(--accent); }
header path { fill: none; stroke: var(--accent); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
header .roof { stroke: #fff; }
main { padding: 24px; border-radius: 12px; background: var(--raised); box-shadow: 0 0 0 1px var(--ring); }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 32px; font-weight: 600; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0; color: var(--text-2); }
p + p, p + form, form p + p { margin-top: 16px; }
label { color: var(--text); font-size: 14px; font-weight: 500; }
input, button { width: 100%; min-height: 48px; border-radius: 8px; font: inherit; }
input { margin-top: 4px; padding: 8px 12px; border: 1px solid var(--control); background: var(--canvas); color: inherit; }
input[aria-invalid] { border-color: var(--danger); }
button { border: 0; padding: 8px 16px; background: var(--accent); color: #fff; font-weight: 600; cursor: pointer; }
button:hover { background: var(--accent-hover); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
[role="alert"] { padding: 10px 12px; border-radius: 8px; background: var(--danger-soft); color: var(--danger); font-size: 14px; }
@media (min-width: 40em) and (min-height: 30em) { body { padding-top: 12vh; } main { padding: 32px; } }
@media (forced-colors: active) { main { border: 1px solid; } button { border: 1px solid; } }
`

/** What the policy of such a page names, so that its own style applies and no other. */
export const GUEST_PAGE_STYLE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** The product's sign. */
const SIGN =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M10 3v6M22 3v6"/><rect x="3" y="6" width="26" height="23" rx="5"/><path class="roof" d="M9 23.5 16 13l7 10.5"/></svg>'

/**
 * A page without code for people outside the team, in the look of the product. It names no brand, and loads nothing: an
 * address that opens nothing is one request. Not indexed.
 */
export function guestPage({ tag, title, body }: GuestPage): string {
  return htmlPage({
    tag,
    title,
    head: `<style>${STYLE}</style>`,
    body: `<header>${SIGN}<span>Almanac</span></header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>`,
  })
}
