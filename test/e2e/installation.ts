import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** Almanac with data of its own, as `npm start` runs it, and the operator's command beside it. */
export interface Installation {
  url: string
  almanac: RunningAlmanac
  command<T>(args: readonly string[], options?: { input?: string }): Promise<T>
  stop(): Promise<void>
}

/** With `shippedPlans`, an account has the rate that users have. */
export async function startInstallation(
  settings: Settings,
  { shippedPlans = false, projectDir }: { shippedPlans?: boolean; projectDir?: string } = {},
): Promise<Installation> {
  const data = await makeDataDir()
  const all: Settings = {
    ALMANAC_DATA_DIR: data.path,
    ALMANAC_PORT: await freePort(),
    ...(shippedPlans ? {} : await withAnyRate(data.path)),
    ...settings,
  }
  const checkout = projectDir === undefined ? {} : { projectDir }
  const almanac = await startAlmanac({ settings: all, ...checkout })
  return {
    url: almanac.url,
    almanac,
    command: (args, options = {}) => almanacJson(args, { settings: all, ...checkout, ...options }),
    async stop() {
      await almanac.stop()
      await data.remove()
    },
  }
}
