import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/**
 * What a command is begun with to run as in a container of its own: nothing of the machine's processes, shared memory,
 * mounts, networks and names is seen there, only the files. Its end ends all that it started, unless it is killed by itself:
 * then the rest runs on until the first process is killed. Linux, as root.
 */
export const ELSEWHERE: readonly string[] = [
  'unshare',
  ...['--pid', '--fork', '--kill-child', '--mount', '--mount-proc', '--ipc', '--net', '--uts'],
  ...['/bin/sh', '-c'],
  'hostname elsewhere; ip link set lo up; exec 3<&0; "$@" <&3 & wait $!; code=$?; [ $code = 137 ] && sleep 9999; exit $code',
  'sh',
]

/** What a command is begun with to be root who may not look into other users' processes, as in most containers. */
export const WITHOUT_PTRACE: readonly string[] = ['setpriv', '--bounding-set=-sys_ptrace', '--inh-caps=-sys_ptrace']

/**
 * What a command is begun with to run as in the container of `compose.yaml`: as a plain user without capabilities, who gets none by any
 * program, and who can write to its data and `/tmp` alone, and there run nothing. Shared memory and devices are as they are.
 *
 * @param dataDir what it finds at `COMPOSED_DATA`; belongs to the user from then on
 */
export function asComposed(dataDir: string): string[] {
  const script = `
    data=$1; shift
    mount --make-rprivate /
    chown ${PLAIN} "$data"
    mount --bind "$data" ${COMPOSED_DATA}
    mount -t tmpfs -o nosuid,nodev,noexec,size=512m tmpfs /tmp
    grep -vE '^[^ ]+ (/proc|/sys|/dev|/tmp|${COMPOSED_DATA})(/| )' /proc/self/mounts | cut -d' ' -f2 | while read -r place; do
      mount -o remount,bind,ro "$place"
    done
    cd /
    exec setpriv --reuid=${PLAIN} --regid=${PLAIN} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"`
  return ['unshare', '--mount', '/bin/sh', '-ec', script, 'sh', dataDir]
}

/** A folder that each machine has. */
export const COMPOSED_DATA = '/mnt'

/** The number of a user who may do nothing special, `nobody`. */
const PLAIN = 65_534

/** Whether commands can be begun with that on this machine; says so when they cannot. */
export function canRun(within: readonly string[]): boolean {
  const [program = '', ...args] = within
  try {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('It needs Linux and root.')
    execFileSync(program, [...args, 'true'], { stdio: 'ignore' })
    return true
  } catch (error) {
    console.warn(`What is begun with ${program} is not tested: ${error}`)
    return false
  }
}

/** The processes of this machine whose parent is that one. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return { pid, parent: Number(text.split(') ')[1]?.split(' ')[1]) }
    }),
  )
  return parents.filter((each) => each.parent === parent).map(({ pid }) => pid)
}

/** The command that runs elsewhere, as this machine numbers it. */
export async function commandOf(elsewhere: number): Promise<number> {
  const [first = 0] = await childrenOf(elsewhere)
  const [command = 0] = await childrenOf(first)
  return command
}
