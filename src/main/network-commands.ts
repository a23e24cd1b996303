import { createInterface } from 'node:readline'
import { reportText } from './network-report.ts'
import { flag, operatorCommand, text } from './operator-command.ts'
import { InterruptedError } from './read-password.ts'

/** The command that checks a network for what only a real account can show. */
export const networkCommands = [
  operatorCommand(
    {
      name: 'networks check',
      positionals: ['network'],
      usage: 'NETWORK [--connection ID] [--media ID] [--publish]',
      summary:
        'Checks with a connected account whether a network answers as documented: reads, and renews the sign-in. A test post, with a file of the media library if --media is given, is published and deleted only after you confirm, or with --publish.',
      options: { connection: text, media: text, publish: flag },
    },
    async (operator, given) => {
      const outbound = await operator.openNetworks()
      const progress = (line: string) => void process.stderr.write(`almanac: ${line}\n`)
      const report = await operator.operations.checkNetwork(
        { ...operator, ...outbound, now: () => new Date(), mediaSources: await operator.openMediaSources() },
        {
          network: given.positional('network'),
          connectionId: given.optional('connection'),
          mediaId: given.optional('media'),
          mayPublish: (question) => mayPublish(question, given.flag('publish')),
          progress,
        },
      )
      const differing = report.steps.some(({ result }) => result === 'differs')
      return { data: report, text: reportText(report), exitCode: differing ? 1 : 0 }
    },
  ),
]

const DECLINED = 'Publishing was declined.'

/** True, or a sentence why not. Only a person at a terminal is asked. */
async function mayPublish(question: string, said: boolean): Promise<true | string> {
  if (said) return true
  if (!process.stdin.isTTY) return 'Nothing is published without --publish where no one can be asked.'
  // Standard output may go to a file.
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    process.stderr.write(`${question} [y/N] `)
    return await new Promise<true | string>((resolve, reject) => {
      lines.once('line', (answer) => resolve(/^y(es)?$/i.test(answer.trim()) ? true : DECLINED))
      lines.once('close', () => resolve(DECLINED))
      lines.once('SIGINT', () => reject(new InterruptedError('Nothing was published.')))
    })
  } finally {
    lines.close()
  }
}
