import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createUrlSigner } from './signed-urls.ts'

const HOUR = 3_600_000
const secret = randomBytes(32)
const signer = createUrlSigner({ publicUrl: 'https://media.example', secrets: [secret] })
const path = { id: '0198c0de-0000-7000-8000-000000000001', variant: 'original.jpg' }
const noon = new Date('2026-11-21T12:00:00.000Z')

function queryOf(url: string) {
  return Object.fromEntries(new URL(url).searchParams)
}
function verify(query: Record<string, unknown>, now = noon) {
  return signer.verify(path.id, path.variant, query, now)
}

describe('sign', () => {
  it('makes an absolute ASCII address of the stated shape', () => {
    const url = signer.sign(path, 48, noon)
    expect(url).toMatch(/^https:\/\/media\.example\/media\/[0-9a-f-]{36}\/original\.jpg\?e=\d+&s=[A-Za-z0-9_-]{43}$/)
    expect(new URL(url).href).toBe(url)
  })

  it.each([
    ['https://example.com/', 'https://example.com/media/'],
    ['https://example.com/calendar', 'https://example.com/calendar/media/'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/media/'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example/media/'],
  ])('stands below %s', (publicUrl, start) => {
    expect(
      createUrlSigner({ publicUrl, secrets: [secret] })
        .sign(path, 48, noon)
        .startsWith(start),
    ).toBe(true)
  })

  it('shape-48: gives the same answer all day, and another one the next day', () => {
    const morning = signer.sign(path, 48, new Date('2026-11-21T00:00:00.001Z'))
    expect(signer.sign(path, 48, new Date('2026-11-21T23:59:59.999Z'))).toBe(morning)
    expect(signer.sign(path, 48, new Date('2026-11-22T00:00:00.001Z'))).not.toBe(morning)
  })

  it.each([48, 72] as const)('shape-47: is valid for %i hours at least and a day more at most', (hours) => {
    for (const now of ['2026-11-21T00:00:00.000Z', '2026-11-21T12:34:56.789Z', '2026-11-21T23:59:59.999Z']) {
      const signedAt = new Date(now)
      const query = queryOf(signer.sign(path, hours, signedAt))
      const verifyAfter = (ms: number) => verify(query, new Date(signedAt.getTime() + ms))
      expect(verifyAfter(hours * HOUR - 1)).toBe('ok')
      expect(verifyAfter((hours + 24) * HOUR)).toBe('expired')
    }
  })

  it.each(['', '..', '.', 'a/b', 'a b', 'ü', 'a?b', `a${'b'.repeat(100)}`])('refuses the part %j', (part) => {
    expect(() => signer.sign({ ...path, id: part }, 48, noon)).toThrow(TypeError)
    expect(() => signer.sign({ ...path, variant: part }, 48, noon)).toThrow(TypeError)
    expect(signer.verify(part, path.variant, queryOf(signer.sign(path, 48, noon)), noon)).toBe('invalid')
  })
})

describe('verify', () => {
  const query = queryOf(signer.sign(path, 48, noon))

  it('takes what was signed', () => {
    expect(verify(query)).toBe('ok')
  })

  it('refuses every change', () => {
    expect(signer.verify(`${path.id.slice(0, -1)}2`, path.variant, query, noon)).toBe('invalid')
    expect(signer.verify(path.id, 'thumbnail', query, noon)).toBe('invalid')
    expect(verify({ ...query, e: String(Number(query.e) + 86_400) })).toBe('invalid')
    expect(verify({ ...query, e: `0${query.e}` })).toBe('invalid')
    const { s = '' } = query
    for (let at = 0; at < s.length; at++) {
      const letter = s[at] === 'A' ? 'B' : 'A'
      expect(verify({ ...query, s: s.slice(0, at) + letter + s.slice(at + 1) })).toBe('invalid')
    }
  })

  it('refuses a change that is made up for in the next part', () => {
    const shifted = queryOf(signer.sign({ id: 'ab', variant: 'c' }, 48, noon))
    expect(signer.verify('ab', 'c', shifted, noon)).toBe('ok')
    expect(signer.verify('a', 'bc', shifted, noon)).toBe('invalid')
  })

  it.each([
    {},
    { e: '1' },
    { s: 'x' },
    { e: ['1'], s: ['x'] },
    { e: 1, s: 2 },
    { e: '-1', s: 'x' },
    { e: '1e9', s: 'x' },
  ])('refuses the query %j', (broken) => {
    expect(verify(broken)).toBe('invalid')
    expect(verify({ ...query, ...broken })).not.toBe(Object.keys(broken).length ? 'ok' : 'invalid')
  })

  it('calls an address expired only when it was ours', () => {
    const later = new Date(noon.getTime() + 100 * 24 * HOUR)
    expect(verify(query, later)).toBe('expired')
    expect(verify({ ...query, s: 'A'.repeat(43) }, later)).toBe('invalid')
  })

  it('depends on the secret', () => {
    const other = createUrlSigner({ publicUrl: 'https://media.example', secrets: [randomBytes(32)] })
    expect(other.verify(path.id, path.variant, query, noon)).toBe('invalid')
  })

  it('takes what an older secret has signed, and signs with the first', () => {
    const secrets = [randomBytes(32), secret] as const
    const both = createUrlSigner({ publicUrl: 'https://media.example', secrets })
    expect(both.verify(path.id, path.variant, query, noon)).toBe('ok')
    const alone = createUrlSigner({ publicUrl: 'https://media.example', secrets: [secrets[0]] })
    expect(both.sign(path, 48, noon)).toBe(alone.sign(path, 48, noon))
  })
})
