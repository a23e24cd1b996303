import { afterEach, expect, test } from 'vitest'
import type { Approval } from '#contract'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

async function start(script: Script = {}) {
  const network = scriptedNetwork(script)
  const engine = await createEngine({ networks: [network] })
  engines.push(engine)
  /** A set whose time has come. */
  const due = async (set: { status?: 'DRAFT' | 'SCHEDULED'; approval?: Approval; locked_at?: Date }) => {
    const id = await engine.schedule()
    if (Object.keys(set).length > 0) await engine.db.updateTable('post_sets').set(set).where('id', '=', id).execute()
    return id
  }
  return { engine, network, due }
}

test('service-08, service-11, service-13, states-01: a draft is not published, with any approval and however late it is', async () => {
  const { engine, network, due } = await start()
  const approvals: Approval[] = ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED']
  const ids = []
  for (const approval of approvals) ids.push(await due({ status: 'DRAFT', approval }))
  for (const ms of [0, 60_000, 24 * 3_600_000]) {
    await engine.advance(ms)
    await engine.drain()
  }
  for (const id of ids) expect(await engine.set(id)).toEqual({ status: 'DRAFT', results: [null] })
  expect(network.calls).toEqual([])
})

test('service-08, service-12, publish-27: a scheduled set is published on time, with any approval', async () => {
  const { engine, due } = await start()
  const approvals: Approval[] = ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED']
  const ids = []
  for (const approval of approvals) ids.push(await due({ approval }))
  await engine.drain()
  for (const id of ids) {
    expect(await engine.set(id)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
  }
})

test('publish-21: a locked set is published on time', async () => {
  const { engine, due } = await start()
  const id = await due({ locked_at: new Date() })
  await engine.drain()
  expect(await engine.set(id)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
})

test('publish-14: a first comment that was refused is reported in history with the post', async () => {
  const { engine, due } = await start({
    comment: [{ kind: 'refused', reason: 'ACTION_BLOCKED', message: 'Comments are off.' }],
  })
  const id = await due({})
  await engine.drain()
  const { changes } = await engine.db
    .selectFrom('history')
    .select('changes')
    .where('post_set_id', '=', id)
    .where('action', '=', 'post published')
    .executeTakeFirstOrThrow()
  expect(changes).toMatchObject({
    result: { status: 'POSTED', warnings: [{ message: expect.stringContaining('Comments are off.') }] },
  })
})
