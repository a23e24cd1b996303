import { readFileSync, readlinkSync } from 'node:fs'

/**
 * The boot of this machine, and how far the clocks of this process are ahead of the machine's own: a time namespace may move both. The
 * numbers of such namespaces are used again, so clocks are compared as the machine has them.
 */
export interface Boot {
  /** Another one after each start of the machine; the same in all its containers. Null where it is not known. */
  id: string | null
  aheadMs: { monotonic: number; boottime: number }
}

/** Reads them. https://man7.org/linux/man-pages/man7/time_namespaces.7.html */
export function readBoot(): Boot {
  try {
    const id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { id: /^[0-9a-f-]{36}$/.test(id) ? id : null, aheadMs: readOffsets() }
  } catch {
    return { id: null, aheadMs: NONE }
  }
}

const NONE = { monotonic: 0, boottime: 0 }

/** Lines such as `monotonic  86400  500000000`, in seconds and nanoseconds. */
function readOffsets(): Boot['aheadMs'] {
  let text: string
  try {
    text = readFileSync('/proc/self/timens_offsets', 'utf8')
  } catch (error) {
    // A kernel without time namespaces.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE
    throw error
  }
  // The offsets are those of children, who may be in another namespace.
  if (readlinkSync('/proc/self/ns/time') !== readlinkSync('/proc/self/ns/time_for_children')) {
    throw new Error('The time namespace of this process is not that of its children.')
  }
  return offsetsIn(text)
}

/** @throws Error for a text of another form */
export function offsetsIn(text: string): Boot['aheadMs'] {
  const offset = (clock: string) => {
    const [, seconds, nanoseconds] = new RegExp(`^${clock}\\s+(-?\\d+)\\s+(\\d+)$`, 'm').exec(text) ?? []
    if (seconds === undefined || nanoseconds === undefined) throw new Error(`There is no offset of ${clock}.`)
    return Number(seconds) * 1_000 + Number(nanoseconds) / 1e6
  }
  return { monotonic: offset('monotonic'), boottime: offset('boottime') }
}
