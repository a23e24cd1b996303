import { whoReads } from '#processes'

type Reader = Awaited<ReturnType<typeof whoReads>>
type Words = { status: 'ok' | 'warning' | 'problem'; message: string }

/** As whom this process reads what others sent: pictures, videos, calendars, pages. It starts a process for it. */
export async function examineDecoders(ask: () => Promise<Reader> = whoReads): Promise<Words> {
  try {
    return decoderWords(process.getuid?.() ?? null, await ask())
  } catch (error) {
    const message = `The process that reads uploaded and fetched files does not answer: ${(error as Error).message} Pictures, videos, calendars and pages cannot be read.`
    return { status: 'problem', message }
  }
}

/** @param own the user of this process; null where users have no ids */
export function decoderWords(own: number | null, { uid, loads }: Reader): Words {
  if (own !== 0) {
    const message = `Uploaded and fetched files are read by the user that runs Almanac: ${BROKEN}`
    return { status: 'ok', message }
  }
  if (uid === own) {
    const message = `Uploaded and fetched files are read as root, because their processes could not switch to another user, or got no folder here: ${BROKEN} Run Almanac as an ordinary user.`
    return { status: 'warning', message }
  }
  if (loads) {
    const message = `Uploaded and fetched files are read by a separate user (${uid}), who cannot read the secret key.`
    return { status: 'ok', message }
  }
  const message = `Pictures are read by a separate user (${uid}), who cannot read the secret key. That user cannot read ${import.meta.dirname} either, so videos, calendars and pages are read as root, and a broken decoder of those could read the key. Put Almanac where everyone can read it, such as /opt.`
  return { status: 'warning', message }
}

const BROKEN = 'a broken decoder could read the secret key.'
