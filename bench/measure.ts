/** Milliseconds of the first run, and the middle one of `runs` more. */
export async function measure<T>(
  work: () => Promise<T>,
  runs = 5,
): Promise<{ result: T; first: number; middle: number }> {
  const time = async () => {
    const since = performance.now()
    const result = await work()
    return { result, ms: performance.now() - since }
  }
  const { result, ms: first } = await time()
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push((await time()).ms)
  return { result, first, middle: times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? first }
}

/** Prints rows under a headline, in columns as wide as they need. The first column is text, the others are numbers. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, column) => Math.max(...[name, ...rows.map((row) => row[column] ?? '')].map(width)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - width(cell))
        return column === 0 ? cell + space : space + cell
      })
      .join('  ')
      .trimEnd()
  console.log(`\n${title}\n${[head, ...rows].map(line).join('\n')}`)
}

/** A page of a list and its count, beside the floors of the same run: the cells of a row. */
export async function measureList(
  { page, count }: { page(): Promise<unknown>; count(): Promise<number> },
  floors: { page: number; lookup: number },
): Promise<string[]> {
  const paged = await measure(page)
  const counted = await measure(count)
  const sum = paged.middle + counted.middle
  return [
    String(counted.result),
    inMs(paged.first + counted.first),
    inMs(paged.middle),
    inMs(counted.middle),
    inMs(sum),
    times(sum, floors.page),
    times(sum, floors.lookup),
  ]
}

/** What the cells of `measureList` are. */
export const LIST_HEAD = ['found', 'first ms', 'page ms', 'count ms', 'sum ms', '× page', '× lookup']

const width = (text: string) => [...text].length
export const inMs = (ms: number) => ms.toFixed(ms < 10 ? 2 : 1)
export const times = (ms: number, floor: number) => (ms / floor).toFixed(ms / floor < 10 ? 1 : 0)
