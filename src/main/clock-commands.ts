import type { Command } from './command.ts'
import { operatorCommand } from './operator-command.ts'

/** The command for a clock that has jumped. */
export const clockCommands: readonly Command[] = [
  operatorCommand(
    {
      name: 'clock believe',
      usage: '',
      summary: 'After a jump of the clock: the new time of the database is right, and posts go out by it from now on.',
    },
    async (operator) => {
      const { time } = await operator.operations.believeClock(operator)
      return { data: { time }, text: `Workers believe the clock of the database within a second: it is ${time}.` }
    },
  ),
]
