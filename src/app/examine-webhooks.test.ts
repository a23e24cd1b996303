import { expect, test } from 'vitest'
import { examineWebhooks } from './examine-webhooks.ts'

const well = { open: 3, failing: 0, waiting: 0, days: 0, late: 0 }

test.each([
  [null, []],
  [well, [['ok', /^Events go to 3 webhooks\.$/]]],
  [
    { ...well, failing: 1, waiting: 20, days: 2 },
    [['warning', /^1 of 3 webhooks fail, the first one for 2 days: 20 events wait/]],
  ],
  [{ ...well, late: 7 }, [['warning', /^7 events are not sent/]]],
] as const)('%j', (faults, expected) => {
  const found = examineWebhooks(faults)
  expect(found.map(({ status }) => status)).toEqual(expected.map(([status]) => status))
  for (const [at, [, words]] of expected.entries()) expect(found[at]?.message).toMatch(words)
})
