import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadNetworks } from './registry.ts'

test('networks that are given addresses of files say that they fetch them, and no others', async () => {
  for (const { manifest } of (await loadNetworks()).all) {
    const folder = join(import.meta.dirname, manifest.name)
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !/(\.test|simulator)/.test(name),
    )
    const gives = sources.some((name) => readFileSync(join(folder, name), 'utf8').includes('.url()'))
    expect({ [manifest.name]: manifest.fetchesMedia === true }).toEqual({ [manifest.name]: gives })
  }
})
