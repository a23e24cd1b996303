import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import type { Config } from '#config'
import { SECRET_BOX } from '../../test/_util/api/connections.ts'
import { startAlertReceiver } from '../../test/_util/networks/alert-receiver.ts'
import { startFileServer } from '../../test/_util/networks/file-server.ts'
import { openReceiver } from './alerts.ts'
import { openMedia } from './media.ts'

const gate = { through: (dispatcher: Dispatcher) => dispatcher }

test.each([
  ['https://almanac.example.com', 'Almanac/0.1 (+https://almanac.example.com)'],
  ['http://192.168.0.5:4010', 'Almanac/0.1'],
])(
  'hosts that people name are told who asks, and where that is when they can go there: %s',
  async (publicUrl, agent) => {
    const [server, alerts] = [await startFileServer(), await startAlertReceiver()]
    const dataDir = await mkdtemp(join(tmpdir(), 'almanac-who-asks-'))
    const settings = {
      dataDir,
      publicUrl,
      alertUrl: alerts.url,
      trustedFetchHosts: [server.host],
      sandbox: { on: false },
    }
    const config = settings as unknown as Config
    const media = openMedia(config, SECRET_BOX, { publicUrl, sandboxUrl: '' }, { gate })
    const receiver = openReceiver(config, SECRET_BOX, gate)
    try {
      let seen: unknown
      const url = server.on('/file', (request, response) => {
        seen = request.headers['user-agent']
        response.end('file')
      })
      const limits = { signal: AbortSignal.timeout(10_000), maxBytes: 100, timeoutMs: 10_000, idleTimeoutMs: 10_000 }
      const found = await media.fetch.download(url, limits)
      if (found.kind === 'ok') found.stream.destroy()
      expect(seen).toBe(agent)
      await receiver?.post({ id: 'a' } as never, AbortSignal.timeout(10_000))
      expect(alerts.received[0]?.headers['user-agent']).toBe(agent)
    } finally {
      await Promise.all([media.fetch.close(), receiver?.close(), server.close(), alerts.close()])
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
