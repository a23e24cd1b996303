import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { PlanCatalog } from '#contract'
import type { Networks } from '#networks'
import { errorPagePath } from '../problems.ts'
import { ERROR_PAGE_CODES, errorPageMarkdown } from './error-pages.ts'
import { pageHtml } from './layout.ts'
import { networkLines, networkMarkdown, networksMarkdown, pageOfNetwork } from './network-pages.ts'
import { type OpenApiDocument, referenceMarkdown } from './reference.ts'
import { renderMarkdown } from './render.ts'
import { TABLES } from './tables.ts'

interface DocsPage {
  markdown: string
  html: string
}

export interface Docs {
  /** All pages but those of errors and of single networks, in reading order. */
  list(): readonly { name: string; title: string; summary: string }[]
  /**
   * A page by what follows /docs/ in its address: `index`, `states`, `reference`, `errors/route:not_found`. Null
   * when there is none.
   */
  page(name: string): Promise<DocsPage | null>
  /** The list of all pages for programs that read. */
  llms(): string
  /** A picture of `docs/screens`, by the name of its file; null when there is none. */
  screen(name: string): Promise<Buffer | null>
  stylesheet(): Promise<string>
}

interface PageEntry {
  name: string
  /** Below docs/; null when it is made from the description of the API. */
  file: string | null
  title: string
  /** For lists of pages. */
  summary: string
}

const entry = (name: string, title: string, summary: string, file: string | null = `interface/${name}.md`) => ({
  name,
  file,
  title,
  summary,
})

/** Every page, in reading order. */
const DOCS_PAGES: readonly PageEntry[] = [
  entry('index', 'Documentation', 'Where everything is.', 'index.md'),
  entry('what-it-does', 'What it does', 'From a key to a published result, step by step.'),
  entry('resources', 'Resources', 'Notes, post sets, posts, media, social sets and labels with all their fields.'),
  entry('states', 'States', 'The states of a post set, an approval, a series and an upload, and what changes them.'),
  entry('endpoints', 'Endpoints', 'Every request with its parameters, rules and answers.'),
  entry('authentication', 'Authentication', 'API keys, their scopes and what they can see.'),
  entry('events', 'Events', 'How to learn the outcome of a post set.'),
  entry('webhooks', 'Webhooks', 'Events, sent to an address of yours.'),
  entry('agents', 'Agents', 'Tools for AI agents, over MCP.'),
  entry('errors', 'Errors', 'The one shape of all errors, every code, and the order of checks.'),
  entry('limits', 'Limits', 'The rate limit, the sizes, and what the plans include.'),
  entry('versioning', 'Versioning', 'What may change, and what goes beyond the API.'),
  entry('client', 'The client', 'A client for TypeScript and JavaScript, and a command for writers.'),
  entry('networks', 'Networks', 'What each network accepts, and how accounts are connected.', null),
  entry('reference', 'API reference', 'Every operation with parameters, bodies and answers.', null),
  entry('dashboard', 'The dashboard', 'Signing in, people and their rights, the calendar.', 'dashboard.md'),
  entry('operating', 'Operating Almanac', 'Settings, plans and processes, for operators.', 'operating.md'),
  entry(
    'reliability',
    'Reliability',
    'What is promised when something fails, and how that was tested.',
    'reliability.md',
  ),
  entry(
    'networks-evidence',
    'What is known of the networks',
    'What production showed beyond their documentation, and what is uncertain.',
    'networks-evidence.md',
  ),
  entry('sandbox', 'The sandbox', 'Simulated networks, and the faults that they simulate on request.', 'sandbox.md'),
  entry(
    'security',
    'Security',
    'What is promised to whom, what was tested, and how to report a vulnerability.',
    'security.md',
  ),
  entry('proxy', 'Behind a proxy', 'What a proxy in front must do, with nginx and Caddy examples.', 'proxy.md'),
]

const FOLDER = join(import.meta.dirname, '../../../docs')

interface DocsParts {
  publicUrl: string
  /** Those of this installation. */
  plans: PlanCatalog
  networks: Networks
  openApi(): OpenApiDocument
}

