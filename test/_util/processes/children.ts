import { readFileSync } from 'node:fs'

/**
 * Numbers of the processes of a program, such as `picture-program`, that this process has started. Of others, such as the server and
 * the browser that files of tests share, none: what a test ends or stops has to be its own. Linux alone.
 */
export function childrenRunning(program: string): number[] {
  const all = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return all.filter((pid) => commandOf(pid).includes(program)).map(Number)
}

/** Empty of a process that has ended meanwhile. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
