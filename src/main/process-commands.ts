import { examine, runAgent, runProcess, withOperator } from '../app.ts'
import type { Command } from './command.ts'

/** A process that runs until it is asked to stop. */
function processCommand(name: 'up' | 'api' | 'worker' | 'sandbox', summary: string): Command {
  return {
    name,
    usage: '',
    summary,
    async run(_given, stop) {
      await runProcess(name, stop)
      return null
    },
  }
}

export const processCommands: readonly Command[] = [
  processCommand('up', 'Runs everything in one process: database, API, publisher and sandbox.'),
  processCommand('api', 'Runs the API alone.'),
  processCommand('worker', 'Runs the publisher and the imports alone.'),
  processCommand('sandbox', 'Runs only the simulated networks.'),
  {
    name: 'migrate',
    usage: '',
    summary: 'Migrates the database to this version. `up`, `api` and `worker` do it too.',
    async run(_given, stop) {
      const outcome = { data: { migrated: true }, text: 'The database matches this version.' }
      return withOperator(async () => outcome, stop)
    },
  },
  {
    name: 'mcp',
    usage: '',
    summary: 'Forwards an agent on standard input to ALMANAC_URL, with ALMANAC_KEY.',
    async run(_given, stop) {
      await runAgent(stop)
      return null
    },
  },
  {
    name: 'doctor',
    usage: '',
    summary: 'Says what is wrong with this installation, and what to do.',
    async run() {
      const findings = await examine((message) => void process.stderr.write(`almanac: ${message}\n`))
      const well = findings.every(({ status }) => status !== 'problem')
      const marks = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' }
      const lines = findings.map(({ status, message }) => `${marks[status]}  ${message}`)
      const verdict = well ? 'Nothing is wrong.' : 'Something is wrong: see above.'
      return { data: { ok: well, findings }, text: [...lines, verdict].join('\n'), exitCode: well ? 0 : 1 }
    },
  },
]
