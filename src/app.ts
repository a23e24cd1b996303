import type * as Backup from './app/backup.ts'
import type { Stop } from './app/begin.ts'
import type * as Demo from './app/demo.ts'
import type { Finding } from './app/finding.ts'
import type { Operator } from './app/operator.ts'

export type { Operator, Stop }

/**
 * The only file that knows every room, with the folder of the same name behind it. Each part is loaded when it is asked
 * for: a command that needs little starts fast.
 */
export async function runProcess(name: 'up' | 'api' | 'worker' | 'sandbox', stop: Stop): Promise<void> {
  const { processes } = await import('./app/processes.ts')
  await processes[name](stop)
}

/** Opens the installation for one command of the operator. `stop` ends a wait for tables that are in use. */
export async function withOperator<T>(work: (operator: Operator) => Promise<T>, stop?: Stop): Promise<T> {
  const room = await import('./app/operator.ts')
  return room.withOperator(work, stop)
}

/** Why the database cannot be used at the moment, as one sentence; null when the error is about something else. */
export async function databaseFaultOf(error: unknown): Promise<string | null> {
  const { databaseFault } = await import('#persistence')
  return databaseFault(error)
}

/** Forwards what an agent says on standard input to the installation that the settings name. */
export async function runAgent(stop: Stop): Promise<void> {
  const room = await import('./app/agent.ts')
  return room.runAgent(stop)
}

/** Looks at everything that an installation stands on. `progress` hears of what takes long. */
export async function examine(progress: (message: string) => void): Promise<Finding[]> {
  const room = await import('./app/doctor.ts')
  return room.examine(progress)
}

/** Gives the demo account another key and its owner another password. */
export async function resetDemo(operator: Operator, options: { prints: boolean }): ReturnType<typeof Demo.resetDemo> {
  const room = await import('./app/demo.ts')
  return room.resetDemo(operator, options)
}

/** Backs up this installation. */
export async function backUp(...given: Parameters<typeof Backup.backUp>): ReturnType<typeof Backup.backUp> {
  const room = await import('./app/backup.ts')
  return room.backUp(...given)
}

/** Restores a backup into this installation. */
export async function restore(...given: Parameters<typeof Backup.restore>): ReturnType<typeof Backup.restore> {
  const room = await import('./app/backup.ts')
  return room.restore(...given)
}

/** Looks whether a backup would help. */
export async function verifyBackup(
  ...given: Parameters<typeof Backup.verifyBackup>
): ReturnType<typeof Backup.verifyBackup> {
  const room = await import('./app/backup.ts')
  return room.verifyBackup(...given)
}
