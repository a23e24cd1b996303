import { processEnvironment, readAgentSettings } from '#config'
import type { Stop } from './begin.ts'
import { forwardAgent } from './forward-agent.ts'

/** Stands between an agent that starts a program and an installation that it names. Standard output is the agent's. */
export async function runAgent({ graceful }: Stop): Promise<void> {
  const { url, key } = readAgentSettings(processEnvironment())
  await forwardAgent({ url, key, input: process.stdin, output: process.stdout, stop: graceful })
}
