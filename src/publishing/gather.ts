import { setImmediate } from 'node:timers'

interface Waiting<Item, Answer> {
  item: Item
  answer: PromiseWithResolvers<Answer>
}

/**
 * Does at once what several ask for at about the same time: so many as are under way keep the others waiting, which then go
 * together. One alone does not wait.
 *
 * @param act does it for one or more; the answers in their order. When it rejects, all of them get the error
 * @param options.atOnce how many may be under way, so that one that hangs keeps nothing from the rest
 * @param options.most how many go together
 * @param options.keyOf those with the same key go one after the other or beside each other, and never together: what is done of one
 *   would be taken for that of the other
 */
export function gather<Item, Answer>(
  act: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { atOnce, most, keyOf }: { atOnce: number; most: number; keyOf(item: Item): string },
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let underWay = 0
  let begins = false

  function begin(): void {
    begins = false
    while (underWay < atOnce && waiting.length > 0) {
      const together = takeTogether()
      underWay += 1
      void run(together).finally(() => {
        underWay -= 1
        begin()
      })
    }
  }

  /** The next ones in their order. The first is always among them. */
  function takeTogether(): Waiting<Item, Answer>[] {
    const together = new Map<string, Waiting<Item, Answer>>()
    const left: Waiting<Item, Answer>[] = []
    for (const each of waiting) {
      const key = keyOf(each.item)
      if (together.size < most && !together.has(key)) together.set(key, each)
      else left.push(each)
    }
    waiting = left
    return [...together.values()]
  }

  async function run(together: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await act(together.map(({ item }) => item))
      for (const [nth, { answer }] of together.entries()) answer.resolve(answers[nth] as Answer)
    } catch (error) {
      for (const { answer } of together) answer.reject(error)
    }
  }

  return (item) => {
    const answer = Promise.withResolvers<Answer>()
    waiting.push({ item, answer })
    // What is begun in one turn of the loop is seen together.
    if (!begins) setImmediate(begin)
    begins = true
    return answer.promise
  }
}
