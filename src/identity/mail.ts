import type { Transporter } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
  /** The same as HTML. */
  html?: string
  /** What its HTML shows, by the name that it has there (`cid:`). */
  pictures?: readonly { cid: string; jpeg: Buffer }[]
  /** Where mails like this end by one POST (RFC 8058). */
  unsubscribeUrl?: string
}

/** Sends mail to people. */
export interface Mailer {
  /** Resolves when the server has taken the mail; rejects when it has not. */
  send(mail: Mail): Promise<void>
}

interface MailOptions {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the start. */
  smtpUrl: string
  /** `Almanac <almanac@example.com>` */
  from: string
}

/** A server that takes longer is not there. */
const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Sends over SMTP, one connection for each mail. A password is never sent over a line that is not encrypted. */
export function createMailer({ smtpUrl, from }: MailOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const local = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  let opening: Promise<Transporter> | null = null
  // Loaded with the first mail: most installations send few, or none.
  const transport = () =>
    (opening ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        host: hostname.replace(/^\[(.*)\]$/, '$1'),
        port: port === '' ? (secure ? 465 : 587) : Number(port),
        secure,
        requireTLS: !secure && username !== '' && !local,
        ...(username === ''
          ? {}
          : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
        disableFileAccess: true,
        disableUrlAccess: true,
        ...TIMES,
      }),
    ))
  return {
    async send({ to, subject, text, html, pictures = [], unsubscribeUrl }) {
      // As an object: an address that is written as one is not taken apart into several.
      const attachments = pictures.map(({ cid, jpeg }) => ({
        cid,
        content: jpeg,
        contentType: 'image/jpeg',
        contentDisposition: 'inline' as const,
        filename: `${cid}.jpg`,
      }))
      const mail = { from, to: { name: '', address: to }, subject, text, ...(html ? { html } : {}), attachments }
      await (await transport()).sendMail(unsubscribeUrl ? { ...mail, headers: listHeaders(unsubscribeUrl) } : mail)
    },
  }
}

/** RFC 2369, RFC 8058; and RFC 3834, so that no one who is away answers. */
const listHeaders = (unsubscribeUrl: string) => ({
  'List-Unsubscribe': `<${unsubscribeUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Auto-Submitted': 'auto-generated',
})

/**
 * Of an error, what the log is reported. Its words are left out: the mail server quotes the address in them, and that of the
 * mail besides (`EENVELOPE` with the answer's number 550 says as much).
 */
export function faultCodes(error: unknown): { fault: string; code?: string; responseCode?: number } {
  const { name, code, responseCode } = Object(error) as { name?: unknown; code?: unknown; responseCode?: unknown }
  return {
    fault: typeof name === 'string' ? name : typeof error,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
  }
}
