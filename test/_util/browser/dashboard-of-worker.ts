import { SCOPES } from '#contract'
import { almanacJson } from '../processes/app.ts'
import { freePort } from '../processes/ports.ts'
import { reportGone, untilWorkersEnd } from '../run/worker-end.ts'
import { type Dashboard, type DashboardBrowser, type DashboardServer, dashboardOf, startServer } from './dashboard.ts'

/** One for all files of tests of this process. */
let running: Promise<DashboardServer> | undefined

async function serverOfWorker(): Promise<DashboardServer> {
  running ??= start()
  try {
    return await running
  } catch (error) {
    running = undefined
    throw error
  }
}

async function start(): Promise<DashboardServer> {
  // Commands find the simulators by the port that is set.
  const server = await startServer({ ALMANAC_PORT: await freePort() })
  let asked = false
  untilWorkersEnd(() => {
    asked = true
    return server.stop()
  })
  void server.almanac.ended.then(({ code, stderr }) => {
    if (asked) return
    // The file of now fails; those that follow get another one.
    running = undefined
    const { signalCode } = server.almanac.process
    reportGone(`The server of ${server.almanac.url} ended by itself with ${signalCode ?? code}: ${lastOf(stderr)}`)
  })
  return server
}

/**
 * An account like the demo's on the server that files of tests share, for one file: an empty calendar, a brand in Europe/Berlin
 * on the simulators, an owner who operates the installation, and a key that may do everything. Files that need settings, a clock
 * or limits of their own start a server by `startDashboard`. Call it in beforeAll.
 */
export async function joinDashboard(browser: DashboardBrowser): Promise<Dashboard> {
  const server = await serverOfWorker()
  const { settings } = server
  const command = <T>(...args: string[]) => almanacJson<T>(args, { settings })
  const made = await command<{ accountId: string; ownerEmail: string; ownerPassword: string; socialSetId: string }>(
    ...['accounts', 'create', '--name', 'Demo', '--timezone', 'Europe/Berlin', '--sandbox'],
  )
  const { key } = await command<{ key: string }>(
    ...['keys', 'create', '--account', made.accountId, '--name', 'Demo key', '--scopes', SCOPES.join(',')],
  )
  await command('users', 'operator', made.ownerEmail)
  const owner = { email: made.ownerEmail, password: made.ownerPassword }
  const ofAll = () =>
    Promise.reject(new Error('The server is of other files of tests too: start one by startDashboard.'))
  return dashboardOf(browser, { ...server, start: ofAll, stop: async () => {} }, { ...made, key, owner })
}

/** On one line, as lists of failures have it. */
const lastOf = (log: string) => log.slice(-400).replaceAll('\n', ' ')
