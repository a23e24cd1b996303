import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AccountType } from '#contract'
import type { Connector, Network } from '#networks'
import { newMark, openTwinStage, SAMPLES } from '../_util/engine/twin-stage.ts'
import { part } from '../_util/run/whole.ts'

/** A text that is changed on its way is looked for as it was sent, also when what changes it is new since then. */

/** A network that says `each` for `every` on its way, once it is `on`; those before said it as it was. */
function changing(): { on: boolean; network: (real: Network) => Network } {
  const switched = {
    on: true,
    network: (real: Network): Network => {
      const { wordsOf } = real.connector
      const changed: Connector['wordsOf'] = (post, setting) =>
        Object.fromEntries(
          Object.entries(wordsOf(post, setting)).map(([name, text]) => [name, text.replace('every', 'each')]),
        )
      const connector: Connector = {
        ...real.connector,
        wordsOf: (...given) => (switched.on ? changed : wordsOf)(...given),
        formerWordsOf: (post) => wordsOf(post, () => ''),
      }
      return { ...real, connector }
    },
  }
  return switched
}

/** Photos on TikTok and posts of people on LinkedIn are in no listing that tells; the latter are made again to the letter. */
const TYPES = Object.keys(SAMPLES).filter((type) => type !== 'TIKTOK') as AccountType[]

describe.each(part(TYPES, 4))('%s', (accountType) => {
  async function start() {
    const change = changing()
    const stage = await openTwinStage(accountType, change.network)
    onTestFinished(() => stage.close())
    const mark = newMark()
    async function expectOnce(words: string) {
      await stage.settle()
      const held = await stage.ledger(mark)
      expect(held).toMatchObject([{ text: expect.stringContaining(words) }])
      const { results } = await stage.engine.set(set)
      expect(results).toMatchObject([{ status: 'POSTED', providerId: held[0]?.id }])
    }
    let set = ''
    const send = async () => {
      set = await stage.schedule(`Fresh bread every morning ${mark}`, 'lost')
    }
    return { change, stage, send, expectOnce }
  }

  test('words that were changed on their way are found', async () => {
    const { send, expectOnce } = await start()
    await send()
    await expectOnce('bread each morning')
  })

  test('and so are those that went out before there was such a change', async () => {
    const { change, send, expectOnce } = await start()
    change.on = false
    await send()
    change.on = true
    await expectOnce('bread every morning')
  })

  test('and those of a version that did not keep them', async () => {
    const { change, stage, send, expectOnce } = await start()
    change.on = false
    await send()
    await stage.engine.db
      .updateTable('deliveries')
      .set({ handles: sql`handles - 'words'`, words_key: null, identity_id: null })
      .execute()
    change.on = true
    await expectOnce('bread every morning')
  })
})
