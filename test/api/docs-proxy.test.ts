import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#config'
import { LIMITS } from '#contract'

const page = await readFile(join(import.meta.dirname, '../../docs/proxy.md'), 'utf8')
const { port, keepAliveMs } = readConfig({}, { projectDir: '/', networkSettings: [] })

/** Every line of an example without comments and ends of lines, by its first word. */
function directives(language: string): Map<string, string[]> {
  const [, example = ''] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  const lines = example.split('\n').map((line) => line.replace(/#.*|;\s*$/g, '').trim())
  const words = lines.filter((line) => line !== '').map((line) => line.split(/\s+/))
  const byName = Map.groupBy(words, ([name = '']) => name)
  return new Map([...byName].map(([name, all]) => [name, all.map(([, ...values]) => values.join(' '))]))
}
const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1])
const megabytes = (text = '') => Number(/^(\d+)m$/.exec(text)?.[1]) * 1024 ** 2
const longestSilence = Math.max(LIMITS.eventBeatSeconds, LIMITS.signInWaitSeconds)

test('the example for nginx does what the page demands', () => {
  const nginx = directives('nginx')
  expect(nginx.get('server')).toContain(`127.0.0.1:${port}`)
  expect(megabytes(nginx.get('client_max_body_size')?.[0])).toBeGreaterThan(LIMITS.bodyBytes)
  // Of the server, of uploads, and of calendars.
  expect(megabytes(nginx.get('client_max_body_size')?.at(-1))).toBeGreaterThan(LIMITS.calendarBytes + LIMITS.bodyBytes)
  expect(nginx.get('proxy_buffering')).toEqual(['off'])
  expect(nginx.get('proxy_http_version')).toEqual(['1.1'])
  for (const name of ['proxy_read_timeout', 'proxy_send_timeout']) {
    expect(seconds(nginx.get(name)?.[0]), name).toBeGreaterThanOrEqual(2 * longestSilence)
  }
  expect(2 * seconds(nginx.get('keepalive_timeout')?.[0])).toBeLessThanOrEqual(keepAliveMs / 1_000)
  expect(new Set(nginx.get('proxy_set_header'))).toEqual(
    new Set([
      'Connection ""',
      'Host $http_host',
      'X-Forwarded-For $remote_addr',
      'X-Forwarded-Proto $scheme',
      'X-Forwarded-Host ""',
      'Forwarded ""',
    ]),
  )
})

test('the example for Caddy does too', () => {
  const caddy = directives('caddy')
  expect(caddy.get('reverse_proxy')).toEqual([`127.0.0.1:${port} {`])
  // Caddy itself has no bound; what is over one that is set becomes a 502.
  expect(caddy.has('max_size')).toBe(false)
  expect(caddy.get('flush_interval')).toEqual(['-1'])
  for (const name of ['response_header_timeout', 'read_timeout', 'write_timeout']) {
    expect(seconds(caddy.get(name)?.[0]), name).toBeGreaterThanOrEqual(2 * longestSilence)
  }
  expect(2 * seconds(caddy.get('keepalive')?.[0])).toBeLessThanOrEqual(keepAliveMs / 1_000)
  expect(caddy.get('header_up')).toEqual(['-Forwarded'])
  expect(caddy.has('trusted_proxies')).toBe(false)
})

test('the page names the numbers that hold', () => {
  expect(page).toContain(`bodies of more than ${LIMITS.bodyBytes / 1024 ** 2} MiB`)
  expect(page).toContain(`a heartbeat every ${LIMITS.eventBeatSeconds} seconds`)
  expect(page).toContain(`a sign-in may wait up to ${LIMITS.signInWaitSeconds} seconds`)
})
