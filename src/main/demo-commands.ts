import { resetDemo } from '../app.ts'
import type { Command } from './command.ts'
import { fields, operatorCommand } from './operator-command.ts'

/** The command for the demo account that the first start creates. */
export const demoCommands: readonly Command[] = [
  operatorCommand(
    {
      name: 'demo reset',
      usage: '',
      summary:
        'Gives the demo account a new API key and its owner a new password; the old ones end. Without a terminal and without --json they are written to first-sign-in.json in the data directory.',
    },
    async (operator, given) => {
      const { secrets, file } = await resetDemo(operator, { prints: given.flag('json') })
      if (file === null) return fields(secrets)
      return { data: secrets, text: `The demo account's new key and its owner's new password are in ${file}` }
    },
  ),
]
