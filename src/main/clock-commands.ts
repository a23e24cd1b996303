import type { Command } from './command.ts'
import { operatorCommand } from './operator-command.ts'

/** The command for a clock that has jumped. */
export const clockCommands: readonly Command[] = [
  operatorCommand(
    {
      name: 'clock believe',
      usage: '',
      summary:
        'After a clock jump: confirms that the new time of the database is right, so that posts follow it from now on.',
    },
    async (operator) => {
      const { time } = await operator.operations.believeClock(operator)
      return { data: { time }, text: `Workers trust the clock of the database within a second: it is ${time}.` }
    },
  ),
]
