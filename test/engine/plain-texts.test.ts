import { expect, onTestFinished, test } from 'vitest'
import type { AccountType } from '#contract'
import type { Connector, Network } from '#networks'
import { newMark, openTwinStage, SAMPLES } from '../_util/engine/twin-stage.ts'

/** Control characters stay on the way to a network, and a post that went out with them is looked for as it was sent. */

const ODD = 'First line\u000bsecond\u0001 line'
const PLAIN = 'First line\nsecond line'

/** A network whose texts go out as they came, as those of a version before did, until `isOld` is false. */
function upgraded() {
  const version = { isOld: false }
  const network = (real: Network): Network => {
    const old: Connector['wordsOf'] = (post, setting) =>
      Object.fromEntries(
        Object.entries(real.connector.wordsOf(post, setting)).map(([name, text]) => [name, text.replace(PLAIN, ODD)]),
      )
    return {
      ...real,
      connector: { ...real.connector, wordsOf: (...given) => (version.isOld ? old : real.connector.wordsOf)(...given) },
    }
  }
  return { version, network }
}

/** Photos on TikTok are in no listing that tells. */
const TYPES = Object.keys(SAMPLES).filter((type) => type !== 'TIKTOK') as AccountType[]

test.each(TYPES)('shape-70: %s', async (accountType) => {
  const { version, network } = upgraded()
  const stage = await openTwinStage(accountType, network)
  onTestFinished(() => stage.close())
  const expectOnce = async ([set, mark]: readonly [string, string], text: string) => {
    const held = await stage.ledger(mark)
    expect(held).toMatchObject([{ text: expect.stringContaining(text) }])
    const { results } = await stage.engine.set(set)
    expect(results).toMatchObject([{ status: 'POSTED', providerId: held[0]?.id }])
  }
  const send = async (answer: 'answered' | 'lost') => {
    const mark = newMark()
    return [await stage.schedule(`${ODD} ${mark}`, answer), mark] as const
  }
  const sent = await send('answered')
  const lost = await send('lost')
  version.isOld = true
  const before = await send('lost')
  version.isOld = false
  await stage.settle()
  await expectOnce(sent, PLAIN)
  await expectOnce(lost, PLAIN)
  await expectOnce(before, ODD)
})
