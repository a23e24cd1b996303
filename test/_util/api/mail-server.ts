import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and text as they came, without the line ends that quoted-printable puts in. */
  content: string
  subject: string
  text: string
  /** Empty: it has none. */
  html: string
  /** Files that are part of it, such as pictures that its HTML shows by `cid:`. */
  files: readonly { cid: string | undefined; contentType: string; content: Buffer }[]
  /** By name in lower case, as they were sent. */
  headers: ReadonlyMap<string, string>
}

/** Takes mail over SMTP and keeps it. */
export interface MailServer {
  /** `smtp://127.0.0.1:port` */
  url: string
  mails: ReceivedMail[]
  /** Waits for the first mail to an address that was not asked for before. */
  next(to: string): Promise<ReceivedMail>
  /** Refuses every mail from now on; or those to one address. */
  refuse(to?: string): void
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const asked = new Set<ReceivedMail>()
  const refused = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onRcptTo({ address }, _, callback) {
      const refuses = refused.has('all') || refused.has(address)
      callback(refuses ? Object.assign(new Error('no one of that name'), { responseCode: 550 }) : null)
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received(Buffer.concat(chunks), {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
        }).then(() => callback(), callback)
      })
    },
  })
  server.on('error', () => {})

  async function received(raw: Buffer, { from, to }: { from: string; to: string[] }): Promise<void> {
    const options = { keepCidLinks: true }
    const { subject = '', text = '', html, headerLines, attachments } = await simpleParser(raw, options)
    const files = attachments.map(({ cid, contentType, content }) => ({ cid, contentType, content }))
    const headers = new Map(headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1).trim()]))
    mails.push({ from, to, content: unquoted(raw.toString()), subject, text, html: html || '', files, headers })
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    async next(to) {
      const mail = await vi.waitUntil(() => mails.find((one) => one.to.includes(to) && !asked.has(one)), {
        timeout: 20_000,
        interval: 10,
      })
      asked.add(mail)
      return mail
    },
    refuse: (to = 'all') => void refused.add(to),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const unquoted = (text: string) =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The secret of the first link in a mail. */
export function tokenIn(text: string): string {
  const token = /#token=([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/.exec(text)?.[1]
  if (!token) throw new Error(`No link in: ${text}`)
  return token
}
