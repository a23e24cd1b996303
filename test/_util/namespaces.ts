import { execFileSync } from 'node:child_process'

/**
 * What a command is begun with to run as in a container of its own: nothing of the machine's processes, shared memory,
 * mounts, networks and names is seen there, only the files. Its end ends all that it started. Linux, as root.
 */
export const ELSEWHERE: readonly string[] = [
  'unshare',
  ...['--pid', '--fork', '--kill-child', '--mount', '--mount-proc', '--ipc', '--net', '--uts'],
  // The first process of a container: its children outlive each other, not it.
  ...['/bin/sh', '-c', 'hostname elsewhere; ip link set lo up; exec 3<&0; "$@" <&3 3<&- & wait $!', 'sh'],
]

/** Whether commands can be run elsewhere on this machine; says so when they cannot. */
export function canRunElsewhere(): boolean {
  try {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('They need Linux and root.')
    execFileSync(ELSEWHERE[0] ?? '', [...ELSEWHERE.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch (error) {
    console.warn(`Several namespaces on one data directory are not tested: ${error}`)
    return false
  }
}
