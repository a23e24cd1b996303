import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as contract from '#contract'
import { importerDefaults } from '#importing'
import { FAULTS, loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const INTERFACE_PAGES = [
  'what-it-does',
  'resources',
  'states',
  'endpoints',
  'authentication',
  'events',
  'webhooks',
  'agents',
  'errors',
  'limits',
  'versioning',
  'client',
]
const PAGES = [
  'index',
  ...INTERFACE_PAGES,
  'networks',
  'reference',
  'dashboard',
  'operating',
  'reliability',
  'networks-evidence',
  'sandbox',
  'security',
  'proxy',
]
const networks = await loadNetworks()
const NETWORK_PAGES = networks.all.map(({ manifest }) => `networks/${manifest.name}`)
const CODES = Object.keys({
  ...contract.ERRORS,
  ...contract.POST_PROBLEMS,
  ...contract.MEDIA_UPLOAD_ERRORS,
  ...contract.POST_SET_WARNINGS,
})
const ADDRESSES = [
  '/docs',
  ...[...PAGES, ...NETWORK_PAGES].map((name) => `/docs/${name}`),
  ...CODES.map((code) => `/docs/errors/${code}`),
]

async function read(path: string): Promise<string> {
  const { status, body } = await api.request('GET', path, { key: null })
  expect(status, path).toBe(200)
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('every page is HTML with a title of its own, and nothing in it runs or comes from elsewhere', async () => {
  const titles = new Set<string>()
  for (const path of ADDRESSES) {
    const { headers, body } = await api.request('GET', path, { key: null })
    expect(headers.get('content-type'), path).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const [title = ''] = all(body, /<title>(.+) · Almanac<\/title>/g)
    titles.add(title)
    expect(unescaped(all(body, /<h1 id="[^"]+">(.+)<\/h1>/g).join('|')), path).toBe(unescaped(title))
    expect(body, path).toMatch(/<html lang="en">/)
    expect(body, path).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<iframe|<img(?! src="screens\/[a-z-]+\.png")/)
    expect(all(body, /(?:<link[^>]* href|src)="((?:https?:)?\/\/[^"]*)"/g), path).toEqual([])
    // The pages of networks name the vendors' pages that they were made from; nothing else leads away.
    const away = all(body, /<a href="(?:https?:)?\/\/[^"]*"([^>]*)>/g)
    expect(new Set(away), path).toEqual(new Set(path.includes('/networks/') ? [' rel="noreferrer"'] : []))
  }
  // The start page has two addresses.
  expect(titles.size).toBe(ADDRESSES.length - 1)
})

test('the stylesheet loads nothing, and knows light and dark', async () => {
  const { headers, body } = await api.request('GET', '/docs/style.css', { key: null })
  expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(body).not.toMatch(/url\(|@import|https?:/)
  expect(body).toContain('@media (prefers-color-scheme: dark)')
  expect(body).toContain(':focus-visible')
})

test('service-27: with .md at the end, every page is markdown with everything filled in', async () => {
  for (const path of ADDRESSES) {
    const { status, headers, body } = await api.request('GET', `${path}.md`, { key: null })
    expect([status, headers.get('content-type')], path).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(body, path).toMatch(/^# \S/)
    expect(body, path).not.toMatch(/<!--|undefined|\[object/)
  }
})

test('HEAD is answered like GET, without the page', async () => {
  const { status, headers, body } = await api.request('HEAD', '/docs/states', { key: null })
  expect([status, headers.get('content-type'), body]).toEqual([200, 'text/html; charset=utf-8', ''])
})

test('problem-03: every link of every page leads somewhere, to its very place', async () => {
  const pages = new Map(await Promise.all(ADDRESSES.map(async (path) => [path, await read(path)] as const)))
  const broken: string[] = []
  const look = async (path: string) => {
    if (!pages.has(path)) pages.set(path, (await api.request('GET', path, { key: null })).status === 200 ? 'there' : '')
    return pages.get(path) ?? ''
  }
  for (const from of ADDRESSES) {
    const html = pages.get(from) ?? ''
    const ids = all(html, / id="([^"]+)"/g)
    expect(new Set(ids).size, `${from} has two places of one name`).toBe(ids.length)
    for (const href of all(html, / href="(?!https:)([^"]+)"/g).map(unescaped)) {
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? html : await look(path)
      const found = target !== '' && (anchor === undefined || target.includes(` id="${anchor}"`))
      if (!found) broken.push(`${from}: ${href}`)
    }
    for (const href of all(await read(`${from}.md`), /\]\((\/[^)#]+)/g)) {
      if ((await look(href)) === '') broken.push(`${from}.md: ${href}`)
    }
  }
  expect(broken).toEqual([])
})

test('where the files themselves are shown, links lead to files that there are', async () => {
  const root = join(import.meta.dirname, '../..')
  const files = [
    'docs/index.md',
    'docs/dashboard.md',
    'docs/operating.md',
    'docs/reliability.md',
    'docs/sandbox.md',
    'docs/security.md',
    'docs/proxy.md',
    ...INTERFACE_PAGES.map((name) => `docs/interface/${name}.md`),
  ]
  const broken: string[] = []
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8')
    for (const target of all(text, /\]\(([^)#]+)[^)]*\)/g)) {
      const found = await stat(join(root, dirname(file), target)).catch(() => null)
      if (!found) broken.push(`${file}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test('llms.txt names every page as markdown, by addresses that work', async () => {
  const text = await read('/llms.txt')
  expect(text).toMatch(/^# Almanac\n\n> \S/)
  const links = all(text, /\]\(([^)]+)\)/g)
  expect(links).toEqual([
    ...[...PAGES, ...NETWORK_PAGES].map((name) => `https://almanac.test/docs/${name}.md`),
    'https://almanac.test/openapi.json',
  ])
  for (const link of links) await read(new URL(link).pathname)
})

test('all pages lead to all others, and the current one is marked', async () => {
  for (const name of PAGES) {
    const html = await read(`/docs/${name}`)
    const nav = html.slice(html.indexOf('<nav'), html.indexOf('</nav>'))
    const paths = all(nav, /href="(\/[^"]+)"/g)
    expect(paths).toEqual(PAGES.map((page) => (page === 'index' ? '/docs' : `/docs/${page}`)))
    expect(all(nav, /href="([^"]+)" aria-current="page"/g)).toEqual([name === 'index' ? '/docs' : `/docs/${name}`])
  }
})

describe('what pages say', () => {
  test('the page of the sandbox lists every fault that a caption can ask for', async () => {
    const markdown = await read('/docs/sandbox.md')
    for (const [name, { does }] of Object.entries(FAULTS))
      expect(markdown).toContain(`| \`[[fault:${name}]]\` | ${does} |`)
  })

  test('every network has a page with its kinds of posts, its defaults and every limit with its source', async () => {
    const index = await read('/docs/networks.md')
    for (const { manifest } of networks.all) {
      const markdown = await read(`/docs/networks/${manifest.name}.md`)
      expect(index).toContain(`[${manifest.title}](/docs/networks/${manifest.name}.md)`)
      for (const type of manifest.accountTypes) {
        expect(index).toContain(`| \`${type}\` |`)
        expect(markdown).toContain(`| \`${type}\` |`)
      }
      for (const [name, { source, unsure }] of Object.entries(manifest.limits)) {
        const row = markdown.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
        expect(row, `${manifest.name} ${name}`).toContain(source)
        if (unsure) expect(row).toContain(unsure.replaceAll('|', '\\|'))
      }
      for (const { name } of manifest.defaults) expect(markdown).toContain(`| \`${name}\` |`)
    }
  })

  test('the reference has every operation, parameter, status, code and schema of the description', async () => {
    const markdown = await read('/docs/reference.md')
    for (const [path, methods] of Object.entries(api.openApi.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId, parameters = [] } = operation as { operationId?: string; parameters?: { name: string }[] }
        const title = `\`${method.toUpperCase()} ${path}\` – operation \`${operationId}\``
        const [, section = ''] = markdown.split(title)
        expect(section, title).not.toBe('')
        const own = section.split('\n### ')[0] ?? ''
        for (const { name } of parameters) expect(own.toLowerCase(), title).toContain(`| \`${name.toLowerCase()}\` |`)
        for (const [status, { description }] of Object.entries(operation.responses) as [
          string,
          { description: string },
        ][]) {
          expect(own, title).toContain(`| ${status} |`)
          for (const code of all(description, /`([\w-]+:[\w-]+)`/g)) expect(own, title).toContain(`\`${code}\``)
        }
      }
    }
    for (const name of Object.keys(api.openApi.components.schemas)) expect(markdown).toContain(`\n### ${name}\n`)
  })

  test('the page of endpoints has a chapter and a line for every operation', async () => {
    const markdown = await read('/docs/endpoints.md')
    for (const [path, methods] of Object.entries(api.openApi.paths)) {
      for (const method of Object.keys(methods)) {
        const name = `${method.toUpperCase()} ${path}`
        expect(markdown).toContain(`\n### ${name}\n`)
        expect(markdown).toContain(`| \`${name}\` |`)
      }
    }
  })

  test('the parameters of lists and the fields of bodies stand on the page of endpoints', async () => {
    const markdown = await read('/docs/endpoints.md')
    const chapter = (name: string) => markdown.split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? ''
    const { schemas } = api.openApi.components as { schemas: Record<string, { properties?: object }> }
    const fieldsOf = (name: string) => Object.keys(schemas[name]?.properties ?? {})
    for (const [name, fields] of Object.entries({
      'POST /v1/post-sets': fieldsOf('PostSetCreate'),
      'POST /v1/notes': fieldsOf('NoteCreate'),
      'POST /v1/media-upload': fieldsOf('MediaUploadCreate'),
      'POST /v1/post-sets/validate': fieldsOf('PostSetValidation'),
    })) {
      expect(fields.length, name).toBeGreaterThan(2)
      for (const field of fields) expect(chapter(name), `${name}: ${field}`).toContain(`\`${field}\``)
    }
    for (const path of ['/v1/post-sets', '/v1/notes', '/v1/social-sets', '/v1/media-library', '/v1/labels']) {
      const { parameters = [] } = (api.openApi.paths[path]?.get ?? {}) as { parameters?: { name: string }[] }
      expect(parameters.length, path).toBeGreaterThan(1)
      for (const { name } of parameters) expect(chapter(`GET ${path}`), path).toContain(`\`${name}\``)
    }
  })

  test('every field of what is answered is on the page of resources', async () => {
    const markdown = await read('/docs/resources.md')
    const { schemas } = api.openApi.components as { schemas: Record<string, { properties?: object }> }
    const chapters = {
      Note: 'Note',
      PostSet: 'Post set',
      SocialSet: 'Social set',
      ConnectedAccount: 'Social set',
      MediaLibraryItem: 'Media library item',
      MediaUpload: 'Media upload',
      Label: 'Label',
      PostMedia: 'Media item',
    }
    for (const [name, title] of Object.entries(chapters)) {
      const own = markdown.split(new RegExp(`\n## ${title}\n`))[1]?.split(/\n## /)[0] ?? ''
      const fields = Object.keys(schemas[name]?.properties ?? {})
      expect(fields.length, name).toBeGreaterThan(3)
      for (const field of fields) expect(own, name).toMatch(new RegExp(`[\`.]${field}[\`.[]`))
    }
  })

  test('every value of every closed list is reported', async () => {
    const lists = {
      resources: [
        ...contract.REASONS,
        ...contract.NOTE_COLORS,
        ...contract.NOTE_TYPES,
        ...contract.NOTE_SOURCES,
        ...contract.REPEAT_INTERVALS,
        ...contract.CONNECTION_STATUSES,
        ...contract.MEDIA_TYPES,
        ...contract.accountTypes,
        ...contract.networkFilters,
        ...contract.networkFieldNames,
      ],
      states: [...contract.POST_SET_STATUSES, ...contract.APPROVALS, ...contract.MEDIA_UPLOAD_STATUSES],
      authentication: contract.SCOPES,
      errors: Object.keys({ ...contract.ERRORS, ...contract.POST_PROBLEMS, ...contract.MEDIA_UPLOAD_ERRORS }),
      limits: contract.PLAN_NAMES,
    }
    for (const [page, values] of Object.entries(lists)) {
      const markdown = await read(`/docs/${page}.md`)
      for (const value of values) expect(markdown, page).toContain(`\`${value}\``)
    }
  })

  test('numbers that are written in words are those of the contract', async () => {
    const { LIMITS, SHIPPED_PLANS } = contract
    const [limits, resources, endpoints, authentication] = await Promise.all(
      ['limits', 'resources', 'endpoints', 'authentication'].map((page) => read(`/docs/${page}.md`)),
    )
    expect(limits).toContain(`may send ${SHIPPED_PLANS.SCALE.requestsPerSecond} requests a second`)
    expect(limits).toContain(`come from: ${LIMITS.requestsPerSecondPerAddress} a second`)
    expect(limits).toContain(`may have ${LIMITS.pendingUploadsPerSocialSet} uploads`)
    expect(endpoints).toContain(`may have ${LIMITS.pendingUploadsPerSocialSet} uploads`)
    expect(endpoints).toContain(`of at most ${importerDefaults.maxBytes / 1024 ** 3} GiB`)
    const { idleBytes, idleMs, downloadMs } = importerDefaults
    const inOneLine = endpoints?.replaceAll('\n', ' ')
    expect(inOneLine).toContain(`send at least ${idleBytes / 1_000} kB in ${idleMs / 1_000} seconds`)
    expect(inOneLine).toContain(`within ${downloadMs / 3_600_000} hours`)
    expect(inOneLine).toContain(`at most ${LIMITS.picturePixels / 1e6} million pixels`)
    expect(inOneLine).toContain(`at most ${LIMITS.pictureDecodedBytes / 1e6} MB of memory`)
    expect(endpoints).toContain(`at most ${LIMITS.noteRangeDays} days`)
    expect(endpoints).toContain(`at least ${LIMITS.searchCodePoints} characters`)
    expect(resources).toContain(`${LIMITS.postSetOccurrences.min} to ${LIMITS.postSetOccurrences.max} for post sets`)
    expect(resources).toContain(`${LIMITS.noteOccurrences.min} to ${LIMITS.noteOccurrences.max} for notes`)
    expect(resources).toContain(`${LIMITS.postsPerSet.min} to ${LIMITS.postsPerSet.max} [posts]`)
    expect(authentication).toContain(`${LIMITS.activeKeysPerAccount} active keys`)
  })

  test('a page of a code says with which status it comes and who answers it', async () => {
    const markdown = await read('/docs/errors/post-set:version_conflict.md')
    expect(markdown).toContain('`412`')
    expect(all(markdown, /- \[([^\]]+)\]/g).toSorted()).toEqual([
      'DELETE /v1/post-sets/{id}',
      'PATCH /v1/post-sets/{id}',
    ])
    expect(await read('/docs/errors/internal:error')).toContain('Every operation')
    const section = 'docs/endpoints.md#sending-a-request-again'
    for (const code of ['service:unavailable', 'request:in_progress', 'request:idempotency_key_reused']) {
      expect(await read(`/docs/errors/${code}.md`), code).toContain(section)
    }
    expect(await read('/docs/errors')).toContain('href="/docs/errors/post-set:version_conflict"')
  })
})

test('the description of the API is sent again only when it has changed', async () => {
  const first = await api.request('GET', '/openapi.json')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  const again = await api.request('GET', '/openapi.json', { headers: { 'if-none-match': etag } })
  expect([again.status, again.body]).toEqual([304, ''])
  const other = await api.request('GET', '/openapi.json', { headers: { 'if-none-match': '"other"' } })
  expect([other.status, other.headers.get('etag'), other.body.openapi]).toEqual([200, etag, '3.1.0'])
})

test('pictures of a page are there, each with words that say what it shows', async () => {
  const html = await read('/docs/dashboard')
  const pictures = [...html.matchAll(/<img src="([^"]+)" alt="([^"]{20,})"/g)]
  expect(pictures.length).toBeGreaterThan(5)
  expect(pictures.length).toBe(html.split('<img').length - 1)
  for (const [, src = ''] of pictures) {
    const address = `/docs/${src}`
    const { status, headers } = await api.request('GET', address, { key: null })
    expect([status, headers.get('content-type')], address).toEqual([200, 'image/png'])
  }
  expect(await read('/docs/dashboard.md')).not.toContain('<!--')
})