/** The documentation. Pages are read when they are first asked for and kept then. */
export function openDocs({ publicUrl, plans, networks, openApi }: DocsParts): Docs {
  const kept = new Map<string, DocsPage>()
  // Behind a proxy the installation may be reached below a path.
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  let css: string | null = null

  async function load(name: string): Promise<DocsPage | null> {
    const made = await make(name)
    if (made === null) return null
    const markdown = `${made.markdown.replaceAll('](/', `](${base}/`).trimEnd()}\n`
    return { markdown, html: frame(base, { name, title: made.title }, markdown) }
  }

  async function make(name: string): Promise<{ title: string; markdown: string } | null> {
    const known = DOCS_PAGES.find((page) => page.name === name)
    if (known) return { title: known.title, markdown: await markdownOf(known) }
    const network = networks.all.find((each) => pageOfNetwork(each) === name)
    if (network) return { title: network.manifest.title, markdown: await networkMarkdown(networks, network) }
    const code = /^errors\/(.+)$/.exec(name)?.[1]
    const markdown = code === undefined ? null : errorPageMarkdown(openApi(), code)
    return code === undefined || markdown === null ? null : { title: code, markdown }
  }

  async function markdownOf({ name, file }: PageEntry): Promise<string> {
    if (file === null) return name === 'networks' ? networksMarkdown(networks) : referenceMarkdown(openApi())
    return fill(servedLinks(await readFile(join(FOLDER, file), 'utf8'), file), openApi(), plans)
  }

  return {
    list: () => DOCS_PAGES,
    async page(name) {
      const page = kept.get(name) ?? (await load(name))
      if (page) kept.set(name, page)
      return page
    },
    llms: () => llmsText(publicUrl, openApi(), networks),
    async screen(name) {
      return /^[a-z-]+\.png$/.test(name) ? readFile(join(FOLDER, 'screens', name)).catch(() => null) : null
    },
    async stylesheet() {
      css ??= await readFile(join(import.meta.dirname, 'style.css'), 'utf8')
      return css
    },
  }
}

function frame(base: string, { name, title }: { name: string; title: string }, markdown: string): string {
  const hrefOf = (page: string) => (page === 'index' ? `${base}/docs` : `${base}/docs/${page}`)
  const navigation = DOCS_PAGES.map((page) => ({ title: page.title, href: hrefOf(page.name) }))
  const pageOfCode = (text: string) => (ERROR_PAGE_CODES.includes(text) ? `${base}${errorPagePath(text)}` : null)
  const rendered = renderMarkdown(markdown, pageOfCode)
  return pageHtml({ ...rendered, title, base, href: hrefOf(name), markdownHref: `${base}/docs/${name}.md`, navigation })
}

/** Links between files, as they work where the repository is shown, become links between pages. */
function servedLinks(markdown: string, file: string): string {
  return markdown.replace(/\]\(([^)#:\s]+\.md)(#[^)]*)?\)/g, (link, target: string, anchor = '') => {
    const path = posix.join(posix.dirname(file), target)
    const page = DOCS_PAGES.find((candidate) => candidate.file === path)
    return page ? `](/docs/${page.name}.md${anchor})` : link
  })
}

/**
 * Fills in what a page leaves open: everything between `<!-- table: name -->` and `<!-- end -->`, where stands what
 * readers of the file itself see. Other marks say by what a part of the file was made, and are left out.
 */
function fill(markdown: string, openApi: OpenApiDocument, plans: PlanCatalog): string {
  const filled = markdown.replace(/<!-- table: ([\w-]+) -->[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const made = TABLES[name]
    if (!made) throw new Error(`No table is called ${name}.`)
    return made(openApi, plans)
  })
  // Pages list their sections at the side.
  const bare = filled.replace(/<!-- contents -->[\s\S]*?<!-- end -->\n+/, '')
  return bare.replace(/^<!-- [^\n]* -->\n/gm, '')
}

function llmsText(publicUrl: string, { info }: OpenApiDocument, networks: Networks): string {
  const line = ({ name, title, summary }: Pick<PageEntry, 'name' | 'title' | 'summary'>) =>
    `- [${title}](${publicUrl}/docs/${name}.md): ${summary}`
  return `# Almanac

> ${info.description ?? ''} A REST interface with API keys: put post sets on a calendar, each with one post per network, import media, and read the result of every post.

## Pages

${DOCS_PAGES.map(line).join('\n')}

## Networks

${networkLines(networks).map(line).join('\n')}

## For agents

Tools over the Model Context Protocol at ${publicUrl}/mcp, with an API key as bearer token: see the page Agents.

## Description for programs

- [OpenAPI 3.1](${publicUrl}/openapi.json): Every operation with its schemas.
`
}
