/** Whole letters, of the first and the last word. */
export function initialsOf(name: string, count: 1 | 2): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first = name, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const letters = count === 2 && last !== undefined ? [first, last] : [first]
  return letters.map(firstLetter).join('').toLocaleUpperCase()
}

function firstLetter(word: string): string {
  for (const { segment } of new Intl.Segmenter().segment(word)) if (/[\p{L}\p{N}]/u.test(segment)) return segment
  return ''
}
