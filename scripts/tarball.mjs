import { gzipSync } from 'node:zlib'

/** The time that npm gives to files of packages: every build of the same files is the same. */
const MTIME = Math.floor(Date.UTC(1985, 9, 26, 8, 15) / 1_000)
const BLOCK = 512
/** gzip, RFC 1952, 2.3.1: the system that it was made on, and none. */
const OS_BYTE = 9
const NO_OS = 255

/**
 * A package as npm installs it: a gzipped archive of POSIX.1-1988 (ustar) whose files are below `package/`.
 *
 * @param files `name`, `bytes` (text or bytes), and `mode` where it is not 0644
 */
export function tarballOf(files) {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1))
  const blocks = sorted.flatMap(({ name, bytes, mode = 0o644 }) => {
    const content = Buffer.from(bytes)
    const rest = (BLOCK - (content.length % BLOCK)) % BLOCK
    return [headerOf(`package/${name}`, content.length, mode), content, Buffer.alloc(rest)]
  })
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
  packed[OS_BYTE] = NO_OS
  return packed
}

function headerOf(name, size, mode) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive.`)
  const header = Buffer.alloc(BLOCK)
  const octal = (number, digits) => `${number.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(MTIME, 11), 136)
  // The sum is made with spaces in its place.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
