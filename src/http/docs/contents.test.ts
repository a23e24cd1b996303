import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

/** From so many lines on a page says what it has, for those who read it where pages have no list of sections at the side. */
const LONG = 150
const root = join(import.meta.dirname, '../../../docs')
const files = (await readdir(root, { recursive: true }))
  .filter((file) => file.endsWith('.md') && !file.startsWith('decisions/'))
  // Written whole by test/conformance.
  .filter((file) => file !== 'conformance.md')
const pages = await Promise.all(files.map(async (file) => ({ file, text: await readFile(join(root, file), 'utf8') })))

const MARKED = /<!-- contents -->[\s\S]*?<!-- end -->\n+/

/** The page with a list of its sections right before the first one. */
function withContents(text: string): string {
  const bare = text.replace(MARKED, '')
  const sections = renderMarkdown(bare, () => null).headings.filter(({ depth }) => depth === 2)
  const list = sections.map((section) => `[${section.text}](#${section.id})`).join(' ·\n')
  return bare.replace(/^## /m, `<!-- contents -->\n${list}\n<!-- end -->\n\n## `)
}

test.each(pages.filter(({ text }) => text.split('\n').length > LONG))(
  '$file begins with what it has',
  async ({ file, text }) => {
    // `npx vitest run src/http/docs/contents -u` writes it.
    await expect(withContents(text)).toMatchFileSnapshot(join(root, file))
  },
)

test('no shorter page does', () => {
  const short = pages.filter(({ text }) => text.split('\n').length <= LONG)
  expect(short.filter(({ text }) => MARKED.test(text)).map(({ file }) => file)).toEqual([])
})
