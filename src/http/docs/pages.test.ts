import { expect, test } from 'vitest'
import { SHIPPED_PLANS } from '#contract'
import { loadNetworks, networksOf } from '#networks'
import { slugOf, table } from './markdown.ts'
import { openDocs } from './pages.ts'
import { renderMarkdown } from './render.ts'

const nothing = { info: {}, paths: {}, components: { schemas: {}, headers: {} } }

test('below the path of a proxy, all addresses begin with it', async () => {
  const docs = openDocs({
    publicUrl: 'https://example.test/almanac',
    plans: SHIPPED_PLANS,
    networks: networksOf([]),
    openApi: () => nothing,
  })
  const page = await docs.page('states')
  const hrefs = [...(page?.html ?? '').matchAll(/href="([^"#]+)/g)].map(([, href = '']) => href)
  expect(hrefs.length).toBeGreaterThan(20)
  expect(hrefs.filter((href) => !/^\/almanac\/docs(\/|$)/.test(href))).toEqual([])
  expect(page?.html).toContain('href="/almanac/docs/errors#what-is-wrong-with-posts"')
  expect(page?.markdown).toContain('](/almanac/docs/errors.md#what-is-wrong-with-posts)')
  expect(docs.llms()).toContain('](https://example.test/almanac/docs/states.md)')
})

test('plans are those of the installation', async () => {
  const plans = { ...SHIPPED_PLANS, FREE: { ...SHIPPED_PLANS.FREE, monthlyPosts: 77_777 } }
  const page = await openDocs({
    publicUrl: 'https://example.test',
    plans,
    networks: networksOf([]),
    openApi: () => nothing,
  }).page('limits')
  expect(page?.markdown).toContain('| 77,777 |')
})

test('pages of networks lead through the dashboard, and name all kinds of files that a post may have', async () => {
  const docs = openDocs({
    publicUrl: 'https://example.test',
    plans: SHIPPED_PLANS,
    networks: await loadNetworks(),
    openApi: () => nothing,
  })
  const linkedin = (await docs.page('networks/linkedin'))?.markdown
  expect(linkedin).toContain('_Settings › Network apps_ open _LinkedIn')
  expect(linkedin?.match(/^## .*/gm)?.[0]).toBe('## In the dashboard')
  expect((await docs.page('networks/bluesky'))?.markdown).not.toContain('Network apps')
  expect((await docs.page('networks'))?.markdown).toContain('none, or up to 20 images, 1 video or 1 PDF')
})

test('a page is made once', async () => {
  const docs = openDocs({
    publicUrl: 'https://example.test',
    plans: SHIPPED_PLANS,
    networks: networksOf([]),
    openApi: () => nothing,
  })
  expect(await docs.page('events')).toBe(await docs.page('events'))
  expect(await docs.page('nothing')).toBeNull()
})

test('HTML in a page is shown as text, and headings of one name have places of their own', () => {
  const { html, headings } = renderMarkdown(
    '# A <b>\n\n## `x` & y\n\n## `x` & y\n\n<script>1</script>\n\n`<i>`',
    () => null,
  )
  expect(html).not.toMatch(/<script|<i>|<b>/)
  expect(headings).toEqual([
    { depth: 1, id: 'a-b', text: 'A <b>' },
    { depth: 2, id: 'x--y', text: 'x & y' },
    { depth: 2, id: 'x--y-1', text: 'x & y' },
  ])
})

test('a code in backticks leads to its page, unless it is in a link or a heading', () => {
  const pageOf = (code: string) => (code === 'a:b' ? '/docs/errors/a:b' : null)
  const { html } = renderMarkdown('## `a:b`\n\n[`a:b`](/x) and `a:b` and `c`', pageOf)
  expect(html.match(/href="[^"#]+"/g)).toEqual(['href="/x"', 'href="/docs/errors/a:b"'])
})

test('anchors are those of git hosts, and cells keep their pipes', () => {
  expect(slugOf('PATCH /v1/post-sets/{id}')).toBe('patch-v1post-setsid')
  expect(table(['A'], [['x | y\nz']])).toBe('| A |\n| --- |\n| x \\| y z |')
})
