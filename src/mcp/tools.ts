import type { KeyOf, Tool } from './tool.ts'
import { PUBLISHING } from './tools/publishing.ts'
import { READING } from './tools/reading.ts'
import { WRITING } from './tools/writing.ts'

const TOOLS: readonly Tool[] = [...READING, ...WRITING, ...PUBLISHING]

/** What a key can do here: one that it may not use is not there. */
export function toolsFor(caller: KeyOf): Tool[] {
  return TOOLS.filter((tool) => tool.offered(caller))
}
