import type { Command } from './command.ts'
import { operatorCommand } from './operator-command.ts'

/** The commands for the receiver of alerts. */
export const alertCommands: readonly Command[] = [
  operatorCommand(
    {
      name: 'alerts test',
      usage: '',
      summary: 'Sends one test alert to ALMANAC_ALERT_URL and shows what came back.',
    },
    async (operator) => {
      const tested = await operator.sendTestAlert()
      const verdict = tested.taken ? 'The test alert was accepted.' : 'The test alert was not accepted.'
      return { data: tested, text: `${verdict} ${tested.message}`, exitCode: tested.taken ? 0 : 1 }
    },
  ),
  operatorCommand(
    {
      name: 'alerts key',
      usage: '',
      summary: 'Shows the key for verifying signatures of alerts, in hex.',
    },
    async (operator) => {
      const key = operator.alertKey()
      return { data: { key }, text: key }
    },
  ),
]
