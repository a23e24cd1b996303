import { expect, onTestFinished, test } from 'vitest'
import { newMark, openTwinStage } from '../_util/engine/twin-stage.ts'

test.each([
  ['BLUESKY', '/post/'],
  ['THREADS', '/p/'],
  ['TWITTER', '/status/'],
] as const)(
  'the parts of a thread on %s go out below each other, and the result has the address of each',
  async (accountType, path) => {
    const stage = await openTwinStage(accountType)
    onTestFinished(() => stage.close())
    const { engine } = stage
    const mark = newMark()
    const set = await engine.schedule({ accountTypes: [accountType], caption: `One ${mark}` })
    const thread = [`Two ${mark}`, `Three ${mark}`].map((caption, nth) => ({ id: `part ${nth}`, caption }))
    const stored = { thread: JSON.stringify(thread) }
    await engine.db.updateTable('posts').set(stored).where('post_set_id', '=', set).execute()
    await engine.drain()
    await stage.settle()
    const held = await stage.ledger(mark)
    expect(held).toMatchObject([
      { text: `One ${mark}` },
      { text: `Two ${mark}`, replyTo: held[0]?.id },
      { text: `Three ${mark}`, replyTo: held[1]?.id },
    ])
    const { results } = await engine.set(set)
    const permalink = expect.stringContaining(path)
    expect(results).toMatchObject([
      {
        ...{ status: 'POSTED', providerId: held[0]?.id, permalink },
        thread: [
          { providerId: held[1]?.id, permalink },
          { providerId: held[2]?.id, permalink },
        ],
      },
    ])
  },
)
