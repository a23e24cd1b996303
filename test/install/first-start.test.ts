import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

test('the first start is said to take what it takes on a busy machine, by the README as well', async () => {
  const { INSTALLING } = (await import(pathToFileURL(join('scripts', 'install.mjs')).href)) as { INSTALLING: string }
  expect(INSTALLING).toContain('a minute or two')
  expect(await readFile('README.md', 'utf8')).toContain('The first `npm start` takes a minute or two')
})
