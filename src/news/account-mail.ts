import type { AccountMail, AccountWord } from './account-words.ts'
import type { Language } from './language.ts'
import { type RenderedMail, renderMail } from './render.ts'

interface AccountMailParts {
  /** Of its sentences. */
  values: Readonly<Record<string, string | number>>
  /** Before its own line. */
  lines?: readonly string[]
  /** Where its button leads. */
  url: string
}

/** A mail to one person about how they get in: what it is about, what to do, and what if it was not them. */
export function accountMail(
  language: Language,
  mail: AccountMail,
  { values, lines = [], url }: AccountMailParts,
): RenderedMail {
  const say = (word: AccountWord) => language.say(word, values)
  return renderMail({
    language: language.tag,
    subject: say(`${mail}:subject`),
    sections: [
      {
        head: say(`${mail}:head`),
        lines: [...lines, say(`${mail}:line`)],
        quotes: [],
        list: null,
        picture: null,
        action: { text: say(`${mail}:action`), url },
      },
    ],
    footer: { why: say(`${mail}:footer`), links: [] },
  })
}
