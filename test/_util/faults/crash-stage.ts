import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createSecretBox } from '#domain'
import { createDiskStore, createGuardedFetch } from '#media'
import { loadNetworks } from '#networks'
import { openPublicMedia } from '#operations'
import { openSandbox, type Sandbox } from '#sandbox'
import { urlSignerOf } from '../engine/worker.ts'
import { startPds } from '../networks/pds.ts'
import { createWall, type Wall } from '../networks/wall.ts'
import { openScene, type Scene, type SceneOptions, type Stage } from './crash-scene.ts'

/** The simulators, a media server and perhaps a real Bluesky server, for many scenes at once. */
export interface CrashStage {
  scene(options: SceneOptions): Promise<Scene>
  close(): Promise<void>
}

export async function openStage(options: { withServer?: boolean } = {}): Promise<CrashStage> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-crash-'))
  const mediaDir = join(folder, 'media')
  const store = createDiskStore({ dir: mediaDir })
  const photo = await store.putFile(join(import.meta.dirname, '../../_fixtures/photo.jpg'))
  const networks = await loadNetworks()
  const databases: Stage['databases'] = new Set()
  const secretKey = randomBytes(32).toString('base64')
  const wall = createWall()
  let sandbox: Sandbox | undefined
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/media/')) void serveMedia(request.url, response)
    else if (request.url?.startsWith('/wall/')) void serveWall(wall, request, response)
    else void sandbox?.handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = urlSignerOf({ secretKey, publicUrl })

  /** As the route of Almanac does it, over the databases of all scenes. */
  async function serveMedia(path: string, response: ServerResponse): Promise<void> {
    const url = new URL(path, publicUrl)
    const [, , id = '', variant = ''] = url.pathname.split('/')
    const query = Object.fromEntries(url.searchParams)
    for (const db of databases) {
      const opened = await openPublicMedia({ db, store, urls, pages: async () => null }, { id, variant, query }).catch(
        () => null,
      )
      if (!opened) continue
      response.writeHead(200, { 'content-type': opened.mimeType, 'content-length': opened.bytes })
      // A network that hangs up leaves no file open.
      const file = await opened.open()
      await pipeline(file, response).catch(() => file.destroy())
      return
    }
    response.writeHead(404).end()
  }

  const guarded = createGuardedFetch({ trustedHosts: [] })
  const own = createGuardedFetch({ trustedHosts: [new URL(publicUrl).host] })
  sandbox = openSandbox({
    networks,
    folder: join(folder, 'sandbox'),
    url: `${publicUrl}/sandbox`,
    publicUrl,
    keys: createSecretBox([Buffer.from(secretKey, 'base64')]).derive('sandbox'),
    files: { guarded, own, ownPrefix: `${publicUrl}/media/` },
    now: () => new Date(),
    onError: (error) => console.error(error),
  })
  const pds = options.withServer ? await startPds() : null
  const stage: Stage = {
    store,
    mediaDir,
    networks,
    databases,
    secretKey,
    sandbox,
    publicUrl,
    photo: photo.key,
    onServer: (await pds?.connect()) ?? null,
    wall,
  }
  return {
    scene: (options) => openScene(stage, options),
    async close() {
      sandbox?.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([pds?.stop(), guarded.close(), own.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function serveWall(wall: Wall, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const post = decodeURIComponent((request.url ?? '').slice('/wall/'.length))
  const answer = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.method === 'GET') return void answer(200, wall.read(post))
  const { text, behind } = (await json(request)) as { text: string; behind: string }
  answer(wall.write(post, text, behind) === null ? 409 : 201, {})
}
