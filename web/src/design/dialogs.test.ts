import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const webSrc = join(import.meta.dirname, '..')

test("every dialog is one of ours: Mantine's own would all close at one Escape", () => {
  const others = readdirSync(webSrc, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(join('design', 'dialogs')))
    .filter((name) => {
      const imported = /import \{([^}]*)\} from '@mantine\/core'/.exec(readFileSync(join(webSrc, name), 'utf8'))?.[1]
      return /\b(Modal|Drawer)\b/.test(imported ?? '')
    })
  expect(others).toEqual([])
})
