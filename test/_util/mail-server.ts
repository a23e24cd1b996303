import { type AddressInfo, createServer } from 'node:net'
import { vi } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and text as they came, without the line ends that quoted-printable puts in. */
  content: string
}

/** Takes mail over SMTP and keeps it. */
export interface MailServer {
  /** `smtp://127.0.0.1:port` */
  url: string
  mails: ReceivedMail[]
  /** Waits for the first mail to an address that was not asked for before. */
  next(to: string): Promise<ReceivedMail>
  /** Refuses every mail from now on. */
  refuse(): void
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const asked = new Set<ReceivedMail>()
  let refuses = false
  const server = createServer((socket) => {
    let mail: ReceivedMail = { from: '', to: [], content: '' }
    let buffer = ''
    let inText = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mail of the tests')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffer += chunk
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        if (inText && line !== '.') mail.content += `${line}\r\n`
        else if (inText) {
          inText = false
          mails.push({ ...mail, content: unquoted(mail.content) })
          mail = { from: '', to: [], content: '' }
          say('250 taken')
        } else if (/^MAIL FROM:/i.test(line)) {
          mail.from = addressIn(line)
          say('250 ok')
        } else if (/^RCPT TO:/i.test(line)) {
          if (!refuses) mail.to.push(addressIn(line))
          say(refuses ? '550 nobody of that name' : '250 ok')
        } else if (/^DATA/i.test(line)) {
          inText = true
          say('354 go on')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else say('250 ok')
      }
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async next(to) {
      const mail = await vi.waitUntil(() => mails.find((one) => one.to.includes(to) && !asked.has(one)), {
        timeout: 10_000,
        interval: 10,
      })
      asked.add(mail)
      return mail
    },
    refuse: () => {
      refuses = true
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''

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
