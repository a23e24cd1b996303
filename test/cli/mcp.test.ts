import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentOf, ERAS, negotiation } from '../_util/api/agents.ts'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { runAlmanac } from '../_util/processes/app.ts'

/** `almanac mcp`: an agent that starts a program in place of asking an address. */

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

describe.each(ERAS)('over the %s era of the protocol', (era) => {
  test('an agent on standard input has the tools of its key', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '../../src/main.ts'), 'mcp'],
      env: { ALMANAC_URL: `${api.url}/`, ALMANAC_KEY: api.key },
    })
    const client = new Client({ name: 'tests', version: '1.0.0' }, negotiation(era))
    await client.connect(transport)
    await using agent = agentOf(client)
    expect(client.getProtocolEra()).toBe(era)
    expect(await agent.tools()).toContain('schedule_post_set')
    const made = await agent.call('create_draft', {
      socialSetId: api.socialSetId,
      scheduledAt: '2031-05-01T10:00:00Z',
      posts: [BLUESKY_POST],
    })
    const whole = { id: made.id, version: made.version, postIds: [made.posts[0].id] }
    expect(await agent.call('schedule_post_set', whole)).toMatchObject({ status: 'SCHEDULED' })
    expect((await agent.refused('schedule_post_set', whole)).more.code).toBe('post-set:version_conflict')
  })
})

test('a wrong key is said in words', async () => {
  const client = new Client({ name: 'tests', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../src/main.ts'), 'mcp'],
    env: { ALMANAC_URL: api.url, ALMANAC_KEY: 'alm_wrong' },
  })
  await expect(client.connect(transport)).rejects.toThrow('The API key is unknown, disabled or revoked.')
  await client.close()
})

test('without an address or a key it does not begin', async () => {
  const { stderr, code } = await runAlmanac(['mcp'], { settings: {} })
  expect([code, stderr]).toEqual([1, expect.stringContaining('ALMANAC_URL is missing')])
})
