import { accountMail } from '#news'
import { languageForUser } from '../members/mail-language.ts'
import { sendLater, type UserLinkDeps } from './deps.ts'

/** Whose language a mail has, where it goes, and the request that had it sent. */
interface Recipient {
  userId: string
  to: string
  headers: Headers
}

/** Sends a user a mail about how they get in, behind the answer. `values`: of its sentences, besides the `place`. */
export function mailUser(
  deps: UserLinkDeps,
  { userId, to, headers }: Recipient,
  mail: Parameters<typeof accountMail>[1],
  { url, values = {} }: { url: string; values?: Readonly<Record<string, string>> },
): void {
  const { db, publicUrl } = deps
  sendLater(deps, async () => {
    const language = await languageForUser(db, userId, headers)
    return { to, ...accountMail(language, mail, { values: { place: publicUrl, ...values }, url }) }
  })
}
