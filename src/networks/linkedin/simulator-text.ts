/**
 * What the pretend network makes of a commentary: escapes are taken away, hashtags and mentions become words, and a
 * character that should have been escaped cuts the text off there, without an error, as it does on the real network.
 */
export function shownText(commentary: string): string {
  let shown = ''
  let rest = commentary
  while (rest !== '') {
    const known =
      /^\\([\\|{}@[\]()<>#*_~])/.exec(rest) ??
      /^\{hashtag\|\\#\|((?:\\.|[^}\\])+)\}/u.exec(rest) ??
      /^#((?:\\_|[\p{L}\p{M}\p{N}])+)/u.exec(rest) ??
      /^@\[((?:\\.|[^\]\\])+)\]\(urn:li:(?:organization|person):[\w-]+\)/u.exec(rest)
    if (known) {
      const [whole, inner = ''] = known
      shown += (whole.startsWith('#') || whole.startsWith('{') ? '#' : '') + unescaped(inner)
      rest = rest.slice(whole.length)
      continue
    }
    const plain = /^[^\\|{}@[\]()<>#*_~]+/.exec(rest)?.[0]
    if (plain === undefined) return shown
    shown += plain
    rest = rest.slice(plain.length)
  }
  return shown
}

const unescaped = (text: string) => (text.length > 1 ? text.replace(/\\(.)/gu, '$1') : text)
