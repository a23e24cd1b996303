/** A part of a text that stayed, went or came. */
interface DiffPart {
  kind: 'same' | 'gone' | 'new'
  text: string
}

/** More words than these are not compared one by one: the work grows with their product. */
const MOST_WORDS = 600

/** How one text became another, word by word. Of texts that are too long for that: all of the one, then all of the other. */
export function diffText(from: string, to: string): DiffPart[] {
  if (from === to) return from === '' ? [] : [{ kind: 'same', text: from }]
  const [before, after] = [wordsOf(from), wordsOf(to)]
  if (before.length > MOST_WORDS || after.length > MOST_WORDS) return joined([gone(from), added(to)])
  const common = lengths(before, after)
  const parts: DiffPart[] = []
  let [one, other] = [0, 0]
  while (one < before.length || other < after.length) {
    const [word, next] = [before[one], after[other]]
    if (word !== undefined && word === next) {
      parts.push({ kind: 'same', text: word })
      one += 1
      other += 1
    } else if (next === undefined || (word !== undefined && at(common, one + 1, other) >= at(common, one, other + 1))) {
      parts.push(gone(word ?? ''))
      one += 1
    } else {
      parts.push(added(next))
      other += 1
    }
  }
  return joined(parts)
}

const gone = (text: string): DiffPart => ({ kind: 'gone', text })
const added = (text: string): DiffPart => ({ kind: 'new', text })
/** Words with the space behind them: spaces alone would seem to stay between words that do not. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []
const at = (table: readonly (readonly number[])[], row: number, column: number): number => table[row]?.[column] ?? 0

/** How many words the ends of both texts from each place on have in common. */
function lengths(before: readonly string[], after: readonly string[]): number[][] {
  const table: number[][] = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0))
  for (let one = before.length - 1; one >= 0; one--) {
    const row = table[one] ?? []
    for (let other = after.length - 1; other >= 0; other--) {
      row[other] =
        before[one] === after[other]
          ? at(table, one + 1, other + 1) + 1
          : Math.max(at(table, one + 1, other), at(table, one, other + 1))
    }
  }
  return table
}

/** Neighbors of one kind as one part; nothing empty. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const all: DiffPart[] = []
  for (const { kind, text } of parts) {
    const last = all.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text !== '') all.push({ kind, text })
  }
  return all
}
